"""Suggests entities that have no note: proper names that the prose keeps using."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from writeros_entities import HIDDEN, MARK, Note, ProposedName, Settings, hookimpl

__version__ = "1"

_HIDDEN_RUN = re.compile(f"{HIDDEN}[{HIDDEN}\n]*")
_APOSTROPHES = str.maketrans("\u2019\u02bc\u2018`", "''''")


@hookimpl
def propose_entities(note: Note, settings: Settings) -> Iterable[ProposedName]:
    """Return every proper name of the note's prose with how often it stands there."""
    if not settings.discovery:
        return []
    from .names import find_names

    skip = [run.span() for run in _HIDDEN_RUN.finditer(note.prose)]
    groups: dict[str, _Group] = defaultdict(_Group)
    for found in find_names(note.prose, skip=skip):
        spelling = " ".join(found.text.replace(MARK, "").split())
        if spelling:
            groups[spelling.translate(_APOSTROPHES).casefold()].add(
                spelling, found.type, found.confidence
            )
    return [group.propose(settings.discovery_needed) for group in groups.values()]


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
