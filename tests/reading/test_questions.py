"""What the writer is asked: each question with the lines of its answers, the most telling first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from writeros_entities import Session

from ..conftest import OpenVault

WriteVault = Callable[[dict[str, str]], Path]

NOVEL = {
    "Story/01 The Mill.md": "At noon Greta Lund came. Then Greta Lund sat; we saw Greta Lund.\n",
    "Story/02 The Weir.md": "At dusk Otto Bree came. Then Otto Bree sat; we saw Otto Bree.\n",
}


def questions(session: Session, **arguments: Any) -> list[Any]:
    answer: Any = session.call("list_questions", arguments)
    return list(answer.questions)


def test_a_name_without_a_note_is_asked_about_with_a_line_for_each_answer(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(NOVEL))
    session.call("sync", {})
    found = questions(session)
    assert [one.about for one in found] == ["Greta Lund", "Otto Bree"]
    assert found[0].text.startswith("Greta Lund is named 3 times and has no note")
    assert {one.says: one.line for one in found[0].answers} == {
        "person": "Greta Lund is a person",
        "place": "Greta Lund is a place",
        "faction": "Greta Lund is a faction",
        "item": "Greta Lund is an item",
        "creature": "Greta Lund is a creature",
        "event": "Greta Lund is an event",
        "concept": "Greta Lund is a concept",
        "no_name": '"Greta Lund" is not a name',
    }


def test_nothing_later_is_asked(write_vault: WriteVault, open_vault: OpenVault) -> None:
    session = open_vault(write_vault(NOVEL))
    session.call("sync", {})
    assert [one.about for one in questions(session, as_of=1)] == ["Greta Lund"]


def test_what_is_decided_is_not_asked_again_even_before_the_next_sync(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(NOVEL))
    session.call("sync", {})
    session.call("decide", {"line": "Greta Lund is a place"})
    assert [one.about for one in questions(session)] == ["Otto Bree"]


def test_what_is_put_off_is_asked_last(write_vault: WriteVault, open_vault: OpenVault) -> None:
    root = write_vault(NOVEL)
    session = open_vault(root)
    session.call("sync", {})
    line = questions(session)[0].answers[0].line
    session.call("decide", {"later": line})
    found = questions(session)
    assert [(one.about, one.is_put_off) for one in found] == [
        ("Otto Bree", False),
        ("Greta Lund", True),
    ]
    assert not (root / "Decisions.md").exists()


def test_a_note_whose_role_is_only_guessed_is_asked_about_in_a_sentence(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = {
        "Story/01.md": "The lamp stood there.\n",
        "Emberlamp Plans.md": "- Light it.\n- Carry it.\n- Break it.\n",
    }
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    assert [one.text for one in questions(session)] == [
        "It is only guessed to be a plan: Its title ends so."
    ]
