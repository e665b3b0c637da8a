"""Where a name is written, and what a new name would change: `find_uses`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from writeros_entities.session import Session

from ..databases import Databases, one_engine

databases = one_engine

ADA = """\
---
type: person
aliases: [The Wren, Ada]
---
# Ada Vance

Ada Vance keeps the mill. %% Ada Vance dies in the end. %%
"""
RUTH = """\
---
type: person
tags: [ada-vance]
child: Ada Vance
---
Mother of [[Ada Vance|her Ada Vance]]. #AdaVance

By the river:: Ada Vance

`Ada Vance` and [the girl](Ada%20Vance.md) ![[Ada Vance.png]]
"""
ONE = """\
---
sequence: 1
---
Ada ran. “ADA VANCE!” said Ruth Vance. ![[Ada Vance]]

- [ ] Where does Ada Vance sleep?

The wren flew. Ada’s hat fell.
"""
TWO = "---\nsequence: 2\n---\nThe Wren wept at the Ada Vance Hall.\n"
CANVAS = """\
{"nodes": [
{"id": "1", "type": "file", "file": "Cast/Ada Vance.md"},
{"id": "2", "type": "text", "text": "about Ada Vance"}], "edges": []}
"""
VAULT = {
    "Cast/Ada Vance.md": ADA,
    "Cast/Ruth Vance.md": RUTH,
    "Cast/Marsh.md": "---\ntype: person\naliases: [Ada Marsh]\n---\nOf the marsh.\n",
    "Cast/Ada Vance Hall.md": "---\ntype: place\n---\nA hall.\n",
    "Book/1 One.md": ONE,
    "Book/2 Two.md": TWO,
    "Ada Vance at home/Rooms.md": "Four, and [[Ada Marsh]].\n",
    "Board.canvas": CANVAS,
    "All.base": 'filters:\n  and:\n    - file.hasLink("Ada Vance")\n',
    "Templates/Scene.md": "[[Ada Vance]], or not Ada Vance\n",
}


@pytest.fixture(scope="module")
def vault(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    root = tmp_path_factory.mktemp("uses")
    for path, text in VAULT.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    with Session.open(root, database=databases.create(), embedding_model="") as session:
        session.call("sync", {})
        yield session


def told(session: Session, **asked: object) -> list[tuple[str, int | None, str, str]]:
    answer = session.call("find_uses", {"entity": "Ada Vance", **asked}).model_dump()
    assert answer["total"] == len(answer["uses"])
    return [(one["path"], one["line"], one["kind"], one["surface"]) for one in answer["uses"]]


def test_every_place_of_a_name_is_found_with_what_it_is(vault: Session) -> None:
    assert told(vault) == [
        ("Book/1 One.md", 4, "mention", "Ada"),
        ("Book/1 One.md", 4, "mention", "ADA VANCE"),
        ("Book/1 One.md", 4, "embed", "![[Ada Vance]]"),
        ("Book/1 One.md", 6, "comment", "Ada Vance"),
        ("Book/1 One.md", 8, "mention", "Ada"),
        ("Book/2 Two.md", 4, "mention", "The Wren"),
        ("Book/2 Two.md", 4, "text", "Ada Vance"),
        ("Ada Vance at home", None, "folder", "Ada Vance"),
        ("Ada Vance at home/Rooms.md", 1, "other_link", "Ada"),
        ("All.base", 3, "base", "Ada Vance"),
        ("Board.canvas", 2, "canvas_card", "Ada Vance"),
        ("Board.canvas", 3, "canvas_text", "Ada Vance"),
        ("Cast/Ada Vance Hall.md", None, "file", "Ada Vance"),
        ("Cast/Ada Vance.md", None, "note", "Ada Vance"),
        ("Cast/Ada Vance.md", 3, "alias", "The Wren"),
        ("Cast/Ada Vance.md", 3, "alias", "Ada"),
        ("Cast/Ada Vance.md", 5, "heading", "Ada Vance"),
        ("Cast/Ada Vance.md", 7, "mention", "Ada Vance"),
        ("Cast/Ada Vance.md", 7, "comment", "Ada Vance"),
        ("Cast/Marsh.md", 3, "alias", "Ada"),
        ("Cast/Ruth Vance.md", 3, "tag", "ada-vance"),
        ("Cast/Ruth Vance.md", 4, "property", "Ada Vance"),
        ("Cast/Ruth Vance.md", 6, "link", "[[Ada Vance|her Ada Vance]]"),
        ("Cast/Ruth Vance.md", 6, "link_text", "Ada Vance"),
        ("Cast/Ruth Vance.md", 6, "tag", "AdaVance"),
        ("Cast/Ruth Vance.md", 8, "property", "Ada Vance"),
        ("Cast/Ruth Vance.md", 10, "code", "Ada Vance"),
        ("Cast/Ruth Vance.md", 10, "link", "[the girl](Ada%20Vance.md)"),
        ("Cast/Ruth Vance.md", 10, "other_link", "Ada Vance"),
        ("Templates/Scene.md", 1, "link", "[[Ada Vance]]"),
        ("Templates/Scene.md", 1, "text", "Ada Vance"),
    ]


def test_words_that_name_somebody_else_say_whom(vault: Session) -> None:
    answer = vault.call("find_uses", {"entity": "Ada Vance", "only": ["text"]})
    assert "- line 4, text: The Wren wept at the **Ada Vance** Hall. *(Ada Vance Hall)*" in (
        answer.as_text()
    )


def test_a_word_in_small_letters_is_no_name(vault: Session) -> None:
    assert not [one for one in told(vault) if one[3] == "The wren"]


def test_a_new_name_tells_what_changes_what_stays_and_what_has_it(vault: Session) -> None:
    asked = {"entity": "Ada Vance", "renamed_to": "Ada Marsh", "limit": 1}
    answer = vault.call("find_uses", asked)
    assert answer.as_text() == (
        "Ada Vance (person): 1 of 31 uses\n\n"
        "Renamed to “Ada Marsh”:\n"
        "- Obsidian changes: note × 1, link × 3, embed × 1, canvas card × 1\n"
        "- What stays as it is: file × 1, folder × 1, link text × 1, other link × 2, alias × 3, "
        "property × 2, tag × 2, heading × 1, mention × 5, text × 2, canvas text × 1, base × 1, "
        "code × 1, comment × 2\n"
        "- Mind: Marsh (person) is called that.\n"
        "- Mind: Ada Vance at home/Rooms.md has a link by that name that leads nowhere yet: it "
        "would lead here.\n\n"
        "**Book/1 One.md**\n\n"
        "- line 4, mention: **Ada** ran. “ADA VANCE!” said Ruth Vance. ![[Ada Vance]] *(stays)*\n\n"
        "1 of 31 uses shown (limit, offset)."
    )


@pytest.mark.parametrize(
    ("name", "reasons"),
    [
        ("Ruth Vance", ["Cast/Ruth Vance.md has that name: a link by it could lead to either."]),
        ("Ada: a life", ["Obsidian allows no : in the name of a note."]),
        ("Ada Reed", []),
    ],
)
def test_a_new_name_that_is_taken_or_not_allowed_is_told(
    vault: Session, name: str, reasons: list[str]
) -> None:
    answer = vault.call("find_uses", {"entity": "Ada Vance", "renamed_to": name}).model_dump()
    assert [one["reason"] for one in answer["collisions"]][: len(reasons)] == reasons
    assert bool(answer["collisions"]) is bool(reasons)


def test_as_of_a_chapter_nothing_is_found_that_is_not_told_by_then(vault: Session) -> None:
    assert told(vault, as_of=1) == [
        ("Book/1 One.md", 4, "mention", "Ada"),
        ("Book/1 One.md", 4, "mention", "ADA VANCE"),
        ("Book/1 One.md", 4, "embed", "![[Ada Vance]]"),
        ("Book/1 One.md", 8, "mention", "Ada"),
    ]


def test_what_has_no_note_is_named_by_links_that_stay(databases: Databases, tmp_path: Path) -> None:
    (tmp_path / "Bo.md").write_text("He lives in [[Old Mill]], the Old Mill.\n")
    with Session.open(tmp_path, database=databases.create(), embedding_model="") as session:
        session.call("sync", {})
        answer = session.call("find_uses", {"entity": "Old Mill", "renamed_to": "New Mill"})
        uses = answer.model_dump()["uses"]
        assert [(one["kind"], one["is_changed"]) for one in uses] == [
            ("link", False),
            ("mention", False),
        ]
        assert "- It has no note to rename; its links stay: link × 1" in answer.as_text()


def test_a_file_that_has_changed_since_the_last_sync_is_told_as_it_was_indexed(
    databases: Databases, tmp_path: Path
) -> None:
    note = tmp_path / "Bo Finch.md"
    note.write_text("---\ntype: person\nold: Bo Finch\n---\nBo Finch fell.\n")
    with Session.open(tmp_path, database=databases.create(), embedding_model="") as session:
        session.call("sync", {})
        note.write_text("---\ntype: person\n---\nNew words about Bo Finch.\n")
        uses = session.call("find_uses", {"entity": "Bo Finch"}).model_dump()["uses"]
        assert [(one["line"], one["text"]) for one in uses] == [
            (None, "Bo Finch.md"),
            (5, "Bo Finch fell."),
        ]
