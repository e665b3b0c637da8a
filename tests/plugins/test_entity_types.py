from collections import Counter

from writeros_plugins.entity_types import register_entity_types


def test_fiction_has_seven_types_and_only_persons_have_given_names() -> None:
    types = list(register_entity_types())
    assert [each.name for each in types] == [
        "person",
        "place",
        "faction",
        "item",
        "event",
        "concept",
        "creature",
    ]
    assert [each.name for each in types if each.personal] == ["person"]


def test_no_word_and_no_folder_stands_for_two_types() -> None:
    types = list(register_entity_types())
    words = Counter(
        word.casefold() for each in types for word in (each.name, each.plural, *each.synonyms)
    )
    folders = Counter(folder.casefold() for each in types for folder in each.folders)
    assert [word for word, count in (words + Counter()).items() if count > 1] == []
    assert [folder for folder, count in folders.items() if count > 1] == []
