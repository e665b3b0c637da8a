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
