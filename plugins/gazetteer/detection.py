"""From a note and a lexicon to mentions with candidates."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf

from writeros_entities import ALWAYS, Candidate, Lexicon, Mention, Note

from ..languages.capitals import TextLanguage, goes_on, stands_inside
from ..once import once_for_each
from .doubtful import Doubtful, own_entities
from .evidence import (
    acts,
    addresses,
    begins_line,
    capital_reason,
    ends_line,
    follows_name,
    follows_title,
    gender_of_titles,
    precedes_name,
    starts_sentence,
    title_before,
    word_before,
)
from .links import LinkedText, linked_texts
from .matching import Gazetteer, Hit, Spellings
from .spellings import Verdict, best, ranked
from .titled import Titled
from .words import Words, fold_prose


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


def detect(note: Note, lexicon: Lexicon, common_words: tuple[str, ...] = ()) -> list[Mention]:
    """Return the mentions of the lexicon's entities in a note, including overlapping ones, in
    order.
    """
    gazetteer = Gazetteer(lexicon, common_words, _spellings(lexicon)[common_words])
    text = fold_prose(note)
    surroundings = _Surroundings(note, linked_texts(note, lexicon) if note.links else [])
    found = Found()
    doubtful: list[Doubtful] = []
    titled: list[Titled] = []
    for hit in gazetteer.find(text):
        start, end = text.source_span(hit[0], hit[1])
        candidates, unsure, named = surroundings.judge(hit, start, end)
        title = title_before(text.plain, hit[0]) if hit[2].may_be_titled else 0
        if title and candidates and not surroundings.is_in_link(start, end):
            titled.append(
                Titled(
                    text.source_start(hit[0] - title),
                    start,
                    end,
                    candidates,
                    gender_of_titles(text.plain[hit[0] - title : hit[0]]),
                )
            )
        elif candidates:
            found.add(start, end, candidates)
        if named:
            found.named.append(named)
        if unsure and not addresses(note, start, end):
            word = text.plain[hit[0] : hit[1]]
            evidence = capital_reason(note, start, end) or acts(note, start, end)
            doubtful.append(Doubtful(start, end, word, unsure, hit[2].is_plural, evidence))
    found.add_titled(titled, lexicon)
    found.add_links(surroundings.texts)
    if doubtful:
        often = Counter(entity for place in doubtful for entity in place.named_by_evidence())
        found.named += [place.named_in_full(surroundings.words, often) for place in doubtful]
        supported = {**found.supported(), **own_entities(note, lexicon, doubtful)}
        for place in doubtful:
            found.add(place.start, place.end, best(place.borne_out(note, supported)))
    return found.mentions(note)


@once_for_each
def _spellings(lexicon: Lexicon) -> Mapping[tuple[str, ...], Spellings]:
    """Return what is known of a lexicon's spellings, by the writer's own common words."""
    return defaultdict(Spellings)


class _Surroundings:
    """Examines the context of a hit, as far as its spelling requires it."""

    def __init__(self, note: Note, texts: Sequence[LinkedText]) -> None:
        self.texts = texts
        self._note = note
        self._plain = fold_prose(note).plain
        self.words = Words(self._plain)
        self._language = TextLanguage(note.prose)
        self._link_starts = [linked.start for linked in texts]
        self._inside: dict[str, bool] = {}

    def judge(self, hit: Hit, start: int, end: int) -> Verdict:
        """Return the verdict on a hit at `start:end` of the note."""
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
                (self._follows_name(hit_start, hit_end) and not begins_line(self._note, start))
                or (precedes_name(plain, hit_end) and not ends_line(self._note, end))
                or (spelling.is_plural and follows_title(plain, hit_start))
                or (spelling.has_head_noun and plain.startswith(" of ", hit_end))
            ),
            spelling.may_be_half and _is_hyphenated(plain, hit_start, hit_end),
            tuple(filter(self.words.have, spelling.words)) if opens_sentence else (),
        )

    def _follows_name(self, start: int, end: int) -> bool:
        """Say whether another name directly precedes, rather than a sentence's first word.

        In English, common words are known. In another language, a word is common if the note has it
        in lower case or after an article ("Onkel Tom"), or if it only ever starts sentences: "Puis"
        in "Puis Anna rit".
        """
        if not follows_name(self._plain, start):
            return False
        if self._language.may_be_english:
            return True
        word = word_before(self._plain, start)
        if word in self._language.nouns or self.words.have(word.lower()):
            return False
        if word not in self._inside:
            places = self.words.find(word)
            self._inside[word] = any(stands_inside(self._plain, place) for place in places)
        return self._inside[word] or not goes_on(self._plain, end)

    def is_in_link(self, start: int, end: int) -> bool:
        """Say whether a span is part of the displayed text of a link."""
        at = bisect_right(self._link_starts, start) - 1
        return at >= 0 and end <= self.texts[at].end


def _is_hyphenated(plain: str, start: int, end: int) -> bool:
    """Say whether a one-word name is half of a longer one: "Anne-Marie", but not "Wren-like"."""
    if plain.startswith("-", end) and plain[end + 1 : end + 2].isupper():
        return True
    return plain.endswith("-", 1, start) and plain[start - 2].isalpha() and plain[start].isupper()
