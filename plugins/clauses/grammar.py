"""The grammar of a sentence that has been parsed: whom its verbs are about, and whose its nouns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import NamedTuple

from writeros_entities import Frame, InferredRelation, Ontology, Reading, Words

from .sides import PERSONAL, Side, Sides

SURE = 0.9
SPOKEN = 0.8
"""The confidence in a clause between two names; the factor on it for what direct speech states."""

UNTYPED = frozenset({"unknown", "concept"})
"""Types of entities that may be anything."""

WHOSE = frozenset({"of", "to", "'s"})
"""The prepositions, and the ending, by which a noun says whose somebody is."""

MOST_HEADS = 4
"""How many verbs up a missing subject is looked for."""


class Owner(NamedTuple):
    """Whose a role is, with the preposition that says so, and the word that is meant."""

    side: Side
    case: str
    place: int


class Grammar:
    """The words of one sentence, and what is said by them."""

    def __init__(self, sides: Sides, ontology: Ontology, words: Words) -> None:
        self._sides = sides
        self._sentence = sides.sentence
        self._parsed = sides.sentence.words
        self._ontology = ontology
        self._words = words
        self._states = words.becoming | words.copulas
        self._be = next(iter(words.passive), "")

    def dictionary_form(self, at: int) -> str:
        """Return a verb's dictionary form, with its particle: "bring up"."""
        verb = self._parsed[at].lemma
        if verb in self._words.copulas:
            verb = self._be or verb
        for other in self._sentence.of(at, "other"):
            if self._parsed[other].kind in ("adposition", "particle", "adverb"):
                return f"{verb} {self._parsed[other].lemma}"
        return verb

    def subjects(self, at: int, depth: int = 0) -> tuple[list[Side], bool]:
        """Return whom a verb is about, and whether it is passive."""
        sentence, word = self._sentence, self._parsed[at]
        marks = sentence.of(at, "passive auxiliary", "passive subject")
        is_passive = any(True for _ in marks)
        auxiliaries = sentence.of(at, "auxiliary", "passive auxiliary")
        own = [
            one
            for verb in (at, *auxiliaries)  # some are parsed as subjects of "is" in "is engaged"
            for one in sentence.of(verb, "subject", "passive subject")
        ]
        if own:
            return [side for one in own for side in self._sides.each(one)], is_passive
        if word.role == "root" and any(one < at for one in sentence.of(at, "oblique")):
            behind = [one for one in self.objects(at) if one > at]
            return [side for one in behind for side in self._sides.each(one)], is_passive
        if depth > MOST_HEADS or word.head == at:
            return [], is_passive
        head = self._parsed[word.head]
        is_past = word.form in ("past participle", "past")
        if word.role == "participle":
            return list(self._sides.each(word.head)), is_past
        if word.role == "relative clause":
            return list(self._sides.each(word.head)), is_passive
        if word.role == "conjunct":
            subjects, was_passive = self.subjects(word.head, depth + 1)
            if head.role == "participle":
                return subjects, is_past
            goes_on = word.form == "past participle" and not list(sentence.of(at, "auxiliary"))
            return subjects, is_passive or (was_passive and goes_on)
        is_led = word.role in ("infinitive", "adverbial clause")
        is_inverted = (
            word.role == "other" and word.form == "infinitive"
        )  # "did Ann found the Guild"
        if (is_led or is_inverted) and head.kind in ("verb", "auxiliary"):
            subjects, _ = self.subjects(word.head, depth + 1)
            is_led = word.role == "adverbial clause" and word.form == "past participle"
            return subjects, is_passive or is_led
        return [], is_passive

    def objects(self, at: int) -> list[int]:
        """Return a verb's objects; a name right behind it that is only a modifier is one."""
        behind_comma = self._sides.is_behind_comma
        objects = [one for one in self._sentence.of(at, "object") if not behind_comma(one)]
        objects += self._so_called(at)
        if objects:
            return objects
        beside = self._sentence.of(at, "modifier")
        named = (one for one in beside if one > at and self._sides.is_named(one))
        return [one for one in named if not behind_comma(one)][:1]

    def _so_called(self, at: int) -> list[int]:
        """Return the name of an object that is a clause: "founded what was called the Guild"."""
        parsed, sentence = self._parsed, self._sentence
        return [
            name
            for one in sentence.of(at, "clause")
            if parsed[one].lemma in self._words.naming
            and any(parsed[who].kind == "pronoun" for who in sentence.of(one, "passive subject"))
            for name in sentence.of(one, "complement", "object")
            if self._sides.is_named(name)
        ]

    def completions(self, at: int) -> list[str]:
        """Return what a verb's adjective or its phrase without a name adds to it: "shoot dead"."""
        parsed, sentence = self._parsed, self._sentence
        adjectives = (one for one in sentence.of(at, "complement", "modifier"))
        return [
            *(parsed[one].lemma for one in adjectives if parsed[one].kind == "adjective"),
            *(
                f"{parsed[one].case} {parsed[one].lemma.partition(' ')[0]}"
                for one in sentence.of(at, "oblique")
            ),
        ]

    def frames(self, at: int, verb: str, is_passive: bool) -> Iterator[tuple[Frame, int]]:
        """Yield the frames of a verb, each with the word that is its target."""
        parsed, sentence = self._parsed, self._sentence
        if parsed[at].lemma in self._words.moving and parsed[at].form != "present":
            return
        obliques = self._obliques(at)
        for other in sentence.of(at, "modifier"):
            if parsed[other].lemma in self._words.pointing_places:
                yield from ((Frame(verb, case, is_passive), other) for case in self._words.within)
        is_order = any(True for _ in sentence.of(at, "infinitive", "clause"))
        is_order &= "leads" in self._words.verbs.get(Frame(verb), ())
        for other in () if is_passive or is_order else self.objects(at):
            for more in self.completions(at):
                yield Frame(f"{verb} {more}"), other
            yield Frame(verb), other
            own, _, particle = verb.rpartition(" ")
            if own:  # "took in Ann", as "took Ann in"
                yield Frame(own, particle), other
            noun = parsed[other].lemma
            for inner in (*sentence.of(other, "oblique"), *obliques):
                yield Frame(f"{verb} {noun}", parsed[inner].case), inner
            for inner in sentence.of(other, "possessor"):
                yield Frame(f"{verb} {noun}", "of"), inner
        for other in sentence.of(at, "indirect object"):
            is_one = any(
                parsed[inner].lemma in self._words.articles
                for one in self.objects(at)
                for inner in sentence.of(one, "determiner")
            )
            if not (parsed[other].case or is_one):  # "teach Ann law" is to "teach law to Ann"
                yield Frame(verb, "to"), other
        for other in sentence.of(at, "complement"):
            if parsed[other].kind in ("adjective", "verb"):
                for inner in (*sentence.of(other, "oblique", "agent"), *obliques):
                    yield Frame(parsed[other].lemma, parsed[inner].case, True), inner
        is_what = parsed[at].lemma in self._words.copulas and any(
            parsed[one].kind == "adjective" for one in sentence.of(at, "complement")
        )
        for other in () if is_what else obliques:  # "is known in Vantry" is not in Vantry
            case, noun = parsed[other].case, parsed[other].lemma
            if case:
                yield Frame(verb, case, is_passive), other
                for inner in (
                    *sentence.of(other, "oblique"),
                    *(one for one in obliques if one > other),
                ):
                    frame = Frame(f"{verb} {case} {noun}", parsed[inner].case, is_passive)
                    yield frame, inner
                    if verb != self._be and not is_passive:  # "sailed under the command of Ann"
                        yield Frame(f"{self._be} {case} {noun}", parsed[inner].case), inner

    def _obliques(self, at: int) -> list[int]:
        """Return what has a preposition and belongs to a verb: to both in "born and raised in"."""
        parsed, sentence = self._parsed, self._sentence
        found = list(sentence.of(at, "oblique", "indirect object", "agent"))
        if found or any(True for _ in sentence.of(at, "object", "complement")):
            return found
        for other in sentence.of(at, "conjunct"):
            between = parsed[at + 1 : other]
            if parsed[other].form == parsed[at].form and all(
                one.role == "coordinator" for one in between
            ):
                return list(sentence.of(other, "oblique", "agent"))
        return found

    def is_over(self, at: int) -> bool:
        """Say whether the words beside a verb say that it holds no more: "once", "no longer"."""
        words, sentence, parsed = self._words, self._sentence, self._parsed
        word = parsed[at]
        if word.role == "infinitive" and parsed[word.head].lemma in words.ceasing:
            return True
        for one in sentence.of(at, "modifier"):
            is_denied = any(
                parsed[inner].lemma in words.doubt for inner in sentence.dependents[one]
            )
            if parsed[one].lemma in words.former or is_denied:
                return True
        return False

    def is_going_on(self, at: int) -> bool:
        """Say whether an act is told while it is not done yet: "was killing"."""
        is_verb_of = self._sentence.of(at, "auxiliary")
        return self._parsed[at].form == "present participle" and any(True for _ in is_verb_of)

    def is_place(self, at: int) -> bool:
        """Say whether a word means a place."""
        return any(side.mention.type == "place" for side in self._sides.of(at))

    def case(self, at: int) -> str:
        """Return a word's preposition: of other languages, the one that says the same as "of"."""
        case = self._parsed[at].case
        return "of" if case in self._words.of and case not in WHOSE else case

    def own_owners(self, at: int) -> Iterator[Owner]:
        """Yield whose something is, by the words around its noun."""
        head = self._parsed[at].head
        if self._parsed[at].role == "object" and self._parsed[head].lemma in self._words.having:
            yield from (Owner(side, "'s", head) for side in self.subjects(head)[0])
        owned = [at, head] if self._parsed[at].role == "part of name" else [at]
        for other in (other for one in owned for other in self._sentence.of(one, "possessor")):
            yield from (Owner(side, "'s", other) for side in self._sides.each(other))
        for other in self._owned_by(at):
            case = self.case(other)
            yield from (Owner(side, case, other) for side in self._sides.each(other))
            if self._parsed[other].lemma in self._words.sides:
                for inner in self._sentence.of(other, "oblique"):
                    yield from (Owner(side, case, inner) for side in self._sides.each(inner))
        for other in self._sentence.of(at, "part of name"):
            if self._sides.is_named(other):
                yield from (Owner(side, "of", other) for side in self._sides.of(other))

    def _owned_by(self, at: int) -> Iterator[int]:
        """Yield what has a preposition and belongs to a noun, and not to a role behind it."""
        parsed, sentence = self._parsed, self._sentence
        own = list(sentence.of(at, "oblique"))
        roles = (one for owner in own for one in self._sides.joined(owner))
        others = [one for one in roles if any(self.is_beside_owner(one, owner) for owner in own)]
        yield from (one for one in own if one < min(others, default=len(parsed)))
        head = parsed[at].head
        if parsed[at].role == "conjunct" and self.is_beside_owner(at, head):
            for over in (head, parsed[head].head):
                yield from (one for one in sentence.of(over, "oblique") if one > at)

    def is_beside_owner(self, at: int, owner: int) -> bool:
        """Say whether a role was parsed as joined to another's owner: "father of Ann and mayor".

        They are both roles of the one whom the noun before the owner is about.
        """
        parsed, head = self._parsed, self._parsed[owner].head
        is_owner = owner < at and self.case(owner) == "of" and parsed[head].kind == "noun"
        return is_owner and self.is_role(parsed[at].lemma) and self.is_role(parsed[head].lemma)

    def read_role(self, noun: str, own_type: str, other_type: str) -> Reading | None:
        """Return what "NOUN of" says of an entity, in the ontology's word for the language's."""
        word = self._words.roles.get(noun, noun)
        return self._ontology.read_role(word, own_type, other_type)

    def is_role(self, noun: str) -> bool:
        """Say whether a noun says what somebody is in relation to another."""
        role = self.read_role(noun, "person", "person")
        return noun in self._words.nouns or role is not None

    def are(self, noun: int, sides: Sequence[Side], at: int) -> Iterator[InferredRelation]:
        """Yield what a noun says that several are to each other: "Ann and Bob are cousins"."""
        role = self.read_role(self._parsed[noun].lemma, *(one.mention.type for one in sides[:2]))
        if role is not None:
            rule = f"mutual: {self._parsed[noun].lemma}"
            yield from self.between([role.kind], sides, at, noun, rule)

    def between(
        self,
        kinds: Sequence[str],
        sides: Sequence[Side],
        at: int,
        place: int,
        rule: str,
        *,
        is_mutual: bool = False,
    ) -> Iterator[InferredRelation]:
        """Yield kinds that hold both ways, or all if the words say so, between each two sides."""
        ended = self.is_over(at) or self.is_over(place)
        for kind in kinds:
            reading = self._ontology.read_name(kind)
            is_symmetric = self._ontology.kind(reading.kind).symmetric
            pairs = combinations(sides, 2) if is_symmetric else permutations(sides, 2)
            for one, other in pairs if is_symmetric or is_mutual else ():
                fits = self._ontology.fits(reading, one.mention.type, other.mention.type)
                if fits and one.mention.entity != other.mention.entity:
                    yield self.relation(reading, one, other, at, place, rule, has_ended=ended)

    def relation(
        self,
        reading: Reading,
        one: Side,
        other: Side,
        at: int,
        place: int,
        rule: str,
        *,
        has_ended: bool = False,
    ) -> InferredRelation:
        """Return what the words at `at` and `place` say of two sides."""
        source, target = (other, one) if reading.is_inverse else (one, other)
        start, end = self._span([at, place], [one, other])
        spoken = SPOKEN if at in self._sides.quoted else 1.0
        sureness = SURE * min(one.sureness, other.sureness) * spoken
        return InferredRelation(
            source.mention, reading.kind, target.mention, start, end, sureness, rule, has_ended
        )

    def status(self, side: Side, status: str, at: int) -> Iterator[InferredRelation]:
        """Yield a status of a living thing, or of what may be one: its name has a capital."""
        may_live = side.mention.type in UNTYPED and not side.mention.surface[:1].islower()
        if side.mention.type in PERSONAL or may_live:
            start, end = self._span([at], [side])
            rule = f"status: {self._parsed[at].lemma}"
            sureness = SURE * side.sureness
            yield InferredRelation(side.mention, status, None, start, end, sureness, rule)

    def _span(self, places: Sequence[int], sides: Sequence[Side]) -> tuple[int, int]:
        """Return the span of words and of those sides that are named in the sentence."""
        spans = [(self._parsed[at].start, self._parsed[at].end) for at in places]
        for mention in (side.mention for side in sides):
            if self._sentence.start <= mention.start < mention.end <= self._sentence.end:
                spans.append((mention.start, mention.end))
        return min(start for start, _ in spans), max(end for _, end in spans)
