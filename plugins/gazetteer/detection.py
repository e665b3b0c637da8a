"""From a note and a lexicon to mentions with candidates."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import inf
from weakref import WeakKeyDictionary

from writeros_entities import ALWAYS, Candidate, Lexicon, Mention, Note

from .evidence import capital_reason, follows_another_name, reads_as_verb, starts_sentence
from .folding import Folded, fold
from .links import LinkedText, linked_texts
from .matching import Form, Gazetteer, Hit

PLURAL = 0.5
"""How much of a name's weight its plural keeps."""

HYPHENATED = 0.5
"""How much a one-word name keeps inside a longer one: "Anne" in "Anne-Marie"."""

CAPITAL = 0.9
"""How much a name that is a common word keeps where only a capital speaks for it."""

SURE = 0.8
"""The weight from which a name, found in a note, supports a weaker one of the same entity."""

_gazetteers: WeakKeyDictionary[Lexicon, Gazetteer] = WeakKeyDictionary()


def detect(note: Note, lexicon: Lexicon, common_words: tuple[str, ...] = ()) -> list[Mention]:
    """Return the mentions of the lexicon's entities in a note, overlapping ones too, in order."""
    gazetteer = gazetteer_of(lexicon, common_words)
    texts = linked_texts(note, gazetteer.targets) if note.links else []
    link_starts = [linked.start for linked in texts]
    found = _Found()
    doubtful: list[tuple[int, int, Hit]] = []
    text = fold(note.prose)
    for hit in gazetteer.find(text):
        start, end = text.source_start(hit.start), text.source_end(hit.end)
        form = hit.form
        in_link = bool(texts) and _is_inside(start, end, texts, link_starts)
        if form.needs_link and not in_link:
            continue
        is_common = form.is_common or _is_common_here(form, text, note, start)
        if is_common and not in_link:
            doubtful.append((start, end, hit))
            continue
        surface = text.plain[hit.start : hit.start + len(form.plain)]
        if form.lacks_capitals(surface) and starts_sentence(note, start):
            continue
        if form.is_part and follows_another_name(text.plain, hit.start):
            continue
        found.add(start, end, _candidate(hit, text))
        if not hit.is_plural and not in_link and form.name.weight >= SURE:
            found.support(form)
    found.add_links(texts)
    for start, end, hit in doubtful:
        candidate = _candidate_of_common_word(start, end, hit, text, note, found)
        if candidate is not None:
            found.add(start, end, candidate)
    return found.mentions(note)


def gazetteer_of(lexicon: Lexicon, common_words: tuple[str, ...] = ()) -> Gazetteer:
    """Return the gazetteer of a lexicon, built once for as long as the lexicon lives."""
    gazetteer = _gazetteers.get(lexicon)
    if gazetteer is None or gazetteer.more_common_words != common_words:
        gazetteer = _gazetteers[lexicon] = Gazetteer(lexicon, common_words)
    return gazetteer


@dataclass(slots=True)
class _Found:
    """What has been found in one note so far."""

    spans: dict[tuple[int, int], dict[str, Candidate]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    supported: dict[str, float] = field(default_factory=dict)
    linked: dict[tuple[int, int], tuple[str, ...]] = field(default_factory=dict)

    def add(self, start: int, end: int, candidate: Candidate) -> None:
        """Keep the candidate, unless the same entity is there by a better name."""
        candidates = self.spans[start, end]
        known = candidates.get(candidate.entity)
        if known is None or _rank(candidate) < _rank(known):
            candidates[candidate.entity] = candidate

    def support(self, form: Form) -> None:
        """Remember that the note names the entity plainly."""
        entity, since = form.name.entity, _position(form.name.known_from)
        self.supported[entity] = min(since, self.supported.get(entity, inf))

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
            for entity in linked.entities:
                by_name = self.spans[span].get(entity)
                form = by_name.form if by_name is not None else linked.text
                self.spans[span][entity] = Candidate(
                    entity, 1.0, "link", form, ALWAYS, ("the link here names it",)
                )
                self.supported[entity] = ALWAYS

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
            and any(entity in self.spans[start, end] for entity in linked.entities)
        ]
        return min(within)[1:] if within else None

    def mentions(self, note: Note) -> list[Mention]:
        """Return what was found as mentions; where a link speaks, its rivals score nothing."""
        mentions = []
        links = sorted(self.linked)
        for start, end in sorted(self.spans, key=lambda span: (span[0], -span[1])):
            chosen = list(self.spans.pop((start, end)).values())  # freed at once: may be many
            if links:
                chosen = self._heed_links(start, end, chosen, links)
            if chosen:
                chosen.sort(key=lambda candidate: (-candidate.score, candidate.entity))
                mentions.append(Mention(start, end, note.text[start:end], tuple(chosen)))
        return mentions

    def _heed_links(
        self,
        start: int,
        end: int,
        candidates: list[Candidate],
        links: Sequence[tuple[int, int]],
    ) -> list[Candidate]:
        if (start, end) in self.linked:
            entities = self.linked[start, end]
            return [
                candidate
                if candidate.entity in entities
                else replace(candidate, score=0.0, reasons=("the link here names another",))
                for candidate in candidates
            ]
        at = bisect_left(links, (end, 0)) - 1
        while at >= 0 and links[at][1] > start:
            link_start, link_end = links[at]
            if start < link_start or end > link_end:
                entities = self.linked[links[at]]
                candidates = [each for each in candidates if each.entity in entities]
            at -= 1
        return candidates


def _candidate(hit: Hit, text: Folded) -> Candidate:
    name = hit.form.name
    if hit.is_plural:
        reason = f"plural of {name.form!r}"
        score = name.weight * PLURAL
        return Candidate(name.entity, score, "plural", name.form, name.known_from, (reason,))
    if _is_hyphenated(hit, text.plain):
        reason = "part of a hyphenated name"
        score = name.weight * HYPHENATED
        return Candidate(name.entity, score, name.kind, name.form, name.known_from, (reason,))
    return hit.form.candidate


def _candidate_of_common_word(
    start: int, end: int, hit: Hit, text: Folded, note: Note, found: _Found
) -> Candidate | None:
    if reads_as_verb(note, start, end):
        return None
    candidate = _candidate(hit, text)
    own = _position(candidate.known_from)
    support = found.supported.get(candidate.entity)
    if support is not None and support <= own:
        return replace(candidate, reasons=(*candidate.reasons, "named in full in this note"))
    reason = capital_reason(note, start, end)
    if reason is not None:
        reasons = (*candidate.reasons, reason)
        return replace(candidate, score=candidate.score * CAPITAL, reasons=reasons)
    if support is not None and not hit.is_plural:
        known_from = None if support == inf else int(support)
        reasons = (*candidate.reasons, "named in full in this note")
        return replace(candidate, known_from=known_from, reasons=reasons)
    return None


def _is_common_here(form: Form, text: Folded, note: Note, start: int) -> bool:
    """Tell whether a one-word name opens a sentence in a note that also has it as a plain word."""
    word = form.plain
    return (
        word[:1].isupper()
        and word.isalpha()
        and not word.isupper()
        and starts_sentence(note, start)
        and text.has_word(word.lower())
    )


def _is_hyphenated(hit: Hit, plain: str) -> bool:
    """Tell whether a one-word name is half of a longer one: "Anne-Marie", not "Wren-like"."""
    if " " in hit.form.plain or "-" in hit.form.plain or not hit.form.capitals:
        return False
    before = plain[max(0, hit.start - 2) : hit.start]
    after = plain[hit.end : hit.end + 2]
    return (len(after) == 2 and after[0] == "-" and after[1].isupper()) or (
        len(before) == 2 and before[1] == "-" and before[0].isalpha() and plain[hit.start].isupper()
    )


def _is_inside(
    start: int, end: int, texts: Sequence[LinkedText], link_starts: Sequence[int]
) -> bool:
    at = bisect_right(link_starts, start) - 1
    return at >= 0 and end <= texts[at].end


def _rank(candidate: Candidate) -> tuple[float, float]:
    """Order candidates of one entity: what is known earliest first, then what is surest.

    A name learned late must not push aside one that an earlier reader already has.
    """
    return _position(candidate.known_from), -candidate.score


def _position(known_from: int | None) -> float:
    return inf if known_from is None else known_from
