"""What a sentence states: its verbs, and its nouns for somebody in relation to somebody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import NamedTuple

from writeros_entities import Frame, InferredRelation, Ontology, Reading, Words

from .sides import PERSONAL, Side, Sides
from .worth import is_denied, is_plain, is_real, upwards

SURE = 0.9
SPOKEN = 0.8
"""The confidence in a clause between two names; the factor on it for what direct speech states."""

UNTYPED = frozenset({"unknown", "concept"})
"""Types of entities that may be anything."""

_WHOSE = frozenset({"of", "to", "'s"})
LOCAL = frozenset({"member_of", "leads", "rules", "serves", "works_at"})
"""Kinds that a role states with any other preposition as well: "a member in the Guild"."""

_OF_CLASS = {
    **dict.fromkeys((("person", case, "faction") for case in ("of", "from", "in")), "member_of"),
    ("person", "'s", "faction"): "member_of",
    **dict.fromkeys((("person", case, "item") for case in ("on", "aboard")), "crew_of"),
    ("person", "from", "place"): "comes_from",
    **dict.fromkeys((("creature", case, "place") for case in ("of", "from", "in")), "comes_from"),
    **dict.fromkeys((("place", case, "place") for case in ("of", "in", "on")), "located_in"),
    **dict.fromkeys((("faction", case, "place") for case in ("of", "in", "from")), "based_in"),
    **dict.fromkeys((("faction", case, "faction") for case in ("of", "in")), "part_of"),
    **dict.fromkeys((("item", case, "person") for case in ("of", "'s")), "owned_by"),
}
"""What any noun states of its subject, by the types of both: "a mage of the Guild"."""

_BEHIND = {
    ("place", "in", "place"): "located_in",
    ("faction", "in", "place"): "based_in",
    ("person", "of", "faction"): "member_of",
    ("person", "from", "faction"): "member_of",
    ("person", "from", "place"): "comes_from",
    ("creature", "from", "place"): "comes_from",
}
"""What a name is in relation to the name right behind it, by the types of both."""

_WITHIN = frozenset(
    {
        *("lives_in", "located_in", "based_in", "born_in", "died_in", "buried_in"),
        "imprisoned_in",
    }
)
"""Kinds that hold of a place if they hold of a place in it."""

_MUTUAL = (("", False), ("to", True), ("with", True), ("with", False))
"""The prepositions, and whether it is passive, by which a verb may state what holds both ways."""

_MOST_HEADS = 4
"""How many verbs up a missing subject is looked for."""


class _Holder(NamedTuple):
    """Somebody with a role; `verb` is the word that says so, None if that is presupposed."""

    side: Side
    verb: int | None


class _Owner(NamedTuple):
    """Whose a role is, with the preposition that says so, and the word that is meant."""

    side: Side
    case: str
    place: int


class SentenceReader:
    """Reads one sentence that has been parsed."""

    def __init__(self, sides: Sides, ontology: Ontology, words: Words) -> None:
        self._sides = sides
        self._sentence = sides.sentence
        self._parsed = sides.sentence.words
        self._ontology = ontology
        self._words = words
        self._states = words.becoming | words.copulas

    def read(self) -> Iterator[InferredRelation]:
        """Yield what the sentence states."""
        for at, word in enumerate(self._parsed):
            if word.kind in ("verb", "auxiliary"):
                if word.role not in ("auxiliary", "passive auxiliary"):
                    yield from self._verb(at)
            elif word.kind in ("noun", "name", "adjective"):
                yield from self._noun(at)

    # -- Verbs -------------------------------------------------------------------------------------

    def _verb(self, at: int) -> Iterator[InferredRelation]:
        if not is_plain(self._sentence, at, self._words, self._sides.quoted):
            return
        verb = self.dictionary_form(at)
        subjects, is_passive = self.subjects(at)
        for status, place in self._statuses(at, verb, is_passive):
            for side in subjects:
                yield from self._status(side, status, place)
        yield from self._bodily(at, verb, is_passive=is_passive)
        for frame, place in self._frames(at, verb, is_passive):
            others = list(self._sides.each(place)) or self._inside(frame, place)
            yield from self._related(frame, subjects, others, at, place)
            named = [one for one in others if one.sureness == 1]
            yield from self._suffered(frame, named, at)
            if frame == Frame(verb) and verb in self._states:
                for more in self._completions(at):
                    for status in self._words.statuses.get(Frame(more), ()):
                        for side in named:
                            yield from self._status(side, status, at)
        if is_passive:
            if self._parsed[at].role != "adverbial clause":
                yield from self._suffered(Frame(verb), subjects, at)
            for agent in self._sentence.of(at, "agent"):
                doers = list(self._sides.each(agent))
                yield from self._related(Frame(verb), doers, subjects, at, agent)
        yield from self._mutual(at, verb, subjects)
        yield from self._of_subject(at, verb)

    def _inside(self, frame: Frame, place: int, depth: int = 0) -> list[Side]:
        """Return the place that a place without a name is in: "lives in a house in Vantry"."""
        kinds = self._words.verbs.get(frame, ())
        if _WITHIN.isdisjoint(kinds) or self._parsed[place].kind != "noun" or depth > _MOST_HEADS:
            return []
        for inner in self._sentence.of(place, "oblique"):
            if self._parsed[inner].case in self._words.within:
                found = [one for one in self._sides.of(inner) if one.mention.type not in PERSONAL]
                return found or self._inside(frame, inner, depth + 1)
        return []

    def _mutual(self, at: int, verb: str, subjects: Sequence[Side]) -> Iterator[InferredRelation]:
        """Yield what several are to each other: "Ann and Bob married", "were friends"."""
        if len({one.mention.entity for one in subjects}) < 2:
            return
        parsed, sentence = self._parsed, self._sentence
        objects = [parsed[one].lemma for one in self.objects(at)]
        said = [(verb, at)] if self._words.mutual.issuperset(objects) else []
        said += [
            (parsed[one].lemma, one)
            for one in sentence.of(at, "complement")
            if parsed[at].lemma in self._states and parsed[one].kind in ("adjective", "verb")
        ]
        for one, place in said:
            frames = (Frame(one, case, is_passive) for case, is_passive in _MUTUAL)
            kinds = [kind for frame in frames for kind in self._words.verbs.get(frame, ())]
            rule = f"mutual: {one}"
            yield from self._between(kinds[:1], subjects, at, place, rule, is_mutual=bool(objects))
        for other in sentence.of(at, "complement"):
            if parsed[at].lemma in self._states and not list(self._own_owners(other)):
                yield from self._are(other, subjects, at)

    def _are(self, noun: int, sides: Sequence[Side], at: int) -> Iterator[InferredRelation]:
        """Yield what a noun says that several are to each other: "Ann and Bob are cousins"."""
        role = self._ontology.read_role(
            self._parsed[noun].lemma, *(one.mention.type for one in sides[:2])
        )
        if role is not None:
            rule = f"mutual: {self._parsed[noun].lemma}"
            yield from self._between([role.kind], sides, at, noun, rule)

    def _between(
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
        ended = self._is_over(at) or self._is_over(place)
        for kind in kinds:
            reading = self._ontology.read_name(kind)
            is_symmetric = self._ontology.kind(reading.kind).symmetric
            pairs = combinations(sides, 2) if is_symmetric else permutations(sides, 2)
            for one, other in pairs if is_symmetric or is_mutual else ():
                fits = self._ontology.fits(reading, one.mention.type, other.mention.type)
                if fits and one.mention.entity != other.mention.entity:
                    yield self._relation(reading, one, other, at, place, rule, has_ended=ended)

    def _of_subject(self, at: int, verb: str) -> Iterator[InferredRelation]:
        """Yield what a verb says of whose its subject is: "the Guild's seat is in Vantry"."""
        parsed = self._parsed
        for subject in self._sentence.of(at, "subject", "passive subject"):
            if parsed[subject].kind == "noun" and not self._sides.is_named(subject):
                owners = [one.side for one in self._own_owners(subject) if one.case in _WHOSE]
                for other in self._sentence.of(at, "oblique", "complement"):
                    frame = Frame(f"{parsed[subject].lemma} {verb}", parsed[other].case)
                    yield from self._related(
                        frame, owners, list(self._sides.each(other)), at, other
                    )

    def _is_over(self, at: int) -> bool:
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

    def _statuses(self, at: int, verb: str, is_passive: bool) -> Iterator[tuple[str, int]]:
        """Yield what a verb, or the adjective behind "is", says that its subject is.

        Who is doing it has not done it yet, and an act that is done to another is no status.
        """
        parsed, sentence, statuses = self._parsed, self._sentence, self._words.statuses
        if parsed[at].form == "present participle":
            return
        objects = [one for one in self.objects(at) if not self._is_place(one)]
        frames = [Frame(f"{verb} {parsed[one].lemma}", "", is_passive) for one in objects]
        frames += [Frame(f"{verb} {more}", "", is_passive) for more in self._completions(at)]
        if not objects:
            frames += [
                Frame(one, "", is_passive) for one in dict.fromkeys((verb, parsed[at].lemma))
            ]
        for frame in frames:
            yield from ((one, at) for one in statuses.get(frame, ()))
        if parsed[at].lemma in self._states and not objects and not self._is_for_somebody(at):
            for other in sentence.of(at, "complement", "modifier"):
                has_more = any(True for _ in sentence.of(other, "oblique", "infinitive"))
                if parsed[other].kind == "adjective" and not has_more:
                    said = statuses.get(Frame(parsed[other].lemma), ())
                    yield from ((one, other) for one in said)

    def _suffered(
        self, frame: Frame, others: Sequence[Side], at: int
    ) -> Iterator[InferredRelation]:
        """Yield what those become to whom something is done, whoever does it: "Ann was killed"."""
        if self._is_going_on(at):
            return
        kinds = (self._ontology.kind(one) for one in self._words.verbs.get(frame, ()))
        own = self._words.suffered.get(frame, ())
        for status in (*own, *(one.target_status for one in kinds)):
            for side in others if status else ():
                yield from self._status(side, status or "", at)

    def _bodily(self, at: int, verb: str, *, is_passive: bool) -> Iterator[InferredRelation]:
        """Yield what becomes of those whose body suffers: "Ann's head flew off"."""
        parsed, sentence, words = self._parsed, self._sentence, self._words
        subjects = list(sentence.of(at, "subject", "passive subject"))
        beside = [parsed[one].lemma for one in sentence.of(at, "modifier") if one > at]
        said: list[tuple[int, Sequence[str]]] = []
        for part in [] if is_passive else subjects:
            act = f"{parsed[part].lemma} {verb}"
            acts = [act, *(f"{act} {more}" for more in (*beside, *self._completions(at)))]
            for one in dict.fromkeys(acts):
                told, _, last = one.rpartition(" ")
                frames = Frame(one), Frame(told, last)
                said += ((part, words.statuses.get(frame, ())) for frame in frames)
        for part in subjects if is_passive else self.objects(at):
            said.append((part, words.suffered.get(Frame(f"{verb} {parsed[part].lemma}"), ())))
        for part, statuses in said:
            for owner in self._own_owners(part) if statuses and not self._is_going_on(at) else ():
                if owner.case in _WHOSE:
                    for status in statuses:
                        yield from self._status(owner.side, status, at)

    def _is_for_somebody(self, at: int) -> bool:
        """Say whether a verb's statement holds for somebody alone: "to Bob, Ann was dead"."""
        beside = self._sentence.of(at, "oblique")
        return any(self._parsed[one].case == "to" and self._sides.is_named(one) for one in beside)

    def _is_place(self, at: int) -> bool:
        return any(side.mention.type == "place" for side in self._sides.of(at))

    def _is_going_on(self, at: int) -> bool:
        """Say whether an act is told while it is not done yet: "was killing"."""
        is_verb_of = self._sentence.of(at, "auxiliary")
        return self._parsed[at].form == "present participle" and any(True for _ in is_verb_of)

    def _related(
        self, frame: Frame, ones: Sequence[Side], others: Sequence[Side], at: int, place: int
    ) -> Iterator[InferredRelation]:
        """Yield the first of a frame's kinds that fits the types of some two sides."""
        rule = f"verb: {frame.verb} {frame.case}".rstrip()
        ended = self._words.ended.get(frame, ())
        is_over = bool(ended) or self._is_over(at)
        for kind in (*ended, *self._words.verbs.get(frame, ())):
            reading = self._ontology.read_name(kind)
            fitting = [
                (one, other)
                for one in ones
                for other in others
                if one.mention.entity != other.mention.entity
                and self._ontology.fits(
                    reading, one.mention.type, other.mention.type, strictly=bool(ended)
                )
                and not (kind == "located_in" and one.mention.type in PERSONAL)
            ]
            for pair in fitting:
                yield self._relation(reading, *pair, at, place, rule, has_ended=is_over)
            if fitting:
                return

    def dictionary_form(self, at: int) -> str:
        """Return a verb's dictionary form, with its particle: "bring up"."""
        verb = self._parsed[at].lemma
        if verb in self._words.copulas:
            verb = next(iter(self._words.passive), verb)
        for other in self._sentence.of(at, "other"):
            if self._parsed[other].kind in ("adposition", "particle", "adverb"):
                return f"{verb} {self._parsed[other].lemma}"
        return verb

    def subjects(self, at: int, depth: int = 0) -> tuple[list[Side], bool]:
        """Return whom a verb is about, and whether it is passive."""
        sentence, word = self._sentence, self._parsed[at]
        marks = sentence.of(at, "passive auxiliary", "passive subject")
        is_passive = any(True for _ in marks)
        own = list(sentence.of(at, "subject", "passive subject"))
        if own:
            return [side for one in own for side in self._sides.each(one)], is_passive
        if word.role == "root" and any(one < at for one in sentence.of(at, "oblique")):
            behind = [one for one in self.objects(at) if one > at]
            return [side for one in behind for side in self._sides.each(one)], is_passive
        if depth > _MOST_HEADS or word.head == at:
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
        if word.role in ("infinitive", "adverbial clause") and head.kind in ("verb", "auxiliary"):
            subjects, _ = self.subjects(word.head, depth + 1)
            is_led = word.role == "adverbial clause" and word.form == "past participle"
            return subjects, is_passive or is_led
        return [], is_passive

    def _frames(self, at: int, verb: str, is_passive: bool) -> Iterator[tuple[Frame, int]]:
        """Yield the frames of a verb, each with the word that is its target."""
        parsed, sentence = self._parsed, self._sentence
        if parsed[at].lemma in self._words.moving and parsed[at].form != "present":
            return
        obliques = list(sentence.of(at, "oblique", "indirect object", "agent"))
        for other in sentence.of(at, "modifier"):
            if parsed[other].lemma in self._words.pointing_places:
                yield from ((Frame(verb, case, is_passive), other) for case in self._words.within)
        is_order = any(True for _ in sentence.of(at, "infinitive", "clause"))
        is_order &= "leads" in self._words.verbs.get(Frame(verb), ())
        for other in () if is_passive or is_order else self.objects(at):
            for more in self._completions(at):
                yield Frame(f"{verb} {more}"), other
            yield Frame(verb), other
            noun = parsed[other].lemma
            for inner in (*sentence.of(other, "oblique"), *obliques):
                yield Frame(f"{verb} {noun}", parsed[inner].case), inner
        for other in sentence.of(at, "complement"):
            if parsed[other].kind in ("adjective", "verb"):
                for inner in (*sentence.of(other, "oblique", "agent"), *obliques):
                    yield Frame(parsed[other].lemma, parsed[inner].case, True), inner
        for other in obliques:
            case, noun = parsed[other].case, parsed[other].lemma
            if case:
                yield Frame(verb, case, is_passive), other
                for inner in (
                    *sentence.of(other, "oblique"),
                    *(one for one in obliques if one > other),
                ):
                    yield Frame(f"{verb} {case} {noun}", parsed[inner].case, is_passive), inner

    def objects(self, at: int) -> list[int]:
        """Return a verb's objects; a name right behind it that is only a modifier is one."""
        behind_comma = self._sides.is_behind_comma
        objects = [one for one in self._sentence.of(at, "object") if not behind_comma(one)]
        if objects:
            return objects
        beside = self._sentence.of(at, "modifier")
        named = (one for one in beside if one > at and self._sides.is_named(one))
        return [one for one in named if not behind_comma(one)][:1]

    def _completions(self, at: int) -> list[str]:
        """Return what a verb's adjective or its phrase without a name adds to it: "shoot dead"."""
        parsed, sentence = self._parsed, self._sentence
        adjectives = (one for one in sentence.of(at, "complement", "modifier"))
        return [
            *(parsed[one].lemma for one in adjectives if parsed[one].kind == "adjective"),
            *(f"{parsed[one].case} {parsed[one].lemma}" for one in sentence.of(at, "oblique")),
        ]

    # -- Nouns -------------------------------------------------------------------------------------

    def _found(self, at: int) -> Iterator[InferredRelation]:
        """Yield in what state somebody is found: "they found Ann dead"."""
        word, over = self._parsed[at], self._parsed[self._parsed[at].head]
        is_found = word.role == "clause" and over.lemma in self._states
        if is_found and is_plain(self._sentence, word.head, self._words, self._sides.quoted):
            for status in self._words.statuses.get(Frame(word.lemma), ()):
                for one in self._sentence.of(at, "subject"):
                    for side in self._sides.of(one):
                        yield from self._status(side, status, at)

    def _noun(self, at: int) -> Iterator[InferredRelation]:
        noun = self._parsed[at].lemma
        yield from self._found(at)
        yield from self._presupposed(at)
        yield from self._local(at)
        if is_denied(self._sentence, at, self._words):
            return
        if self._sides.is_named(at) and not self._is_role(noun):
            return
        if self._parsed[at].role == "apposition" and self._sides.is_plural(at):
            several = list(self._nearest(self._parsed[at].head, at))
            if len(several) > 1 and not list(self._own_owners(at)):
                yield from self._are(at, several, at)
        for holder in self._holders(at):
            if holder.verb is None:
                is_asked = self._sentence.asks and self._parsed[at].role == "apposition"
                holds = not is_asked and is_real(self._sentence, at, self._words)
            else:
                holds = is_plain(self._sentence, holder.verb, self._words, self._sides.quoted)
            if holds:
                is_over = holder.verb is not None and self._is_over(holder.verb)
                for owner in self._owners(at):
                    yield from self._role(at, holder.side, owner, is_over)

    def _presupposed(self, at: int) -> Iterator[InferredRelation]:
        """Yield what a name's words presuppose: "the late Ann"; and a noun: "Ann's grave"."""
        words, status = self._words, self._words.status_nouns.get(self._parsed[at].lemma)
        if self._sides.is_named(at):
            has_article = any(True for _ in self._sentence.of(at, "determiner", "possessor"))
            for one in self._sentence.of(at, "modifier") if has_article else ():
                said = words.status_modifiers.get(self._parsed[one].lemma)
                for side in self._sides.of(at) if said else ():
                    yield from self._status(side, said or "", one)
        elif status is not None and self._is_sound(at):
            for owner in self._own_owners(at):
                if owner.case in _WHOSE and owner.side.sureness == 1:
                    yield from self._status(owner.side, status, at)

    def _local(self, at: int) -> Iterator[InferredRelation]:
        """Yield what a name with another behind it is: "the Swan in Vantry", "Ann of the Guild"."""
        if not self._sides.is_named(at) or not is_real(self._sentence, at, self._words):
            return
        for other in self._sentence.of(at, "oblique"):
            if not self._sides.is_named(other):
                continue
            case = self._case(other)
            for one in self._sides.of(at):
                for behind in self._sides.of(other):
                    kind = _BEHIND.get((one.mention.type, case, behind.mention.type))
                    if kind is not None:
                        reading = self._ontology.read_name(kind)
                        yield self._relation(reading, one, behind, at, other, f"behind: {case}")

    def _is_sound(self, at: int) -> bool:
        """Say whether what a noun presupposes is so: it is not wanted, feared or about to be."""
        over = (self._parsed[one] for one in upwards(self._sentence, at))
        if any(one.kind == "verb" and one.lemma in self._words.unreal for one in over):
            return False
        is_new = self._parsed[at].role in ("complement", "object")
        holds = is_plain if is_new else is_real
        return holds(self._sentence, at, self._words)

    def _is_role(self, noun: str) -> bool:
        role = self._ontology.read_role(noun, "person", "person")
        return noun in self._words.nouns or role is not None

    def _role(self, at: int, who: Side, owner: _Owner, is_over: bool) -> Iterator[InferredRelation]:
        """Yield the relation that a noun states between who it is and whose it is."""
        whose, case, place = owner
        if who.mention.entity == whose.mention.entity:
            return
        before = [one for one in self._sentence.of(at, "modifier", "part of name") if one < at]
        beside = [self._sides.text(one) for one in before]
        noun = self._parsed[at].lemma
        behind = [
            f"{noun}-{self._parsed[one].case}-{self._parsed[one].lemma}"
            for one in self._sentence.of(at, "oblique")
            if self._sides.is_hyphenated(at)
        ]
        for name in behind or (*(f"{word} {noun}" for word in beside), noun):
            reading = self._read(name, who, whose, case)
            if reading is not None:
                has_ended = is_over or not self._words.former.isdisjoint(beside)
                rule = f"noun: {name} {case}"
                yield self._relation(reading, who, whose, at, place, rule, has_ended=has_ended)
                return
        kind = _OF_CLASS.get((who.mention.type, case, whose.mention.type))
        if kind is not None and self._parsed[at].role in ("complement", "apposition"):
            reading = self._ontology.read_name(kind)
            rule = f"class: {noun} {case}"
            yield self._relation(reading, who, whose, at, place, rule, has_ended=is_over)

    def _read(self, name: str, who: Side, whose: Side, case: str) -> Reading | None:
        """Return what "NAME of" says of somebody, by the types of both."""
        types = who.mention.type, whose.mention.type
        if case != "to":
            for kind in self._words.nouns.get(name, ()):
                reading = self._ontology.read_name(kind)
                if self._ontology.fits(reading, *types):
                    return reading
        role = self._ontology.read_role(name, *types)
        if role is None or not self._ontology.fits(role, *types):
            return None
        if case in _WHOSE:
            return role
        is_sure = self._ontology.fits(role, *types, strictly=True)
        return role if role.kind in LOCAL and is_sure else None

    def _holders(self, at: int) -> Iterator[_Holder]:
        """Yield who has the role that a noun names."""
        parsed, sentence = self._parsed, self._sentence
        for place in upwards(sentence, at):
            word, head = parsed[place], parsed[place].head
            over = parsed[head]
            if word.role == "complement" and over.lemma in self._states:
                yield from (_Holder(side, head) for side in self.subjects(head)[0])
                return
            if word.role == "complement" and over.lemma in self._words.naming:
                subjects, is_passive = self.subjects(head)
                if is_passive:
                    yield from (_Holder(side, head) for side in subjects)
                return
            if word.role == "oblique" and word.case == "as" and over.kind == "verb":
                yield from (_Holder(side, head) for side in self.subjects(head)[0])
                return
            if word.role == "apposition" and not self._sides.is_named(at):
                yield from (_Holder(side, None) for side in self._nearest(head, at))
                return
            if word.role == "part of name" and self._sides.is_named(head) and place == at:
                yield from (_Holder(side, None) for side in self._sides.of(head))
                return
            is_said = over.lemma in self._words.copulas or over.lemma in self._words.naming
            if word.role in ("subject", "passive subject") and is_said:
                for other in sentence.of(head, "complement"):
                    if self._sides.is_named(other):
                        yield from (_Holder(side, head) for side in self._sides.each(other))
            is_one_of = self._case(place) == "of" and over.lemma in self._words.partitive
            if word.role == "adverbial clause" and place < head and place == at:
                yield from (_Holder(side, head) for side in self.subjects(head)[0])
                return
            if word.role != "conjunct" and not is_one_of:
                break
        if parsed[place].role == "root" and parsed[place].kind == "noun":
            yield from (_Holder(side, place) for side in self._sides.of(place))
            return
        is_had = parsed[at].role == "object" and parsed[parsed[at].head].lemma in self._words.having
        verb = parsed[at].head if is_had else None
        if self._sides.beside(at) or any(True for _ in sentence.of(at, "participle")):
            yield from (_Holder(side, verb) for side in self._sides.of(at))

    def _nearest(self, head: int, at: int) -> Iterator[Side]:
        """Yield whom an apposition is about: of several names the last before it, or all."""
        names = [one for one in (head, *self._sides.joined(head)) if one < at]
        for one in names if self._sides.is_plural(at) else (names or [head])[-1:]:
            yield from self._sides.of(one)

    def _owners(self, at: int) -> Iterator[_Owner]:
        """Yield whose a role is: by its own words, or by those of a role that it is joined to."""
        before = [one for one in upwards(self._sentence, at) if one != at]
        is_joined = self._parsed[at].role == "conjunct"
        for place in (at, *self._sides.joined(at), *(before[:1] if is_joined else ())):
            found = list(self._own_owners(place))
            if found and (place not in before or all(one.case == "'s" for one in found)):
                yield from found
                return
        subject = self._sides.context.subject
        if subject is not None and subject.type in PERSONAL and self._opens(at):
            yield _Owner(Side(subject, 0.85), "'s", at)

    def _opens(self, at: int) -> bool:
        """Say whether a noun begins its line, in the sheet of whom it is about: "Wife Ruth"."""
        own = any(True for _ in self._sentence.of(at, "determiner", "possessor"))
        return at <= 1 and not own and not self._sentence.is_fragment

    def _case(self, at: int) -> str:
        """Return a word's preposition: of other languages, the one that says the same as "of"."""
        case = self._parsed[at].case
        return "of" if case in self._words.of and case not in _WHOSE else case

    def _own_owners(self, at: int) -> Iterator[_Owner]:
        head = self._parsed[at].head
        if self._parsed[at].role == "object" and self._parsed[head].lemma in self._words.having:
            yield from (_Owner(side, "'s", head) for side in self.subjects(head)[0])
        owned = [at, head] if self._parsed[at].role == "part of name" else [at]
        for other in (other for one in owned for other in self._sentence.of(one, "possessor")):
            yield from (_Owner(side, "'s", other) for side in self._sides.each(other))
        for other in self._sentence.of(at, "oblique"):
            case = self._case(other)
            yield from (_Owner(side, case, other) for side in self._sides.each(other))
            if self._parsed[other].lemma in self._words.sides:
                for inner in self._sentence.of(other, "oblique"):
                    yield from (_Owner(side, case, inner) for side in self._sides.each(inner))
        for other in self._sentence.of(at, "part of name"):
            if self._sides.is_named(other):
                yield from (_Owner(side, "of", other) for side in self._sides.of(other))

    # -- What is said ------------------------------------------------------------------------------

    def _relation(
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
        source, target = (other, one) if reading.is_inverse else (one, other)
        start, end = self._span([at, place], [one, other])
        spoken = SPOKEN if at in self._sides.quoted else 1.0
        sureness = SURE * min(one.sureness, other.sureness) * spoken
        return InferredRelation(
            source.mention, reading.kind, target.mention, start, end, sureness, rule, has_ended
        )

    def _status(self, side: Side, status: str, at: int) -> Iterator[InferredRelation]:
        """Yield a status of a living thing, or of what may be one."""
        if side.mention.type in PERSONAL or side.mention.type in UNTYPED:
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
