"""Copies of notes that a sync service or a file manager left behind."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from sqlalchemy import select

from writeros_entities.query.vault.status import Problem
from writeros_entities.store import rows

if TYPE_CHECKING:
    from writeros_entities.store.view import View

NEARLY_SAME = 0.9
"""From this similarity on, two notes are one and its copy: 1 is equal, 0 has nothing in common."""

LONG = 20_000
"""Characters from which texts are compared line by line: the time grows with the square."""

_NUMBERED = re.compile(r"(?P<stem>.*[^/]) [2-9]\.md", re.DOTALL)


def conflict_copies(view: View) -> list[Problem]:
    """Return files that a sync service left behind as conflict copies."""
    note = view.note
    statement = select(note.c.path).where(note.c.kind == "conflict").order_by(note.c.path)
    return [
        Problem("warning", "conflict-copy", row.path, "A conflict copy; it is not read.")
        for row in view.all(statement)
    ]


def near_copies(view: View) -> list[Problem]:
    """Return notes called `name 2.md`, as iCloud and Finder call a copy, that say what `name.md`
    says, or nearly.
    """
    note = view.note
    found = view.all(select(note.c.id, note.c.path).where(note.c.kind == "note"))
    ids = {row.path: row.id for row in found}
    originals = {
        path: original
        for path in sorted(ids)
        if (numbered := _NUMBERED.fullmatch(path)) and (original := f"{numbered['stem']}.md") in ids
    }
    texts = _texts(view, {ids[path] for pair in originals.items() for path in pair})
    problems = []
    for path, original in originals.items():
        if likeness(texts[ids[path]], texts[ids[original]]) >= NEARLY_SAME:
            message = f"It says the same as {original!r}, or nearly: a copy? Both are read."
            problems.append(Problem("warning", "near-copy", path, message))
    return problems


def likeness(one: str, other: str) -> float:
    """Return how alike two texts are, in 0-1: 1 less the insertions and deletions that make one
    into the other, out of the characters (in long texts: lines) of both.
    """
    from rapidfuzz.distance import Indel

    if max(len(one), len(other)) > LONG:
        return Indel.normalized_similarity(one.splitlines(), other.splitlines())
    return Indel.normalized_similarity(one, other)


def _texts(view: View, note_ids: Iterable[int]) -> dict[int, str]:
    chunk = view.chunk
    texts: dict[int, str] = defaultdict(str)
    for batch in rows.batches(sorted(note_ids)):
        statement = (
            select(chunk.c.note_id, chunk.c.text)
            .where(chunk.c.note_id.in_(batch))
            .order_by(chunk.c.note_id, chunk.c.ordinal)
        )
        for row in view.all(statement):
            texts[row.note_id] += row.text
    return texts
