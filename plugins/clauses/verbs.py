"""What verbs state: of their subject and object, of whom they are done to, of whose body it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from writeros_entities import Frame, InferredRelation

from .grammar import MOST_HEADS, WHOSE, Grammar
from .sides import PERSONAL, Side
from .worth import is_plain

_WITHIN = frozenset(
    {
        *("lives_in", "located_in", "based_in", "born_in", "died_in", "buried_in"),
        "imprisoned_in",
    }
)
"""Kinds that hold of a place if they hold of a place in it."""

_MUTUAL = (("", False), ("to", True), ("with", True), ("with", False))
"""The prepositions, and whether it is passive, by which a verb may state what holds both ways."""


class VerbReader(Grammar):
    """Reads the verbs of one sentence."""

    def read(self, at: int) -> Iterator[InferredRelation]:
        """Yield what a verb states."""
        if not is_plain(self._sentence, at, self._words, self._sides.quoted):
            return
        verb = self.dictionary_form(at)
        subjects, is_passive = self.subjects(at)
        for status, place in self._statuses(at, verb, is_passive):
            for side in subjects:
                yield from self.status(side, status, place)
        yield from self._bodily(at, verb, is_passive=is_passive)
        for one in self._sentence.of(at, "subject"):  # "the fever took Ann"
            taken = [side for other in self.objects(at) for side in self._sides.each(other)]
            yield from self._suffered(Frame(f"{self._parsed[one].lemma} {verb}"), taken, at)
        for frame, place in self.frames(at, verb, is_passive):
            others = list(self._sides.each(place)) or self._inside(frame, place)
            yield from self._related(frame, subjects, others, at, place)
            named = [one for one in others if one.sureness == 1]
            yield from self._suffered(frame, named, at)
            if frame == Frame(verb) and verb in self._states:
                for more in self.completions(at):
                    for status in self._words.statuses.get(Frame(more), ()):
                        for side in named:
                            yield from self.status(side, status, at)
        if is_passive:
            if self._parsed[at].role != "adverbial clause":
                yield from self._suffered(Frame(verb), subjects, at)
            acts = [f"{verb} {self._parsed[one].lemma}" for one in self._sentence.of(at, "object")]
            for agent in self._sentence.of(at, "agent"):
                doers = list(self._sides.each(agent))
                for act in (verb, *acts):  # "was taken prisoner by Ann"
                    yield from self._related(Frame(act), doers, subjects, at, agent)
        yield from self._mutual(at, verb, subjects)
        yield from self._of_subject(at, verb)

    def _inside(self, frame: Frame, place: int, depth: int = 0) -> list[Side]:
        """Return the place that a place without a name is in: "lives in a house in Vantry"."""
        kinds = self._words.verbs.get(frame, ())
        if _WITHIN.isdisjoint(kinds) or self._parsed[place].kind != "noun" or depth > MOST_HEADS:
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
            yield from self.between(kinds[:1], subjects, at, place, rule, is_mutual=bool(objects))
        is_passive = any(True for _ in sentence.of(at, "passive auxiliary"))
        for other in sentence.of(at, "complement", *(("object",) if is_passive else ())):
            is_state = parsed[at].lemma in self._states or is_passive
            if is_state and not list(self.own_owners(other)):
                yield from self.are(other, subjects, at)

    def _of_subject(self, at: int, verb: str) -> Iterator[InferredRelation]:
        """Yield what a verb says of whose its subject is: "the Guild's seat is in Vantry"."""
        parsed = self._parsed
        for subject in self._sentence.of(at, "subject", "passive subject"):
            if parsed[subject].kind == "noun" and not self._sides.is_named(subject):
                owners = [one.side for one in self.own_owners(subject) if one.case in WHOSE]
                for other in self._sentence.of(at, "oblique", "complement"):
                    frame = Frame(f"{parsed[subject].lemma} {verb}", parsed[other].case)
                    yield from self._related(
                        frame, owners, list(self._sides.each(other)), at, other
                    )

    def _statuses(self, at: int, verb: str, is_passive: bool) -> Iterator[tuple[str, int]]:
        """Yield what a verb, or the adjective behind "is", says that its subject is.

        Who is doing it has not done it yet, and an act that is done to another is no status.
        """
        parsed, sentence, statuses = self._parsed, self._sentence, self._words.statuses
        if parsed[at].form == "present participle":
            return
        objects = [one for one in self.objects(at) if not self.is_place(one)]
        if any(map(self._sides.is_plural, objects)) and not self._is_of_several(at):
            return  # "Ann loses three lives"
        frames = [Frame(f"{verb} {parsed[one].lemma}", "", is_passive) for one in objects]
        frames += [Frame(f"{verb} {more}", "", is_passive) for more in self.completions(at)]
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

    def _is_of_several(self, at: int) -> bool:
        """Say whether a verb may be about several: "the Vanes lost their lives"."""
        own = list(self._sentence.of(at, "subject", "passive subject"))
        return len(self.subjects(at)[0]) != 1 or any(
            self._sides.is_plural(one) or self._parsed[one].kind == "pronoun" for one in own
        )

    def _suffered(
        self, frame: Frame, others: Sequence[Side], at: int
    ) -> Iterator[InferredRelation]:
        """Yield what those become to whom something is done, whoever does it: "Ann was killed"."""
        if self.is_going_on(at):
            return
        kinds = (self._ontology.kind(one) for one in self._words.verbs.get(frame, ()))
        own = self._words.suffered.get(frame, ())
        for status in (*own, *(one.target_status for one in kinds)):
            for side in others if status else ():
                yield from self.status(side, status or "", at)

    def _bodily(self, at: int, verb: str, *, is_passive: bool) -> Iterator[InferredRelation]:
        """Yield what becomes of those whose body suffers: "Ann's head flew off"."""
        parsed, sentence, words = self._parsed, self._sentence, self._words
        subjects = list(sentence.of(at, "subject", "passive subject"))
        beside = [parsed[one].lemma for one in sentence.of(at, "modifier") if one > at]
        said: list[tuple[int, Sequence[str]]] = []
        for part in [] if is_passive else subjects:
            act = f"{parsed[part].lemma} {verb}"
            acts = [act, *(f"{act} {more}" for more in (*beside, *self.completions(at)))]
            for one in dict.fromkeys(acts):
                told, _, last = one.rpartition(" ")
                frames = Frame(one), Frame(told, last)
                said += ((part, words.statuses.get(frame, ())) for frame in frames)
        for part in subjects if is_passive else self.objects(at):
            said.append((part, words.suffered.get(Frame(f"{verb} {parsed[part].lemma}"), ())))
        for part, statuses in said:
            for owner in self.own_owners(part) if statuses and not self.is_going_on(at) else ():
                if owner.case in WHOSE:
                    for status in statuses:
                        yield from self.status(owner.side, status, at)

    def _is_for_somebody(self, at: int) -> bool:
        """Say whether a verb's statement holds for somebody alone: "to Bob, Ann was dead"."""
        beside = self._sentence.of(at, "oblique")
        return any(self._parsed[one].case == "to" and self._sides.is_named(one) for one in beside)

    def _related(
        self, frame: Frame, ones: Sequence[Side], others: Sequence[Side], at: int, place: int
    ) -> Iterator[InferredRelation]:
        """Yield the first of a frame's kinds that fits the types of some two sides."""
        rule = f"verb: {frame.verb} {frame.case}".rstrip()
        ended = self._words.ended.get(frame, ())
        is_over = bool(ended) or self.is_over(at)
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
                yield self.relation(reading, *pair, at, place, rule, has_ended=is_over)
            if fitting:
                return
