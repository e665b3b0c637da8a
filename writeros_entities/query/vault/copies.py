"""Find copies of notes that a sync service or a file manager left behind."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from sqlalchemy import select

from writeros_entities.query.vault.status import Problem

if TYPE_CHECKING:
    from writeros_entities.store.view import View

NEARLY_SAME = 0.9
"""The similarity, 0-1, from which two notes count as an original and its copy."""

LONG = 20_000
"""The number of characters above which texts are compared by line: time grows quadratically."""

_NUMBERED = re.compile(r"(?P<stem>.*[^/]) [2-9]\.md", re.DOTALL)


def conflict_copies(view: View) -> list[Problem]:
    """Return the files that a sync service left behind as conflict copies."""
    note = view.note
    statement = select(note.c.path).where(note.c.kind == "conflict").order_by(note.c.path)
    return [
        Problem("warning", "conflict-copy", row.path, "A conflict copy; it is not read.")
        for row in view.all(statement)
    ]


def near_copies(view: View) -> list[Problem]:
    """Return notes called `name 2.md`, as iCloud and Finder name copies, much like `name.md`."""
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
    """Return the similarity of two texts, in 0-1.

    It is 1 minus the number of insertions and deletions that turn one into the other, divided by
    the number of characters (in long texts: lines) of both.
    """
    from rapidfuzz.distance import Indel

    if max(len(one), len(other)) > LONG:
        return Indel.normalized_similarity(one.splitlines(), other.splitlines())
    return Indel.normalized_similarity(one, other)


def _texts(view: View, note_ids: Iterable[int]) -> dict[int, str]:
    chunk = view.chunk
    texts: dict[int, str] = defaultdict(str)
    statement = select(chunk.c.note_id, chunk.c.text).order_by(chunk.c.note_id, chunk.c.ordinal)
    for row in view.all_among(statement, chunk.c.note_id, sorted(note_ids)):
        texts[row.note_id] += row.text
    return texts
