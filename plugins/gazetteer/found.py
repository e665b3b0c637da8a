"""The candidates found in a note so far, and what the text of its links makes certain."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf

from writeros_entities import ALWAYS, Candidate, Lexicon, Mention, Note

from .links import LinkedText
from .spellings import best, ranked
from .titled import Titled


@dataclass(slots=True)
class Found:
    """The candidates found in one note so far.

    `spans` has the candidates of each span, `linked` the entities of each link's text; `named` has
    the (entity, position) pairs of entities that the note names clearly.
    """

    spans: dict[tuple[int, int], tuple[Candidate, ...]] = field(default_factory=dict)
    named: list[Iterable[tuple[str, float]]] = field(default_factory=list)
    linked: dict[tuple[int, int], tuple[str, ...]] = field(default_factory=dict)

    def add(self, start: int, end: int, candidates: tuple[Candidate, ...]) -> None:
        """Add candidates to a span, keeping the best one for each entity."""
        known = self.spans.get((start, end))
        self.spans[start, end] = candidates if known is None else best((*known, *candidates))

    def add_titled(self, titled: Iterable[Titled], lexicon: Lexicon) -> None:
        """Add candidates with the title before them included, unless title and name are a name
        themselves.

        A name that is merely suggested, because nobody was known by it, does not count.
        """
        named = dict(self.spans)
        for place in (one.fitting(lexicon) for one in titled):
            title, start, end, candidates = place.title, place.start, place.end, place.raised()
            rivals = named.get((title, end))
            if not candidates:
                continue
            if rivals is None:
                self.add(title, end, candidates)
            elif place.is_nobody_else(rivals, lexicon):
                self.spans[title, end] = candidates
            else:
                self.add(start, end, candidates)

    def supported(self) -> Mapping[str, float]:
        """Return the entities that the note names clearly, with the position from which it does."""
        supported: dict[str, float] = {}
        for entity, since in (each for named in self.named for each in named):
            supported[entity] = min(since, supported.get(entity, inf))
        return supported | {entity: ALWAYS for linked in self.linked.values() for entity in linked}

    def add_links(self, texts: Sequence[LinkedText]) -> None:
        """Make the text of each link a certain mention of its target."""
        spans = sorted(self.spans) if texts else []
        for linked in texts:
            if not linked.entities:
                continue
            span = linked.start, linked.end
            if not linked.is_renamed:
                span = self._named_within(linked, spans) or span
            self.linked[span] = linked.entities
            candidates = {candidate.entity: candidate for candidate in self.spans.get(span, ())}
            for entity in linked.entities:
                form = candidates[entity].form if entity in candidates else linked.text
                reasons = ("the link here names it",)
                candidates[entity] = Candidate(entity, 1.0, "link", form, ALWAYS, reasons)
            self.spans[span] = tuple(candidates.values())

    def _named_within(
        self, linked: LinkedText, spans: Sequence[tuple[int, int]]
    ) -> tuple[int, int] | None:
        """Return the longest mention of the target in a link that displays a path or a heading."""
        first = bisect_left(spans, (linked.start, 0))
        last = bisect_left(spans, (linked.end, 0))
        within = [
            (start - end, start, end)
            for start, end in spans[first:last]
            if end <= linked.end
            and any(candidate.entity in linked.entities for candidate in self.spans[start, end])
        ]
        return min(within)[1:] if within else None

    def mentions(self, note: Note) -> list[Mention]:
        """Return the mentions found, and clear the spans; a link's target outranks rivals."""
        mentions = []
        links = sorted(self.linked)
        for start, end in sorted(self.spans, key=lambda span: (span[0], -span[1])):
            chosen = self.spans.pop((start, end))  # freed at once: may be many
            if links:
                chosen = self._apply_links(start, end, chosen, links)
            if chosen:
                mentions.append(Mention(start, end, note.text[start:end], chosen))
        return mentions

    def _apply_links(
        self,
        start: int,
        end: int,
        candidates: tuple[Candidate, ...],
        links: Sequence[tuple[int, int]],
    ) -> tuple[Candidate, ...]:
        if (start, end) in self.linked:
            entities = self.linked[start, end]
            return ranked(
                candidate
                if candidate.entity in entities
                else replace(candidate, score=0.0, reasons=("the link here names another",))
                for candidate in candidates
            )
        at = bisect_left(links, (end, 0)) - 1
        while at >= 0 and links[at][1] > start:
            link_start, link_end = links[at]
            if start < link_start or end > link_end:
                entities = self.linked[links[at]]
                candidates = tuple(each for each in candidates if each.entity in entities)
            at -= 1
        return candidates
