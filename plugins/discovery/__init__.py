"""Suggests entities that have no note: proper names that the prose keeps using."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from writeros_entities import HIDDEN, MARK, Note, ProposedName, Settings, hookimpl

__version__ = "1"

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

    groups: dict[str, _Group] = defaultdict(_Group)
    for page in _pages(note.prose):
        skip = [run.span() for run in _HIDDEN_RUN.finditer(page)]
        for found in find_names(page, skip=skip):
            spelling = " ".join(found.text.replace(MARK, "").split())
            if spelling:
                groups[spelling.translate(_APOSTROPHES).casefold()].add(
                    spelling, found.type, found.confidence
                )
    return [group.propose(settings.discovery_needed) for group in groups.values()]


def _pages(prose: str) -> Iterator[str]:
    """Cut an overlong text at ends of lines, else between words; others are one page."""
    start = 0
    while len(prose) - start > PAGE:
        end = prose.rfind("\n", start, start + PAGE) + 1
        end = end or prose.rfind(" ", start, start + PAGE) + 1 or start + PAGE
        yield prose[start:end]
        start = end
    yield prose[start:]


@dataclass(slots=True)
class _Group:
    """The places of one name in one note."""

    spellings: Counter[str] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)
    confidence: float = 0.0

    def add(self, spelling: str, entity_type: str | None, confidence: float) -> None:
        self.spellings[spelling] += 1
        if entity_type is not None:
            self.types[entity_type] += 1
        self.confidence = max(self.confidence, confidence)

    def propose(self, needed: int) -> ProposedName:
        """Return the name as it is mostly written, of the type it mostly seems to have."""
        return ProposedName(
            name=_most_common(self.spellings),
            type=_most_common(self.types) if self.types else None,
            count=self.spellings.total(),
            needed=needed,
            confidence=self.confidence,
        )


def _most_common(counts: Counter[str]) -> str:
    return min(counts, key=lambda item: (-counts[item], item))
