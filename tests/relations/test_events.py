"""What happens by the notes' sentences: `list_events`, as a writer asks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from writeros_entities import NotFoundError, Session
from writeros_entities.capabilities.time.list_events import EventList

from ..databases import Databases

PEOPLE = ("Ann Hale", "Ben Orchard", "Cora Finch")
TOLD = {
    "Ann Hale gave Ben Orchard the lamp.": ["gives: Ann Hale doer, Ben Orchard to"],
    "Ben Orchard was killed by Ann Hale.": ["dies: Ann Hale doer, Ben Orchard done to"],
    "Ann Hale walked to Vantry with Cora Finch.": [
        "moves: Ann Hale doer, Vantry to, Cora Finch with"
    ],
    "In Vantry, Cora Finch met Ben Orchard and struck him.": [
        "meets: Cora Finch doer, Ben Orchard done to, Vantry at",
        "fights: Cora Finch doer",
    ],
    "Ann Hale had lost the lamp.": ["loses, earlier: Ann Hale doer"],
    "Ann Hale closed the door. Then she sang.": [": Ann Hale doer", ": Ann Hale doer"],
    '"Ben Orchard killed her," said Ann Hale.': ["speaks: Ann Hale doer"],
    "Ann Hale loved Ben Orchard.": [],
    "Ann Hale was tired, and had a lamp.": [],
    "Ann Hale would kill Ben Orchard if he came.": [],
    "Ann Hale did not kill Ben Orchard.": [],
    "Ann Hale dreamt that Ben Orchard died.": [],
    "Perhaps Ann Hale killed Ben Orchard.": [],
    "Did Ann Hale kill Ben Orchard?": [],
    "Every spring Ann Hale sails to Vantry.": [],
    "The rain stopped.": [],
}


def sheet(kind: str, text: str = "") -> str:
    return f"---\ntype: {kind}\n---\n{text}\n"


def ask(session: Session, **asked: Any) -> EventList:
    answer = session.call("list_events", asked)
    assert isinstance(answer, EventList)
    return answer


def events(session: Session, **asked: Any) -> list[str]:
    """Return events as `kind: who role, who role`."""
    return [
        f"{one.kind or ''}{', earlier' if one.is_earlier else ''}: "
        + ", ".join(f"{part.entity.name} {part.role}" for part in one.parts)
        for one in ask(session, **asked).events
    ]


@pytest.fixture(scope="module")
def told(
    tmp_path_factory: pytest.TempPathFactory, sqlite_databases: Databases
) -> Iterator[Session]:
    """Open a vault with a chapter for each sentence."""
    root = tmp_path_factory.mktemp("events")
    for name in PEOPLE:
        (root / f"{name}.md").write_text(sheet("person"))
    (root / "Vantry.md").write_text(sheet("place"))
    (root / "Manuscript").mkdir()
    for number, sentence in enumerate(TOLD, 1):
        (root / "Manuscript" / f"{number:02}.md").write_text(f"{sentence}\n")
    with Session.open(
        root, database=sqlite_databases.create(), workers=0, close_reading=True
    ) as session:
        session.call("sync", {})
        yield session


@pytest.mark.parametrize(("number", "sentence"), list(enumerate(TOLD, 1)))
def test_a_sentence_tells_what_happens_to_whom(told: Session, number: int, sentence: str) -> None:
    assert events(told, note=f"Manuscript/{number:02}") == TOLD[sentence]


def test_events_are_found_by_who_takes_part_by_kind_and_by_place_in_reading_order(
    told: Session,
) -> None:
    both = "dies: Ann Hale doer, Ben Orchard done to"
    assert events(told, entity="Ann Hale", other="Ben Orchard", kind="dies") == [both]
    assert events(told, entity="Vantry", to_position=3) == [
        "moves: Ann Hale doer, Vantry to, Cora Finch with"
    ]
    assert events(told, entity="Cora Finch", from_position=5) == []


def test_an_event_is_proved_by_its_sentence(told: Session) -> None:
    (found,) = ask(told, kind="dies").events
    assert (found.path, found.line, found.verb) == ("Manuscript/02.md", 1, "kill")
    assert found.marked() == "Ben Orchard was **killed** by Ann Hale."


def test_nothing_of_a_later_chapter_is_told(told: Session) -> None:
    assert events(told, as_of=1) == ["gives: Ann Hale doer, Ben Orchard to"]
    assert ask(told, entity="Ann Hale", as_of=2).total == 2


def test_an_unknown_kind_is_answered_with_those_there_are(told: Session) -> None:
    with pytest.raises(NotFoundError, match=r"There is no kind of event 'dances'.*'dies'"):
        told.call("list_events", {"kind": "dances"})


@pytest.mark.usefixtures("closely")
def test_what_is_left_to_do_has_not_happened_in_notes_in_the_present(
    open_vault: Callable[..., Session], write_vault: Callable[[dict[str, str]], Path]
) -> None:
    lines = (
        "Cora Finch is mending the bridge.",
        "Twelve days to kill Ben Orchard or the town is lost.",
        "Nine nights to find Ann Hale.",
        "A reason to attack Cora Finch.",
        "Ann Hale is the one to fight.",
        "Ben Orchard opens the gate.",
    )
    notes = {f"{name}.md": sheet("person") for name in PEOPLE}
    notes["Sessions/Session 1.md"] = "".join(f"- {one}\n" for one in lines)
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    assert events(session) == [
        ": Cora Finch doer",
        ": Ben Orchard doer",
    ]
    history: Any = session.call("get_entity_history", {"entity": "Ben Orchard"})
    assert [one.text for one in history.changes if "dead" in one.text] == []


@pytest.mark.usefixtures("closely")
def test_french_sentences_tell_what_happens(
    open_vault: Callable[..., Session], write_vault: Callable[[dict[str, str]], Path]
) -> None:
    root = write_vault(
        {
            "Lise Moreau.md": sheet("person"),
            "Paul Aubert.md": sheet("person"),
            "Manuscrit/01.md": "Lise Moreau a tué Paul Aubert dans la cour. Elle partit avant "
            "l'aube. Lise Moreau aimait la mer, et ne revint jamais. Paul Aubert a marché à Rouen. "
            "Paul Aubert a chanté à Rouen.\n",
            "Rouen.md": sheet("place"),
        }
    )
    session = open_vault(root)
    session.call("sync", {})
    assert events(session) == [
        "dies: Lise Moreau doer, Paul Aubert done to",
        "moves: Lise Moreau doer",
        "moves: Paul Aubert doer, Rouen to",
        ": Paul Aubert doer, Rouen at",
    ]


@pytest.mark.usefixtures("closely")
def test_a_chapter_that_changes_tells_its_new_events_alone(
    open_vault: Callable[..., Session], write_vault: Callable[[dict[str, str]], Path]
) -> None:
    root = write_vault(
        {"Ann Hale.md": sheet("person"), "Manuscript/01.md": "Ann Hale died. It rained.\n"}
    )
    session = open_vault(root)
    session.call("sync", {})
    (root / "Manuscript" / "01.md").write_text("Ann Hale laughed. It rained.\n")
    session.call("sync", {})
    assert [one.verb for one in ask(session).events] == ["laugh"]
