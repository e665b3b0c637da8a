"""What plain sentences and short sheets state in other languages than English."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.session import Session

from ..conftest import OpenVault

WriteVault = Callable[[dict[str, str]], Path]

SORTS = {"Marta": "person", "Ilan": "person", "Corwin": "person", "Salzheim": "place"}

PLAIN = [
    ("fr", "Marta est la fille de Corwin.", "Corwin parent_of Marta"),
    ("fr", "La mère de Ilan, Marta, tenait une auberge.", "Marta parent_of Ilan"),
    ("fr", "Marta rit. Son mari, Corwin, est parti.", "Corwin spouse_of Marta"),
    ("fr", "Marta est la maire de Salzheim.", "Marta rules Salzheim"),
    ("fr", "Marta vit à Salzheim avec sa mère.", "Marta lives_in Salzheim"),
    ("fr", "Marta vit Corwin dans Salzheim.", ""),
    ("de", "Ilan traf Corwin, den Bruder von Marta, am Tor.", "Corwin sibling_of Marta"),
    ("de", "Gestern kam Martas Bruder Ilan an.", "Ilan sibling_of Marta"),
    ("de", "In Salzheim liegt das Gasthaus [[Anker]].", "Anker located_in Salzheim"),
    ("de", "Ilan traf Corwin, vielleicht den Bruder von Marta.", ""),
    ("pt", "Ilan encontrou Corwin, o irmão de Marta, ontem.", "Corwin sibling_of Marta"),
    ("pt", "Marta era uma jovem nascida na velha cidade de Salzheim.", "Marta born_in Salzheim"),
    ("ru", "Корвин – муж Марии.", "Корвин spouse_of Мария"),
    ("ru", "- младшая дочь [[Мария|Марии]]", "Мария parent_of Marta"),
    ("ru", "- младшая дочь [[Мария]]", ""),
]


@pytest.mark.usefixtures("closely")
@pytest.mark.parametrize(("language", "text", "said"), PLAIN)
def test_a_plain_sentence_states_it_in_its_language(
    language: str, text: str, said: str, write_vault: WriteVault, open_vault: OpenVault
) -> None:
    sorts = {**SORTS, "Anker": "place", "Мария": "person", "Корвин": "person"}
    notes = {name: f"---\ntype: {sort}\nlang: {language}\n---\n" for name, sort in sorts.items()}
    notes["Marta"] += text + "\n"
    vault = write_vault({f"{name}.md": note for name, note in notes.items()})
    found = stated(read(open_vault(vault)))
    assert said in found if said else not found


def test_a_short_sheet_of_labels_is_read_in_its_own_language(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    """The vault is in English, and the sheet has no sentence that would tell its language."""
    vault = {
        "Marta.md": "---\ntype: person\n---\nStatut : vivante\nMariée à [[Ilan]]\n",
        "Ilan.md": "---\ntype: person\n---\n",
    }
    assert "Marta spouse_of Ilan" in stated(read(open_vault(write_vault(vault))))


@pytest.mark.parametrize(
    ("text", "is_dead"),
    [("Marta (871–919), queen", True), ("Marta (919–871), queen", False), ("Marta (12–14)", False)],
)
def test_years_from_birth_to_death_behind_a_name_tell_a_death(
    text: str, is_dead: bool, write_vault: WriteVault, open_vault: OpenVault
) -> None:
    vault = write_vault({"Marta.md": "---\ntype: person\n---\n", "Page.md": f"- {text}\n"})
    told = (
        read(open_vault(vault)).call("analyze_entity_evolution", {"entity": "Marta"}).model_dump()
    )
    assert (told["status"] == "dead") is is_dead


def read(session: Session) -> Session:
    session.call("sync", {"relations": False})
    return session


def stated(session: Any) -> set[str]:
    """The relations of the vault as `Ann married Bob`; those that hold both ways, in both."""
    names = [one.name for one in session.call("list_entities", {"limit": 100}).entities]
    answers = [session.call("get_entity", {"entity": name}).model_dump() for name in names]
    return {
        f"{answer['entity']['name']} {one['kind']} {one['other']['name']}"
        for answer in answers
        for one in answer["entity"]["relations"]
    }
