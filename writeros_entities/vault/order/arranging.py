"""Arrange the notes of a manuscript as the writer has decided.

arrange({"One.md": 1, "Two.md": 2, "Three.md": 3}, [["Three.md", "One.md"]])
# {"Two.md": 2, "Three.md": 3, "One.md": 4}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(slots=True)
class _Place:
    """Notes with one place, and its number, if no decision has moved them."""

    number: int | None
    paths: list[str]


def arrange(positions: Mapping[str, int], sequences: Sequence[Sequence[str]]) -> dict[str, int]:
    """Return positions in which the notes of each sequence follow each other.

    The first of them that has a place keeps it, and the others of its sequence stand beside it; if
    none has one, they come last. Later sequences go before earlier ones. All other notes keep their
    numbers, as far as what is before them leaves them free.
    """
    if not sequences:
        return dict(positions)
    places: dict[int, _Place] = {}
    for path in sorted(positions, key=lambda path: (positions[path], path)):
        places.setdefault(positions[path], _Place(positions[path], [])).paths.append(path)
    line = list(places.values())
    for sequence in sequences:
        _move(line, list(dict.fromkeys(sequence)))
    return _numbered([place for place in line if place.paths])


def _move(line: list[_Place], sequence: Sequence[str]) -> None:
    placed = {path for place in line for path in place.paths}
    anchor = next((path for path in sequence if path in placed), None)
    others = [path for path in sequence if path != anchor]
    for place in line:
        place.paths = [path for path in place.paths if path not in others]
    if anchor is None:
        line += [_Place(None, [path]) for path in sequence]
        return
    at = next(number for number, place in enumerate(line) if anchor in place.paths)
    cut = sequence.index(anchor)
    line[at + 1 : at + 1] = [_Place(None, [path]) for path in sequence[cut + 1 :]]
    line[at:at] = [_Place(None, [path]) for path in sequence[:cut]]


def _numbered(line: Sequence[_Place]) -> dict[str, int]:
    first = next((at for at, place in enumerate(line) if place.number is not None), len(line))
    own = line[first].number if first < len(line) else None
    last = 0 if own is None else own - first - 1
    positions: dict[str, int] = {}
    for place in line:
        last = max(last + 1, last + 1 if place.number is None else place.number)
        positions |= dict.fromkeys(place.paths, last)
    return positions
