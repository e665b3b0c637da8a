"""In which tense a scene is told: rules of continuity are given it with the scene."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from writeros_entities.session import Session
from writeros_entities.story.loading import load_story

from ..databases import Databases

CHAPTERS: dict[str, tuple[str, list[str]]] = {
    "verbs behind names and pronouns": (
        "Ann Hale laughs. He shuts the gate.\n\n---\n\nAnn Hale laughed. He shut the gate.",
        ["present", "past"],
    ),
    "forms of be, have and do, wherever they stand": (
        "The sea is grey, the boats are in.\n\n---\n\nThe sea was grey. The boats had come.",
        ["present", "past"],
    ),
    "a narrator who is I": (
        "I go down. I'm cold, and they know it.\n\n---\n\nI went down. We knew it.",
        ["present", "past"],
    ),
    "what is said does not count": (
        'Ann Hale nodded. "He is here, he lives, he walks," said Ann Hale.',
        ["past"],
    ),
    "what holds at all times is outvoted": (
        "Ann Hale rowed home. Whoever rows is warm. She tied up and went in.",
        ["past"],
    ),
    "what is remembered is outvoted": (
        "Ann Hale rows home. She remembers how he laughed. The boat is wet. She ties it up.",
        ["present"],
    ),
    "a noun in -s behind a name is a noun": ("Ann Hale always was. Nobody knew.", ["past"]),
    "as many of both: as the rest of the chapter": (
        "Ann Hale rows. She is cold. It is late.\n\n---\n\nShe remembers how he laughed.",
        ["present", "present"],
    ),
    "behind an aside": ("Ann Hale, in her coat, laughs. Nobody knew.", ["present"]),
    "no verb at all": ("Rain. Nothing but rain.", ["past"]),
}


@pytest.fixture(scope="module")
def session(
    tmp_path_factory: pytest.TempPathFactory, sqlite_databases: Databases
) -> Iterator[Session]:
    root = tmp_path_factory.mktemp("tenses")
    (root / ".obsidian").mkdir()
    (root / "Ann Hale.md").write_text("---\ntype: person\n---\nShe was a surveyor.", "utf-8")
    (root / "Manuscript").mkdir()
    with Session.open(root, database=sqlite_databases.create(), workers=0) as session:
        yield session


@pytest.mark.parametrize(("chapter", "expected"), CHAPTERS.values(), ids=CHAPTERS)
def test_a_scene_is_told_in_the_tense_of_most_of_its_verbs(
    session: Session, chapter: str, expected: list[str]
) -> None:
    (Path(session.root) / "Manuscript" / "01 - One.md").write_text(chapter, "utf-8")
    session.call("sync", {})
    with session.view() as view:
        story = load_story(view)
    assert [scene.tense for scene in story.scenes] == expected
    assert [section.tense for section in story.sections] == [None]
