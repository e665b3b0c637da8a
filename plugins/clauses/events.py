"""What happens by the words of a sentence: who does what, to whom, and where.

"Ann gave Ben the key in Vantry."   give: Ann the doer, Ben to whom, Vantry where
"Ann would give Ben the key."       nothing yet
"Ann loved the key."                nothing: that is how things are
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from writeros_entities import Party, PartyRole, ToldEvent, WordForm, Words

from .grammar import SURE, Grammar
from .sides import Side, Sides

_SPEAKS = "speaks"
"""The kind of event that says what is said."""

_MOVES = "moves"
"""The kind of event that leads somewhere, by a preposition that may also say where one is."""


class EventReader:
    """Reads what one sentence says has happened; `tense` is the one in which its note is told.

    `happening` are the places of the note at which a word starts that tells what happens.
    """

    def __init__(
        self,
        sides: Sides,
        grammar: Grammar,
        words: Words,
        tense: WordForm,
        happening: Collection[int],
    ) -> None:
        self._sides, self._grammar, self._words, self._tense = sides, grammar, words, tense
        self._happening = happening
        self._sentence, self._parsed = sides.sentence, sides.sentence.words

    def read(self) -> Iterator[ToldEvent]:
        """Yield the events, also those in which nobody and nothing with a name takes part."""
        for at, word in enumerate(self._parsed):
            is_shown = word.end > word.start  # not the subject that a fragment was given
            if is_shown and word.start in self._happening and not self._is_beside(at):
                yield ToldEvent(
                    *(word.start, word.end, self._verb(at), tuple(self._parties(at))),
                    *(self._kind(at), self._is_earlier(at)),
                )

    def _is_beside(self, at: int) -> bool:
        """Say whether a verb says who is quoted, or what a picture shows, or is an aside: "as Ann
        says", behind a conjunction.
        """
        is_marked = any(True for _ in self._sentence.of(at, "marker"))
        where = (self._parsed[one].lemma for one in self._sentence.of(at, "oblique"))
        return (
            at in self._sides.quoted
            or (is_marked and self._kind(at) == _SPEAKS)
            or not self._words.writings.isdisjoint(where)
        )

    def _verb(self, at: int) -> str:
        word = self._parsed[at]
        return self._grammar.dictionary_form(at) if word.kind == "verb" else word.lemma

    def _kind(self, at: int) -> str:
        """Return the kind of event that a verb tells of, or ""."""
        kinds, word = self._words.events, self._parsed[at]
        return kinds.get(self._verb(at)) or kinds.get(word.lemma, "")

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

    def _parties(self, at: int) -> Iterator[Party]:
        sides, parsed = self._sides, self._parsed
        subjects, is_passive = self._subjects(at)
        doers: PartyRole = "done to" if is_passive else "doer"
        found = [(side, doers) for side in subjects]
        for one in self._grammar.objects(at) if not is_passive else ():
            found += ((side, "done to") for side in sides.each(one))
        for one in self._sentence.of(at, "agent"):
            found += ((side, "doer") for side in sides.each(one))
        for one in self._sentence.of(at, "indirect object"):
            found += ((side, "to") for side in sides.each(one))
        for one in self._obliques(at):
            for side in sides.each(one):
                role = self._role(at, parsed[one].case, is_place=side.mention.type == "place")
                found += [(side, role)] if role is not None else []
        known: set[str] = set()
        for side, role in found:
            if side.mention.entity not in known:
                known.add(side.mention.entity)
                yield Party(side.mention, role, SURE * side.sureness)

    def _obliques(self, at: int) -> Iterator[int]:
        """Yield what has a preposition; no place is with somebody: "to Vantry with Ann"."""
        for one in self._sentence.of(at, "oblique"):
            yield one
            if any(side.mention.type == "place" for side in self._sides.each(one)):
                for other in self._sentence.of(one, "oblique"):
                    if self._parsed[other].case in self._words.accompanying:
                        yield other

    def _subjects(self, at: int) -> tuple[list[Side], bool]:
        """Return who does what a word tells of, and whether it is done to them: "Ann's cry"."""
        if self._parsed[at].kind == "verb":
            return self._grammar.subjects(at)
        owners = self._sentence.of(at, "possessor")
        return [side for one in owners for side in self._sides.each(one)], False

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
