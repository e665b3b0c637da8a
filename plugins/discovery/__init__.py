"""Suggests entities that have no note: proper names that the prose keeps using."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from writeros_entities import HIDDEN, MARK, Note, ProposedName, Settings, hookimpl

if TYPE_CHECKING:
    from .names import FoundName

__version__ = "2"

PAGE = 300_000
"""Characters that are read at once, as a chapter is: a longer note is read page by page."""

_HIDDEN_RUN = re.compile(f"{HIDDEN}[{HIDDEN}\n]*")
_APOSTROPHES = str.maketrans("\u2019\u02bc\u2018`", "''''")


@hookimpl
def propose_entities(note: Note, settings: Settings) -> Iterable[ProposedName]:
    """Return every proper name of the note's prose with how often it stands there."""
    if not settings.discovery:
        return []
    from .names import find_names

    by_text: dict[str, list[FoundName]] = {}
    for page in _pages(note.prose):
        skip = [run.span() for run in _HIDDEN_RUN.finditer(page)]
        for found in find_names(page, skip=skip):
            by_text.setdefault(found.text, []).append(found)
    groups: dict[str, tuple[list[str], list[FoundName]]] = {}
    for text, names in by_text.items():
        spelling = " ".join(text.replace(MARK, "").split())
        if spelling:
            group = groups.setdefault(_fold(spelling), ([], []))
            group[0].extend([spelling] * len(names))
            group[1].extend(names)
    return [_propose(*group, settings.discovery_needed) for group in groups.values()]


def _pages(prose: str) -> Iterator[str]:
    """Cut an overlong text at ends of lines, else between words; others are one page."""
    start = 0
    while len(prose) - start > PAGE:
        end = prose.rfind("\n", start, start + PAGE) + 1
        end = end or prose.rfind(" ", start, start + PAGE) + 1 or start + PAGE
        yield prose[start:end]
        start = end
    yield prose[start:]


def _fold(spelling: str) -> str:
    if not spelling.isascii() or "`" in spelling:
        spelling = spelling.translate(_APOSTROPHES)
    return spelling.casefold()


def _propose(spellings: list[str], names: list[FoundName], needed: int) -> ProposedName:
    """Return a name as it is mostly written, of the type it mostly seems to have."""
    types = [name.type for name in names if name.type is not None]
    return ProposedName(
        _most_common(spellings),
        _most_common(types) if types else None,
        len(names),
        needed,
        max([name.confidence for name in names]),
    )


def _most_common(items: list[str]) -> str:
    if len(items) == items.count(items[0]):
        return items[0]
    counts = Counter(items)
    return min(counts, key=lambda item: (-counts[item], item))
