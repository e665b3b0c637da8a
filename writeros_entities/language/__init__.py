"""From a note to its page: what a careful reader marks in it, whoever is in it.

language = languages[tell_language(note, languages)]     # telling
page = read_page(note, language, language.parser())      # reading, over the lines of layout
"""
