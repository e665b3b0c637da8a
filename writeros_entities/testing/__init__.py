"""Utilities for testing plugins: marked texts, scores, and the contracts of plugins.

A marked text has every expected mention in brackets: `⟦Isolde⟧` if that is the entity's name,
`⟦Izzy→Isolde Marrow⟧` if it is another form.

    text, expected = read_marked("⟦Izzy→Isolde Marrow⟧ knew the road.")
    found = {(mention.start, mention.end, "Isolde Marrow") for mention in my_detector(text)}
    assert score_mentions(expected, found).f1 > 0.97
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from writeros_entities import answers
from writeros_entities.vault.notes import parse_note

if TYPE_CHECKING:
    from writeros_entities.values import ChunkSpan, Note
    from writeros_entities.workspace import Workspace

__all__ = [
    "MarkedSpan",
    "MentionScore",
    "check_chunks",
    "found_mentions",
    "hash_vault",
    "parse_note",
    "read_marked",
    "score_mentions",
]

_MARKED = re.compile("⟦(?P<surface>[^⟦⟧→]+)(?:→(?P<entity>[^⟦⟧→]+))?⟧")

MarkedSpan = tuple[int, int, str]
"""Start and end of a mention, and the name of its entity."""


def read_marked(marked: str) -> tuple[str, set[MarkedSpan]]:
    """Return a marked text without its marks, and the marked spans."""
    parts: list[str] = []
    spans: set[MarkedSpan] = set()
    length = last = 0
    for match in _MARKED.finditer(marked):
        before = marked[last : match.start()]
        surface = match["surface"]
        start = length + len(before)
        spans.add((start, start + len(surface), match["entity"] or surface))
        parts += [before, surface]
        length = start + len(surface)
        last = match.end()
    return "".join([*parts, marked[last:]]), spans


@dataclass(frozen=True, slots=True)
class MentionScore:
    """The agreement of found mentions with expected ones, by exact span and entity."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        """The share of found mentions that are right; 1 if none was found."""
        found = self.right + self.wrong
        return self.right / found if found else 1.0

    @property
    def recall(self) -> float:
        """The share of expected mentions that were found; 1 if none was expected."""
        expected = self.right + self.missed
        return self.right / expected if expected else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        total = 2 * self.right + self.wrong + self.missed
        return 2 * self.right / total if total else 1.0


def score_mentions(expected: Collection[MarkedSpan], found: Collection[MarkedSpan]) -> MentionScore:
    """Compare found mentions with expected ones."""
    right = len(set(expected) & set(found))
    return MentionScore(right, len(set(found)) - right, len(set(expected)) - right)


def found_mentions(workspace: Workspace) -> dict[str, set[MarkedSpan]]:
    """Return all mentions in the index of a workspace's vault, by note."""
    from sqlalchemy import select

    with workspace.view() as view:
        mention, chunk, note, entity = view.mention, view.chunk, view.note, view.entity
        statement = (
            select(note.c.path, mention.c.start, mention.c.end, entity.c.name)
            .join(chunk, chunk.c.note_id == note.c.id)
            .join(mention, mention.c.chunk_id == chunk.c.id)
            .join(entity, entity.c.id == mention.c.entity_id)
        )
        found: dict[str, set[MarkedSpan]] = {}
        for path, start, end, name in view.all(statement):
            found.setdefault(path, set()).add((start, end, name))
    return found


def hash_vault(root: Path) -> str:
    """Return a hash of all paths, file contents and link targets below a folder.

    Only the names and kinds of unreadable files count.
    """
    digest = hashlib.blake2b(digest_size=16)
    for folder, folders, files in os.walk(os.fsencode(root)):
        folders.sort()
        for name in sorted([*folders, *files]):
            path = os.path.join(folder, name)  # noqa: PTH118  # names may be no text
            digest.update(os.path.relpath(path, os.fsencode(root)) + b"\0")
            if os.path.islink(path):  # noqa: PTH114
                digest.update(os.readlink(path))  # noqa: PTH115
            elif os.path.isfile(path) and os.access(path, os.R_OK):  # noqa: PTH113
                digest.update(Path(os.fsdecode(path)).read_bytes())
    return digest.hexdigest()


def check_chunks(note: Note, chunks: Sequence[ChunkSpan]) -> None:
    """Check that chunks keep the chunker's contract; raises AssertionError if not.

    They must be in order, disjoint and not empty, and cover every prose character.
    """
    try:
        answers.check_chunks(note, chunks)
    except (TypeError, ValueError) as error:
        raise AssertionError(str(error)) from error
