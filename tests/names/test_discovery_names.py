from __future__ import annotations

import pytest
from writeros_plugins.discovery.names import find_names


def names(text: str) -> list[str]:
    return [name.text for name in find_names(text)]


def types(text: str) -> dict[str, str | None]:
    return {name.text: name.type for name in find_names(text)}


def test_one_sentence_is_enough() -> None:
    assert types("Rowan met Captain Vane at Harrow Hall.") == {
        "Rowan": "person",
        "Captain Vane": "person",
        "Harrow Hall": "place",
    }


def test_a_name_knows_where_it_stands() -> None:
    text = "“Was Élodie there?” cried Captain Vane’s cook."
    found = find_names(text)
    assert [(name.start, name.end) for name in found] == [(5, 11), (26, 38)]
    assert [text[name.start : name.end] for name in found] == ["Élodie", "Captain Vane"]
    assert all(0.5 < name.confidence <= 1 for name in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I bowed to Mr. Darcy.", ["Mr. Darcy"]),
        ("Then Lady Catherine de Bourgh rose.", ["Lady Catherine de Bourgh"]),
        ("He heard Ludwig van Beethoven play.", ["Ludwig van Beethoven"]),
        ("She robbed the Bank of England at noon.", ["Bank of England"]),
        ("He feared the Order of the Ash.", ["Order of the Ash"]),
        ("They crowned Prince Caspian the Tenth.", ["Prince Caspian the Tenth"]),
        ("We dined with Aunt May again.", ["Aunt May"]),
        ("They rode to King’s Landing together.", ["King’s Landing"]),
        ("He had read J. R. R. Tolkien twice.", ["J. R. R. Tolkien"]),
        ("There came Zoë O’Brien-Smith with D’Artagnan.", ["Zoë O’Brien-Smith", "D’Artagnan"]),
        ("She called for Harun al-Rashid at once.", ["Harun al-Rashid"]),
        ("They heard de la Vega laugh at von Stade.", ["de la Vega", "von Stade"]),
    ],
)
def test_a_name_is_whole(text: str, expected: list[str]) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    "text", ["It was Darcy's hat.", "It was Darcy’s hat.", "“It was Darcy,” he said."]
)
def test_possessives_and_quotation_marks_stay_outside(text: str) -> None:
    assert names(text) == ["Darcy"]


@pytest.mark.parametrize(
    "text",
    [
        "Silence fell. Nothing moved. Perhaps it was late.",
        "On Monday the French wine came, in March the Spanish.",
        "“Sir,” he said, “I don’t know. Lord! Mamma!”",
        "I, too, went. I’ll go. I’m gone.",
        "CHAPTER IV\n\nTHE RETURN OF THE KING\n\nIt was cold.",
        "# The Return of the Stranger\n\nIt was cold.",
        "",
    ],
)
def test_a_capital_alone_makes_no_name(text: str) -> None:
    assert names(text) == []


def test_invented_names_are_found() -> None:
    assert types(
        "Jarrik drew the blade. “Jarrik!” cried Sereth Voss in Varrowmere. Jarrik’s hands shook."
    ) == {"Jarrik": "person", "Sereth Voss": "person", "Varrowmere": "place"}


def test_markdown_is_seen_through() -> None:
    assert names("- Home: **Harrow Hall**\n- Born in [[Thornwick]]\n") == [
        "Harrow Hall",
        "Thornwick",
    ]


def test_a_heading_that_is_a_name_is_a_name() -> None:
    assert names("# Mira Vane\n\nNothing is known of her.") == ["Mira Vane"]


def test_what_is_skipped_is_not_read() -> None:
    text = "He left `Captain Vane` with Captain Thorne."
    assert [name.text for name in find_names(text, skip=[(8, 22)])] == ["Captain Thorne"]


def test_no_name_reaches_over_what_is_skipped() -> None:
    text = "He saw Elara `x` Voss there."
    assert [name.text for name in find_names(text, skip=[(13, 16)])] == ["Elara", "Voss"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("They lived in Baker Street.", {"Baker Street": "place"}),
        ("She sailed in the schooner Hispaniola.", {"Hispaniola": "vehicle"}),
        ("He wrote to the Ministry of Magic.", {"Ministry of Magic": "organization"}),
        ("She loved Dr. Ivo Marsh.", {"Dr. Ivo Marsh": "person"}),
    ],
)
def test_a_type_is_told_where_the_text_shows_it(text: str, expected: dict[str, str | None]) -> None:
    assert types(text) == expected


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("Our dog, Saria, ran off. Then Saria laughed.", "creature"),
        ("He fed Kael's old mare Saria. Then Saria laughed.", "creature"),
        ("They had a cat called Saria. Then Saria laughed.", "creature"),
        ("Then Saria, my dog, ran off. Then Saria laughed.", "creature"),
        ("I saw her dog, Saria said. Then Saria laughed.", "person"),
        ("“That is her dog, Saria.” Then Saria laughed with Saria and said no.", "person"),
        ("He saw Saria, a dog, and the mare. Then Saria laughed.", "person"),
        ("He saw the dog Saria had fed. Then Saria laughed.", "person"),
    ],
)
def test_an_animal_is_told_by_how_it_is_introduced(text: str, type_: str) -> None:
    assert types(text)["Saria"] == type_


def test_a_full_name_is_somebodys_whose_first_name_is_used_alone() -> None:
    text = "“Kael Arvand,” he said. Kael nodded, and Kael laughed. They saw Kael."
    assert types(text) == {"Kael Arvand": "person", "Kael": "person"}


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("She laughed with Saria. Then Saria said no. He had seen Saria's hat.", "person"),
        ("The Heron robbed the mill. He saw the Heron run. The Heron killed him.", "person"),
        ("I thought of Verrick. Nobody stayed in Verrick. The way to Verrick was dry.", "place"),
    ],
)
def test_what_stands_beside_a_name_outweighs_its_ending(text: str, type_: str) -> None:
    assert {name.type for name in find_names(text)} == {type_}


def test_the_same_text_gives_the_same_names() -> None:
    text = "Rowan met Captain Vane at Harrow Hall. " * 3
    assert find_names(text) == find_names(text)
