"""The headings above a place in a note, outermost first."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING

from writeros_entities.values import HEADING_SEPARATOR

if TYPE_CHECKING:
    from writeros_entities.values import Heading, Note

Path = tuple[str, ...]


def heading_paths(headings: Sequence[Heading]) -> list[Path]:
    """Return, for each heading of a note, the headings above it and itself."""
    above: list[Heading] = []
    paths = []
    for heading in headings:
        above = [*(one for one in above if one.level < heading.level), heading]
        paths.append(tuple(one.text for one in above))
    return paths


def path_above_text(note: Note, start: int, end: int) -> Path:
    """Return the headings above the first text of a span, or the last heading if it has no text."""
    path: Path = ()
    for heading, own in zip(note.headings, heading_paths(note.headings), strict=True):
        if heading.start >= end or note.text[start : heading.start].strip():
            break
        path, start = own, max(start, heading.end)
    return path


class Sections:
    """The headings of a note, for its chunks."""

    def __init__(self, headings: Sequence[Heading]) -> None:
        self._starts = [heading.start for heading in headings]
        self._paths = [HEADING_SEPARATOR.join(path) for path in heading_paths(headings)]

    def between(self, start: int, end: int, heading: str) -> str | None:
        """Return where headings begin in a chunk, as `heading_at` reads it.

        `heading` is what stands above the chunk's first text; None if it stands above all of it.
        """
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        paths = self._paths[first:last]
        if all(path == heading for path in paths):
            return None
        offsets = (begin - start for begin in self._starts[first:last])
        return "\n".join(
            f"{offset} {' '.join(path.split())}"
            for offset, path in zip(offsets, paths, strict=True)
        )


def heading_at(heading: str | None, sections: str | None, offset: int) -> str:
    """Return the headings above an offset of a chunk, by what is stored of the chunk."""
    found = heading or ""
    for line in sections.split("\n") if sections else ():
        start, _, path = line.partition(" ")
        if int(start) > offset:
            break
        found = path
    return found
