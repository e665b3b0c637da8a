"""The desk: a local web page for the writer, made of answers of capabilities and nothing else.

    writeros-entities desk

A kind of page is a module of `screens` and the template of the same name. The module asks the
capabilities, the template shows what they say; what the writer decides goes to `decide`.
"""
