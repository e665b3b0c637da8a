"""What is suggested from notes whose capitals do not say that they are names."""

from __future__ import annotations

import pytest
from writeros_plugins.discovery import propose_entities

from writeros_entities import Settings
from writeros_entities.vault.notes import parse_note


def proposed(text: str) -> dict[str, int]:
    found = propose_entities(parse_note("Note.md", text.encode()), Settings())
    return {name.name: name.count for name in found}


@pytest.mark.parametrize(
    "text",
    [
        "## Overview\n\nShe bakes.",
        "> [!infobox]+ Bio\n> ###### Bio\n> she bakes",
        "| Type | Stat |\n| ---- | ---- |\n| tall | yes |",
        "> | Type | Stat |\n> | ---- | ---- |\n> | **Ancestry** | tall |",
        "**Statblock:** none",
        "- **Mannerisms**: quick",
        "_**Full Name**_: none",
        "*Plugin Version: 3.1.0*",
        "<small>Pronunciation: as read</small>",
        "| Who | What |\n| --- | --- |\n| Odile | diver |",
        "**Age:** Young Adult",
        "**Player:** Odile Marr",
        "> | **DM** | Odile |",
        "Spieler: Odile Marr",
    ],
)
def test_a_label_names_nobody(text: str) -> None:
    assert proposed(text) == {}


def test_a_name_in_a_label_counts_where_the_prose_has_it() -> None:
    text = (
        "## Meeting Odile\n\nThey met Odile on the quay.\n\n| Who | |\n| --- | --- |\n| Odile | |"
    )
    assert proposed(text) == {"Odile": 2}


def test_who_speaks_may_be_labelled() -> None:
    text = "**Odile:** Come in.\n\n**Odile:** Sit down.\n\n**Odile:** Well, who was it?"
    assert proposed(text) == {"Odile": 3}


def test_where_all_nouns_have_capitals_none_is_a_name() -> None:
    text = (
        "Odile ist eine junge Taucherin und die Nichte des Müllers. Die Stadt liegt an der Küste, "
        "und das Wasser ist kalt. Der Müller wartet nicht; Odile geht an die Tür und lauscht."
    )
    assert proposed(text) == {}


def test_where_the_language_is_unknown_a_capital_counts_inside_a_sentence() -> None:
    text = (
        "Il gruppo arriva di sera. Il taverniere non parla con nessuno, e poi saluta Odile. "
        "La città è fatta di legno. Odile entra nella sala e dorme. Poi il gruppo parte per Vantri."
    )
    assert proposed(text) == {"Odile": 2, "Vantri": 1}


def test_names_in_a_list_are_whole_whatever_language_it_is_in() -> None:
    text = (
        "- Kael Vorn, baker, 32, red hair\n- Mara Vorn, diver, 30, drowned\n"
        "- Odo Pell, smith, 51, lame\n- Una Pell, widow, 49, no teeth\n"
        "- Kael Vorn, his father, 70, deaf, two dogs, no land\n"
    )
    assert proposed(text) == {"Kael Vorn": 2, "Mara Vorn": 1, "Odo Pell": 1, "Una Pell": 1}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("They read [[03 The Salt Year]] by [[Odile]].", {"Odile": 1}),
        ("They read [[The Odile]] aloud.", {"Odile": 1}),
        ("They read [[Odile|the diver Kael]] aloud.", {}),
        ("They read [[Odile Marr.pdf]] aloud.", {}),
    ],
)
def test_a_link_names_only_what_all_of_it_is(text: str, expected: dict[str, int]) -> None:
    assert proposed(text) == expected


def test_a_word_that_is_only_ever_a_whole_sentence_is_no_name() -> None:
    text = "“Bexit.” She laughed. “Bexit!” Odile came. Then Odile left. “Bexit…”"
    assert proposed(text) == {"Odile": 2}


def test_a_name_behind_of_goes_on_as_far_as_its_capitals() -> None:
    assert proposed("They saw the Temple of the Iron Tail at noon.") == {
        "Temple of the Iron Tail": 1
    }


def test_a_word_that_opens_the_sentence_is_no_part_of_a_name() -> None:
    text = (
        "La nuit tombe sur le port, et les bateaux ne sont pas dans la rade. Même Odile, si calme "
        "d'habitude, est pâle. Elle a même froid. On voit que Odile ne dort pas, et que tout dort."
    )
    assert proposed(text) == {"Odile": 2}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("They met Vessin. Vessin nodded.", "person"),
        ("They saw the hand of his sister Vessin.", "person"),
        ("They knew Vessin's eyes.", "person"),
        ("They slept in Vessin and saw the sea.", "place"),
    ],
)
def test_the_words_beside_a_name_tell_surely_what_it_is_of(text: str, kind: str) -> None:
    (found,) = propose_entities(parse_note("Note.md", text.encode()), Settings())
    assert (found.name, found.type, found.type_confidence) == ("Vessin", kind, 1.0)
