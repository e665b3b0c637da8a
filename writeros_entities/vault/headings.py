"""The headings above a place in a note, outermost first."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
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


class Sections:
    """The headings of a note, for its chunks."""

    def __init__(self, note: Note) -> None:
        self._note = note
        self._starts = [heading.start for heading in note.headings]
        self._paths = heading_paths(note.headings)

    def above_text(self, start: int, end: int) -> Path:
        """Return the headings above the first text of a span, or above its end if it has none."""
        last = bisect_right(self._starts, start) - 1
        begin = start
        while last + 1 < len(self._starts) and self._starts[last + 1] < end:
            begin = max(begin, self._note.headings[last].end) if last >= 0 else begin
            if self._note.text[begin : self._starts[last + 1]].strip():
                break
            last += 1
        return self._paths[last] if last >= 0 else ()

    def between(self, start: int, end: int, heading: str) -> str | None:
        """Return where headings begin in a chunk, as `heading_at` reads it.

        `heading` is what stands above the chunk's first text; None if it stands above all of it.
        """
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        paths = [HEADING_SEPARATOR.join(path) for path in self._paths[first:last]]
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
