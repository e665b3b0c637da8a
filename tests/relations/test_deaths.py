"""Who is dead, by what notes of each role say, and by what a reader has been told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from writeros_entities.session import Session

from ..cases import by_name
from ..conftest import OpenVault, ReadVault

WriteVault = Callable[[dict[str, str]], Path]

PERSON = "---\ntype: person\n---\n"
PEOPLE = {f"People/{name}.md": PERSON for name in ("Orla Finch", "Tavin Reede")}

DIES = {
    "Orla Finch": "Orla Finch died in the spring.",
    "Bram Tolley": "Bram Tolley was killed at dawn, and nobody said by whom.",
    "Cass Winter": "A falling beam killed Cass Winter.",
    "Dorrit Vale": "Dorrit Vale passed away in her sleep.",
    "Emlyn Shaw": "Emlyn Shaw bled to death on the stairs.",
    "Fenna Crole": "They found Fenna Crole dead.",
    "Gale Horner": "They buried Gale Horner beside the mill.",
    "Hesper Lunt": "The late Hesper Lunt had left no letters.",
    "Ivo Marsh": "Tavin Reede wept at Ivo Marsh's funeral.",
    "Jonah Pell": "The murder of Jonah Pell was never solved.",
    "Kitty Rowan": "A stone fell, killing Kitty Rowan.",
    "Lew Tanner": "Lew Tanner's head flew off.",
    "Mina Crowe": "Somebody slit Mina Crowe's throat.",
    "Noll Fisk": "Noll Fisk's throat was cut.",
    "Perrin Holt": "Tavin Reede fell silent as Perrin Holt died.",
    "Quenna Ross": "Quenna Ross hanged herself that night.",
    "Ralf Stead": "Ralf Stead was lost at sea.",
    "Sanna Tull": "The men found Sanna Tull's body by the river.",
    "Osric Penn": "Tavin Reede lost his closest friend, Osric Penn, to the sea.",
}
LIVES = {
    "Lorn Abbey": "Lorn Abbey was dying for a drink.",
    "Mabel Birch": "Mabel Birch nearly died that winter.",
    "Nat Corder": "Nat Corder will die before the harvest.",
    "Olive Dunn": "If Olive Dunn dies, the mill is lost.",
    "Piers Egan": "Tavin Reede dreamt that Piers Egan was dead.",
    "Quill Foss": "Tavin Reede wanted to kill Quill Foss.",
    "Rhoda Gant": "Rhoda Gant was dead tired.",
    "Silas Holm": "Silas Holm was presumed dead.",
    "Thea Ives": "Tavin Reede plotted the murder of Thea Ives.",
    "Una Jarrow": "Reports of Una Jarrow's death proved false.",
    "Vince Kells": "Is Vince Kells dead?",
    "Wanda Lisle": "Wanda Lisle knelt at the grave of her father.",
    "Xara Dole": "Tavin Reede might cut off Xara Dole's head.",
    "Yorick Lane": "A cold wind slapped Yorick Lane's head.",
    "Yves Karr": "Tavin Reede wept as though Yves Karr had died.",
    "Ysolde Moor": "Tavin Reede wept as if Ysolde Moor had died.",
    "Zora Finn": "Tavin Reede lost Zora Finn to a richer man.",
}


def status(session: Session, entity: str, as_of: int | None = None) -> str | None:
    """Return what an entity's status is, with "planned" before it if only a plan says so."""
    told = session.call("analyze_entity_evolution", {"entity": entity, "as_of": as_of})
    answer = told.model_dump()
    return f"planned {answer['status']}" if answer["is_planned"] else answer["status"]


@pytest.fixture(scope="module")
def read_closely(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """A vault that was read with a parser: two chapters in which everybody lives, or may be dead.

    It is the default engine's alone: what a clause states does not depend on the database.
    """
    folder = tmp_path_factory.mktemp("deaths")
    root = folder / "vault"
    notes = {
        **{f"People/{name}.md": PERSON for name in (*DIES, *LIVES, "Tavin Reede")},
        "Manuscript/Chapter 1.md": "\n\n".join(f"{name} laughed." for name in (*DIES, *LIVES)),
        "Manuscript/Chapter 2.md": "\n\n".join((*DIES.values(), *LIVES.values())),
        "Plot/Outline.md": "- Orla Finch kills Tavin Reede",
    }
    for path, text in notes.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    database = f"sqlite:///{folder}/index.sqlite3"
    with Session.open(root, database=database, close_reading=True) as session:
        session.call("sync", {})
        yield session


@pytest.mark.parametrize("name", DIES)
def test_who_dies_in_a_chapter_is_dead_from_there_on(name: str, read_closely: Session) -> None:
    assert status(read_closely, name, 1) is None
    assert status(read_closely, name, 2) == "dead"


@pytest.mark.parametrize("name", LIVES)
def test_who_only_may_be_dead_is_not(name: str, read_closely: Session) -> None:
    assert status(read_closely, name) is None


def test_a_death_of_which_only_a_plan_tells_is_planned_and_under_no_as_of(
    read_closely: Session,
) -> None:
    assert status(read_closely, "Tavin Reede") == "planned dead"
    assert status(read_closely, "Tavin Reede", 2) is None


DEAD = [
    "---\ntype: person\nstatus: deceased\n---\n",
    "---\ntype: person\n---\n- **Status:** Dead",
    "---\ntype: person\n---\nDied: 1204, of a fever",
    "---\ntype: person\n---\nCause of death: drowning",
    "---\ntype: person\nlanguage: de\n---\nStatus: verstorben",
    "---\ntype: person\nlanguage: fr\n---\nDécès : en 1204, de la fièvre",
    "---\ntype: person\nlanguage: pt\n---\n**Data da morte:** 1204",
]


@pytest.mark.parametrize(("name", "sheet"), by_name(DEAD).items())
def test_a_sheet_says_that_its_subject_is_dead(
    read_vault: ReadVault, name: str, sheet: str
) -> None:
    sheets = {f"People/{one}.md": text for one, text in by_name(DEAD).items()}
    assert status(read_vault(sheets), name) == "dead", sheet


LEFT_OPEN = ["- **Status:** Alive", "Died: unknown", "Status: presumed dead", "Death: not yet"]


@pytest.mark.parametrize(("name", "sheet"), by_name(LEFT_OPEN).items())
def test_a_sheet_that_leaves_it_open_says_nothing(
    read_vault: ReadVault, name: str, sheet: str
) -> None:
    sheets = {f"People/{one}.md": PERSON + text for one, text in by_name(LEFT_OPEN).items()}
    assert status(read_vault(sheets), name) is None, sheet


def test_a_word_behind_a_name_says_that_it_is_one_of_the_dead(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault(
        {**PEOPLE, "Cast.md": "# Family\n- [[Orla Finch]] (deceased)\n- [[Tavin Reede]] (miller)"}
    )
    session = open_vault(root)
    session.call("sync", {})
    assert status(session, "Orla Finch") == "dead"
    assert status(session, "Tavin Reede") is None


def test_a_word_behind_a_full_name_of_which_a_part_is_known_says_it_too(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    sheet = "- Son: [[Tavin Reede|Tavin]] Reede\n- Sister: [[Orla Finch|Orla]] Finch - **Dead**"
    session = open_vault(write_vault({**PEOPLE, "People/Ida Finch.md": PERSON + sheet}))
    session.call("sync", {})
    assert status(session, "Orla Finch") == "dead"
    assert status(session, "Tavin Reede") is None


LINES = [
    ("de", "- Grab von [[{0}]]", True),
    ("de", "- [[{0}]] am Tor erschlagen", True),
    ("de", "- Auftrag für [[{0}]] erledigt", False),
    ("de", "- [[{0}]] nicht getötet", False),
    ("de", "- Angeblich Grab von [[{0}]]", False),
    ("de", "- [[{0}]] sah [[Tavin Reede]] erschlagen", False),
    ("es", "- La tumba de [[{0}]]", True),
    ("pt", "- O túmulo da [[{0}]]", True),
    ("it", "- La casa di [[{0}]]", False),
]


@pytest.mark.parametrize(("name", "case"), by_name(LINES).items())
def test_a_line_that_no_parser_reads_says_who_is_dead(
    read_vault: ReadVault, name: str, case: tuple[str, str, bool]
) -> None:
    notes = {"People/Tavin Reede.md": PERSON}
    for one, (language, line, _) in by_name(LINES).items():
        notes[f"People/{one}.md"] = PERSON
        notes[f"Lore/Orte {one}.md"] = f"---\nlanguage: {language}\n---\n{line.format(one)}\n"
    assert status(read_vault(notes), name) == ("dead" if case[2] else None)
