"""What happens by the words of a sentence: who does what, to whom, and where.

"Ann gave Ben the key in Vantry."   give: Ann the doer, Ben to whom, Vantry where
"Ann would give Ben the key."       nothing yet
"Ann loved the key."                nothing: that is how things are
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from writeros_entities import Page, Party, PartyRole, ToldEvent, WordForm, Words

from .grammar import SURE, Grammar
from .sides import Sides
from .worth import is_plain

_WITHIN_VERB = frozenset({"auxiliary", "passive auxiliary", "modifier", "part of name"})
"""Roles in which a verb is a part of another, or of a name."""

_SPEAKS = "speaks"
"""The kind of event that is an aside behind a conjunction: "as Ann says"."""

_MOVES = "moves"
"""The kind of event that leads somewhere, by a preposition that may also say where one is."""

_LED = frozenset({"conjunct", "adverbial clause", "participle", "infinitive", "clause"})
"""Roles in which a verb without a tense of its own has that of the verb on which it depends."""


def told_in(page: Page) -> WordForm:
    """Return the tense of most verbs of a page outside direct speech: `past` or `present`."""
    forms = Counter(
        word.form
        for line in page.lines
        for sentence in line.sentences
        if not sentence.is_speech
        for word in sentence.words
        if word.kind in ("verb", "auxiliary")
    )
    return "past" if forms["past"] >= forms["present"] else "present"


class EventReader:
    """Reads what one sentence says has happened; `tense` is the one in which its note is told."""

    def __init__(self, sides: Sides, grammar: Grammar, words: Words, tense: WordForm) -> None:
        self._sides, self._grammar, self._words, self._tense = sides, grammar, words, tense
        self._sentence, self._parsed = sides.sentence, sides.sentence.words

    def read(self) -> Iterator[ToldEvent]:
        """Yield the events in which somebody or something with a name takes part."""
        for at, word in enumerate(self._parsed):
            if word.kind == "verb" and self._happens(at):
                parties = tuple(self._parties(at))
                if parties:
                    yield ToldEvent(
                        *(word.start, word.end, self._grammar.dictionary_form(at), parties),
                        *(self._kind(at), self._is_earlier(at)),
                    )

    def _happens(self, at: int) -> bool:
        """Say whether a verb of the narration tells plainly of something that has happened."""
        word, words = self._parsed[at], self._words
        if word.role in _WITHIN_VERB or word.lemma in words.copulas | words.lasting:
            return False
        is_marked = any(True for _ in self._sentence.of(at, "marker"))
        is_aside = is_marked and self._kind(at) == _SPEAKS
        beside = (self._parsed[one].lemma for one in self._sentence.of(at, "oblique"))
        if at in self._sides.quoted or is_aside or not words.writings.isdisjoint(beside):
            return False
        return self._is_told(at) and is_plain(self._sentence, at, words)

    def _kind(self, at: int) -> str:
        """Return the kind of event that a verb tells of, or ""."""
        kinds, verb = self._words.events, self._grammar.dictionary_form(at)
        return kinds.get(verb) or kinds.get(self._parsed[at].lemma, "")

    def _is_earlier(self, at: int) -> bool:
        """Say whether a verb goes back in time: "had gone", "once went", "she knew that he went".

        In a note that is told in the present, any past does.
        """
        word, parsed = self._parsed[at], self._parsed
        forms = self._auxiliaries(at)
        if self._tense == "present":
            is_past = "past" in (forms or {word.form}) or self._is_perfect(at)
        else:
            is_past = self._is_perfect(at) and "past" in forms
        beside = self._sentence.of(at, "modifier")
        is_once = any(parsed[one].lemma in self._words.former for one in beside)
        is_known = word.role == "clause" and parsed[word.head].lemma in self._words.factive
        return is_past or is_once or is_known

    def _is_perfect(self, at: int) -> bool:
        """Say whether a verb has an auxiliary for what is done: "has gone", "had been killed"."""
        parsed, beside = self._parsed, self._sentence.of(at, "passive auxiliary")
        forms = {parsed[one].form for one in (at, *beside)}
        return bool(self._auxiliaries(at)) and forms == {"past participle"}

    def _auxiliaries(self, at: int) -> set[WordForm]:
        return {self._parsed[one].form for one in self._sentence.of(at, "auxiliary")}

    def _is_told(self, at: int, depth: int = 0) -> bool:
        """Say whether a verb, or the one on which it depends, is in the tense of what is told."""
        word = self._parsed[at]
        passive = self._sentence.of(at, "passive auxiliary")
        forms = self._auxiliaries(at) | {self._parsed[one].form for one in passive}
        if forms or word.form in ("past", "present"):
            if "past" in (forms or {word.form}) or self._is_perfect(at):
                return True
            is_present = "present" in (forms or {word.form})  # not "ten days to find Ann"
            return is_present and self._tense == "present" and not self._sentence.is_fragment
        is_led = word.role in _LED and word.head != at and depth < len(self._parsed)
        return is_led and word.form != "infinitive" and self._is_told(word.head, depth + 1)

    def _parties(self, at: int) -> Iterator[Party]:
        sides, parsed = self._sides, self._parsed
        subjects, is_passive = self._grammar.subjects(at)
        doers: PartyRole = "done to" if is_passive else "doer"
        found = [(side, doers) for side in subjects]
        for one in self._grammar.objects(at) if not is_passive else ():
            found += ((side, "done to") for side in sides.each(one))
        for one in self._sentence.of(at, "agent"):
            found += ((side, "doer") for side in sides.each(one))
        for one in self._sentence.of(at, "indirect object"):
            found += ((side, "to") for side in sides.each(one))
        for one in self._sentence.of(at, "oblique"):
            for side in sides.each(one):
                role = self._role(at, parsed[one].case, is_place=side.mention.type == "place")
                found += [(side, role)] if role is not None else []
        known: set[str] = set()
        for side, role in found:
            if side.mention.entity not in known:
                known.add(side.mention.entity)
                yield Party(side.mention, role, SURE * side.sureness)

    def _role(self, at: int, case: str, *, is_place: bool) -> PartyRole | None:
        """Return what a preposition says that somebody or some place is to what a verb tells of."""
        words = self._words
        if not is_place:
            is_with = case in words.accompanying
            return "with" if is_with else "to" if case in words.reaching else None
        is_in = case in words.within
        if case in words.reaching and (not is_in or self._kind(at) == _MOVES):
            return "to"
        return "at" if is_in else None
