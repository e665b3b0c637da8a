"""From a note and a lexicon to mentions with candidates."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import NamedTuple
from weakref import WeakKeyDictionary

from writeros_entities import ALWAYS, Candidate, Lexicon, Mention, Note

from .evidence import (
    acts,
    capital_reason,
    follows_title,
    has_gender,
    reads_as_verb,
    stands_beside_another_name,
    starts_sentence,
    title_before,
)
from .folding import fold_prose
from .links import LinkedText, linked_texts
from .matching import Gazetteer, Hit
from .spellings import Verdict, best, position, ranked
from .words import Words

CAPITAL = 0.9
"""How much a name that is a common word keeps where only a capital speaks for it."""

ACTING = "what only somebody does, right behind"

OFTEN = 3
"""So many capitals inside sentences of a note make a name of a part that is also a word."""

GIVEN = 0.6
"""The weight from which a part of a name is no bare surname."""

PART = 0.5
"""The weight of a bare surname."""

TITLED = 0.15
"""How much surer a part of a name is behind a title."""

_OWN = frozenset({"name", "alias"})
"""Kinds of names that are no part of a longer one."""

_gazetteers: WeakKeyDictionary[Lexicon, Gazetteer] = WeakKeyDictionary()


def detect(note: Note, lexicon: Lexicon, common_words: tuple[str, ...] = ()) -> list[Mention]:
    """Return the mentions of the lexicon's entities in a note, overlapping ones too, in order."""
    gazetteer = gazetteer_of(lexicon, common_words)
    text = fold_prose(note)
    surroundings = _Surroundings(note, linked_texts(note, gazetteer.targets) if note.links else [])
    found = _Found()
    doubtful: list[_Doubtful] = []
    titled: list[_Titled] = []
    for hit in gazetteer.find(text):
        start, end = text.source_span(hit[0], hit[1])
        candidates, unsure, named = surroundings.judge(hit, start, end)
        title = title_before(text.plain, hit[0]) if hit[2].may_be_titled else 0
        if title and candidates and not surroundings.is_in_link(start, end):
            titled.append(
                _Titled(
                    text.source_start(hit[0] - title),
                    start,
                    end,
                    candidates,
                    has_gender(text.plain[hit[0] - title : hit[0]]),
                )
            )
        elif candidates:
            found.add(start, end, candidates)
        if named:
            found.named.append(named)
        if unsure:
            word = text.plain[hit[0] : hit[1]]
            capital = capital_reason(note, start, end)
            doubtful.append(_Doubtful(start, end, word, unsure, hit[2].is_plural, capital))
    found.add_titled(titled, lexicon)
    found.add_links(surroundings.texts)
    if doubtful:
        often = Counter(entity for place in doubtful for entity in place.named_by_capital())
        found.named += [place.named_in_full(surroundings.words, often) for place in doubtful]
        supported = {**found.supported(), **_own_entities(note, lexicon, doubtful)}
        for place in doubtful:
            found.add(place.start, place.end, best(place.borne_out(note, supported)))
    return found.mentions(note)


def gazetteer_of(lexicon: Lexicon, common_words: tuple[str, ...] = ()) -> Gazetteer:
    """Return the gazetteer of a lexicon, built once for as long as the lexicon lives."""
    gazetteer = _gazetteers.get(lexicon)
    if gazetteer is None or gazetteer.more_common_words != common_words:
        gazetteer = _gazetteers[lexicon] = Gazetteer(lexicon, common_words)
    return gazetteer


class _Surroundings:
    """Looks around a hit, for nothing that makes no difference to it."""

    def __init__(self, note: Note, texts: Sequence[LinkedText]) -> None:
        self.texts = texts
        self._note = note
        self._plain = fold_prose(note).plain
        self.words = Words(self._plain)
        self._link_starts = [linked.start for linked in texts]

    def judge(self, hit: Hit, start: int, end: int) -> Verdict:
        """Return what a hit stands for, which is at `start:end` of the note."""
        hit_start, hit_end, spelling = hit
        in_link = bool(self.texts) and self.is_in_link(start, end)
        if spelling.stands_alone:
            return spelling.judge(in_link)
        plain = self._plain
        opens_sentence = spelling.may_open_sentence and starts_sentence(self._note, start)
        return spelling.judge(
            in_link,
            opens_sentence,
            spelling.has_part
            and (
                stands_beside_another_name(plain, hit_start, hit_end)
                or (spelling.is_plural and follows_title(plain, hit_start))
                or (spelling.has_head_noun and plain.startswith(" of ", hit_end))
            ),
            spelling.may_be_half and _is_hyphenated(plain, hit_start, hit_end),
            tuple(filter(self.words.have, spelling.words)) if opens_sentence else (),
        )

    def is_in_link(self, start: int, end: int) -> bool:
        """Tell whether a span is part of what a link displays."""
        at = bisect_right(self._link_starts, start) - 1
        return at >= 0 and end <= self.texts[at].end


@dataclass(frozen=True, slots=True)
class _Doubtful:
    """A place where a name is also a common word."""

    start: int
    end: int
    word: str
    candidates: tuple[Candidate, ...]
    is_plural: bool
    capital: str | None

    def named_by_capital(self) -> list[str]:
        """Return whom the word names here because of its capital."""
        if self.capital is None or self.is_plural:
            return []
        return [candidate.entity for candidate in self.candidates]

    def named_in_full(self, words: Words, often: Mapping[str, int]) -> list[tuple[str, float]]:
        """Return whom the word names here as plainly as a full name would, and since when.

        Those whose name it is, and not a part of it, unless the note has it `often`, where the
        capital says so and the note has no such word in small letters.
        """
        if self.capital is None or self.is_plural or words.have(self.word.lower()):
            return []
        return [
            (candidate.entity, position(candidate.known_from))
            for candidate in self.candidates
            if candidate.method in _OWN or often[candidate.entity] >= OFTEN
        ]

    def borne_out(self, note: Note, supported: Mapping[str, float]) -> Iterator[Candidate]:
        """Return the candidates for which the note speaks, with what it says.

        `supported` are the entities that the note names plainly, each with the position since when.
        """
        if reads_as_verb(note, self.start, self.end):
            return
        acting = ACTING if acts(note, self.start, self.end) else None
        for candidate in self.candidates:
            capital = self.capital or acting
            support = supported.get(candidate.entity)
            in_full = (*candidate.reasons, "named in full in this note")
            if support is not None and support <= position(candidate.known_from):
                yield replace(candidate, reasons=in_full)
            elif capital is not None:
                score = candidate.score * CAPITAL
                yield replace(candidate, score=score, reasons=(*candidate.reasons, capital))
            elif support is not None and not self.is_plural:
                known_from = None if support == inf else int(support)
                yield replace(candidate, known_from=known_from, reasons=in_full)


def _own_entities(note: Note, lexicon: Lexicon, doubtful: Iterable[_Doubtful]) -> dict[str, float]:
    """Return those whose own sheet a note is: its name is above it."""
    entities = {candidate.entity for place in doubtful for candidate in place.candidates}
    return {
        entity: ALWAYS
        for entity in entities
        if entity in lexicon.entities and lexicon.entities[entity].note_path == note.path
    }


class _Titled(NamedTuple):
    """A place where a title stands before a name, from `title` on; has the title a gender?"""

    title: int
    start: int
    end: int
    candidates: tuple[Candidate, ...]
    has_gender: bool

    def raised(self) -> tuple[Candidate, ...]:
        """Return the candidates, for whom the title speaks unless it may be another's."""
        return tuple(
            replace(each, score=max(each.score, min(CAPITAL, each.score + TITLED)))
            if each.score >= (GIVEN if self.has_gender else PART)
            else each
            for each in self.candidates
        )


def _is_nobody_else(place: _Titled, rivals: Sequence[Candidate], lexicon: Lexicon) -> bool:
    """Tell whether a name that was only suggested is the title of one who has a note.

    A surname behind a title that has a gender may be the wife's, the brother's or the aunt's.
    """
    one, *others = place.candidates
    return (
        not others
        and lexicon.entities[one.entity].status == "noted"
        and one.score >= (GIVEN if place.has_gender else PART)
        and all(
            lexicon.entities[rival.entity].status == "suggested"
            and position(one.known_from) <= position(rival.known_from)
            for rival in rivals
        )
    )


@dataclass(slots=True)
class _Found:
    """What has been found in one note so far."""

    spans: dict[tuple[int, int], tuple[Candidate, ...]] = field(default_factory=dict)
    named: list[Iterable[tuple[str, float]]] = field(default_factory=list)
    linked: dict[tuple[int, int], tuple[str, ...]] = field(default_factory=dict)

    def add(self, start: int, end: int, candidates: tuple[Candidate, ...]) -> None:
        """Keep the candidates, unless the same entity is there by a better name."""
        known = self.spans.get((start, end))
        self.spans[start, end] = candidates if known is None else best((*known, *candidates))

    def add_titled(self, titled: Iterable[_Titled], lexicon: Lexicon) -> None:
        """Keep candidates together with the title before them, unless that is a name by itself.

        What is only suggested, since nobody was known to be called so, is no such name.
        """
        named = dict(self.spans)
        for place in titled:
            title, start, end, candidates = place.title, place.start, place.end, place.raised()
            rivals = named.get((title, end))
            if rivals is None:
                self.add(title, end, candidates)
            elif _is_nobody_else(place, rivals, lexicon):
                self.spans[title, end] = candidates
            else:
                self.add(start, end, candidates)

    def supported(self) -> Mapping[str, float]:
        """Return the entities that the note names plainly, each with the position since when."""
        supported: dict[str, float] = {}
        for entity, since in (each for named in self.named for each in named):
            supported[entity] = min(since, supported.get(entity, inf))
        return supported | {entity: ALWAYS for linked in self.linked.values() for entity in linked}

    def add_links(self, texts: Sequence[LinkedText]) -> None:
        """Make the text of each link a certain mention of what it points to."""
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
        """Return the longest mention of the target in a text that shows a path or a heading."""
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
        """Return what was found as mentions; where a link speaks, its rivals score nothing."""
        mentions = []
        links = sorted(self.linked)
        for start, end in sorted(self.spans, key=lambda span: (span[0], -span[1])):
            chosen = self.spans.pop((start, end))  # freed at once: may be many
            if links:
                chosen = self._heed_links(start, end, chosen, links)
            if chosen:
                mentions.append(Mention(start, end, note.text[start:end], chosen))
        return mentions

    def _heed_links(
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


def _is_hyphenated(plain: str, start: int, end: int) -> bool:
    """Tell whether a one-word name is half of a longer one: "Anne-Marie", not "Wren-like"."""
    if plain.startswith("-", end) and plain[end + 1 : end + 2].isupper():
        return True
    return plain.endswith("-", 1, start) and plain[start - 2].isalpha() and plain[start].isupper()
