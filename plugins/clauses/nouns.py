"""What nouns state of somebody in relation to somebody: "Ann, sister of Bob", "Bob's grave"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from writeros_entities import Frame, InferredRelation, Reading

from .grammar import UNTYPED, WHOSE, Grammar, Owner
from .sides import PERSONAL, Side
from .worth import is_denied, is_plain, is_real, upwards

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


class _Holder(NamedTuple):
    """Somebody with a role; `verb` is the word that says so, None if that is presupposed."""

    side: Side
    verb: int | None


class NounReader(Grammar):
    """Reads the nouns of one sentence."""

    def read(self, at: int) -> Iterator[InferredRelation]:
        """Yield what a noun, a name or an adjective states."""
        noun = self._parsed[at].lemma
        yield from self._found(at)
        yield from self._presupposed(at)
        yield from self._local(at)
        yield from self._bond(at)
        if is_denied(self._sentence, at, self._words):
            return
        if self._sides.is_named(at) and not self.is_role(noun):
            return
        if self._parsed[at].role == "apposition" and self._sides.is_plural(at):
            several = list(self._nearest(self._parsed[at].head, at))
            if len(several) > 1 and not list(self.own_owners(at)):
                yield from self.are(at, several, at)
        for holder in self._holders(at):
            if holder.verb is None:
                is_asked = self._sentence.asks and self._parsed[at].role == "apposition"
                holds = not is_asked and is_real(self._sentence, at, self._words)
            else:
                holds = is_plain(self._sentence, holder.verb, self._words, self._sides.quoted)
            if holds:
                is_over = holder.verb is not None and self.is_over(holder.verb)
                for owner in self._owners(at):
                    yield from self._role(at, holder.side, owner, is_over)

    def _found(self, at: int) -> Iterator[InferredRelation]:
        """Yield in what state somebody is found: "they found Ann dead"."""
        word, over = self._parsed[at], self._parsed[self._parsed[at].head]
        is_found = word.role == "clause" and over.lemma in self._states
        if is_found and is_plain(self._sentence, word.head, self._words, self._sides.quoted):
            for status in self._words.statuses.get(Frame(word.lemma), ()):
                for one in self._sentence.of(at, "subject"):
                    for side in self._sides.of(one):
                        yield from self.status(side, status, at)

    def _presupposed(self, at: int) -> Iterator[InferredRelation]:
        """Yield what a name's words presuppose: "the late Ann"; and a noun: "Ann's grave"."""
        words, status = self._words, self._words.status_nouns.get(self._parsed[at].lemma)
        if self._sides.is_named(at):
            has_article = any(True for _ in self._sentence.of(at, "determiner", "possessor"))
            for one in self._sentence.of(at, "modifier") if has_article else ():
                said = words.status_modifiers.get(self._parsed[one].lemma)
                for side in self._sides.of(at) if said else ():
                    yield from self.status(side, said or "", one)
        elif status is not None and self._is_sound(at):
            for owner in self.own_owners(at):
                if owner.case in WHOSE and owner.side.sureness == 1:
                    yield from self.status(owner.side, status, at)

    def _local(self, at: int) -> Iterator[InferredRelation]:
        """Yield what a name with another behind it is: "the Swan in Vantry", "Ann of the Guild"."""
        if not self._sides.is_named(at) or not is_real(self._sentence, at, self._words):
            return
        for other in self._sentence.of(at, "oblique"):
            if not self._sides.is_named(other):
                continue
            case = self.case(other)
            for one in self._sides.of(at):
                for behind in self._sides.of(other):
                    kind = _BEHIND.get((one.mention.type, case, behind.mention.type))
                    if kind is not None:
                        reading = self._ontology.read_name(kind)
                        yield self.relation(reading, one, behind, at, other, f"behind: {case}")

    def _bond(self, at: int) -> Iterator[InferredRelation]:
        """Yield what a noun says that two are to each other: "the feud between Ann and Bob"."""
        noun, sentence = self._parsed[at].lemma, self._sentence
        for place in sentence.of(at, "oblique"):
            kinds = self._words.bonds.get(Frame(noun, self._parsed[place].case), ())
            others = list(self._sides.each(place)) if kinds and self._is_sound(at) else []
            own = [side for one in sentence.of(at, "possessor") for side in self._sides.each(one)]
            if not own and len(others) == 1:
                own = list(self._bound(at))
            elif not own:
                own, others = others[:1], others[1:2]
            for reading in map(self._ontology.read_name, kinds[:1]):
                for one in own:
                    for other in others:
                        types = one.mention.type, other.mention.type
                        is_two = one.mention.entity != other.mention.entity
                        if is_two and self._ontology.fits(reading, *types):
                            yield self.relation(reading, one, other, at, place, f"noun: {noun}")

    def _bound(self, at: int) -> list[Side]:
        """Return whom a noun for a bond is about: "Ann has a feud with Bob", "Feud with Bob"."""
        word = self._parsed[at]
        over = self._parsed[word.head]
        is_had = word.role == "object" and over.lemma in self._words.having
        if is_had or (word.role == "complement" and self._sentence.is_fragment):
            return self.subjects(word.head)[0]
        return self._sides.of(at) if word.role == "root" else []

    def _is_sound(self, at: int) -> bool:
        """Say whether what a noun presupposes is so: it is not wanted, feared or about to be."""
        over = (self._parsed[one] for one in upwards(self._sentence, at))
        if any(one.kind == "verb" and one.lemma in self._words.unreal for one in over):
            return False
        is_new = self._parsed[at].role in ("complement", "object")
        holds = is_plain if is_new else is_real
        return holds(self._sentence, at, self._words)

    def _role(self, at: int, who: Side, owner: Owner, is_over: bool) -> Iterator[InferredRelation]:
        """Yield the relation that a noun states between who it is and whose it is."""
        whose, case, place = owner
        if who.mention.entity == whose.mention.entity:
            return
        before = [one for one in self._sentence.of(at, "modifier", "part of name") if one < at]
        before += [one for one in (at - 1,) if one >= 0 and self._sides.is_hyphenated(one)]
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
                yield self.relation(reading, who, whose, at, place, rule, has_ended=has_ended)
                return
        kind = _OF_CLASS.get((who.mention.type, case, whose.mention.type))
        is_class = case != "of" or self.read_role(noun, "person", "person") is None
        if kind is not None and is_class and self._parsed[at].role in ("complement", "apposition"):
            reading = self._ontology.read_name(kind)
            rule = f"class: {noun} {case}"
            yield self.relation(reading, who, whose, at, place, rule, has_ended=is_over)

    def _read(self, name: str, who: Side, whose: Side, case: str) -> Reading | None:
        """Return what "NAME of" says of somebody, by the types of both."""
        types = who.mention.type, whose.mention.type
        if case != "to":
            for kind in self._words.nouns.get(name, ()):
                reading = self._ontology.read_name(kind)
                if kind == "located_in" and who.mention.type in PERSONAL:
                    continue
                if (kind, case) == ("located_in", "of") and who.mention.type in UNTYPED:
                    return None  # "the city of Vantry" is Vantry itself
                if self._ontology.fits(reading, *types):
                    return reading
        role = self.read_role(name, *types)
        if role is None or not self._ontology.fits(role, *types):
            return None
        if case in WHOSE:
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
                subjects = self.subjects(head)[0] or self._sides.shown(place)
                yield from (_Holder(side, head) for side in subjects)
                return
            if word.role == "complement" and over.lemma in self._words.naming:
                subjects, is_passive = self.subjects(head)
                if is_passive:
                    yield from (_Holder(side, head) for side in subjects)
                return
            is_bare = not list(sentence.of(place, "possessor"))
            if word.role == "object" and is_bare and list(sentence.of(head, "passive auxiliary")):
                yield from (_Holder(side, head) for side in self.subjects(head)[0])
                return  # "Ann was sworn a sister of Bob"
            if word.role == "oblique" and word.case == "as" and over.kind == "verb":
                yield from (_Holder(side, head) for side in self.subjects(head)[0])
                return
            if word.role == "apposition" and not self._sides.is_named(at):
                yield from (_Holder(side, None) for side in self._described(head, at))
                return
            if word.role == "part of name" and self._sides.is_named(head) and place == at:
                yield from (_Holder(side, None) for side in self._sides.of(head))
                return
            is_said = over.lemma in self._words.copulas or over.lemma in self._words.naming
            if word.role in ("subject", "passive subject") and is_said:
                for other in sentence.of(head, "complement"):
                    if self._sides.is_named(other):
                        yield from (_Holder(side, head) for side in self._sides.each(other))
            is_one_of = self.case(place) == "of" and over.lemma in self._words.partitive
            if word.role == "adverbial clause" and place < head and place == at:
                yield from (_Holder(side, head) for side in self.subjects(head)[0])
                return
            if word.role != "conjunct" and not is_one_of and not self.is_beside_owner(at, place):
                break
        if parsed[place].role == "root" and parsed[place].kind == "noun":
            yield from (_Holder(side, place) for side in self._sides.of(place))
            return
        is_had = parsed[at].role == "object" and parsed[parsed[at].head].lemma in self._words.having
        verb = parsed[at].head if is_had else None
        if self._may_be_apart(at):
            return
        if self._sides.beside(at) or any(True for _ in sentence.of(at, "participle")):
            yield from (_Holder(side, verb) for side in self._sides.of(at))

    def _may_be_apart(self, at: int) -> bool:
        """Say whether a clause may end between a noun and the name right behind it.

        "She told her husband Ben was coming", "to please her husband Ben sang".
        """
        beside = self._sides.beside(at)
        if not beside or beside[0] != at + 1:
            return False
        begin = min((at, *self._sentence.of(at, "possessor", "determiner")))
        before = self._parsed[begin - 1] if begin else None
        if self._parsed[at].role in ("subject", "passive subject"):
            return before is not None and before.kind == "verb"
        behind = next(iter(self._parsed[at + 2 : at + 3]), None)
        return (
            self._parsed[at].role == "object"
            and behind is not None
            and behind.form in ("past", "present")
            and self._sides.is_unbroken(at + 1, at + 2)
        )

    def _described(self, head: int, at: int) -> list[Side]:
        """Return whom an apposition is about: behind a place, whoever the clause is about.

        "Ann grew up in Vantry, the daughter of a smith."
        """
        nearest, over = list(self._nearest(head, at)), self._parsed[head]
        role = self.read_role(self._parsed[at].lemma, "person", "person")
        is_of_person = role is not None and not any(
            self._ontology.fits(role, one.mention.type, "person") for one in nearest
        )
        if nearest and is_of_person and over.role == "oblique":
            return self.subjects(over.head)[0]
        return nearest

    def _nearest(self, head: int, at: int) -> Iterator[Side]:
        """Yield whom an apposition is about: of several names the last before it, or all."""
        names = [one for one in (head, *self._sides.joined(head)) if one < at]
        for one in names if self._sides.is_plural(at) else (names or [head])[-1:]:
            yield from self._sides.of(one)

    def _owners(self, at: int) -> Iterator[Owner]:
        """Yield whose a role is: by its own words, or by those of a role that it is joined to."""
        before = [one for one in upwards(self._sentence, at) if one != at]
        is_joined = self._parsed[at].role == "conjunct"
        for place in (at, *self._sides.joined(at), *(before[:1] if is_joined else ())):
            found = list(self.own_owners(place))
            if place not in (at, *before):  # "a rival and Ann's sister" is no rival of Ann
                found = [one for one in found if one.case != "'s"]
            if found and (place not in before or all(one.case == "'s" for one in found)):
                yield from found
                return
        subject = self._sides.context.subject
        if subject is not None and subject.type in PERSONAL and self._opens(at):
            yield Owner(Side(subject, 0.85), "'s", at)

    def _opens(self, at: int) -> bool:
        """Say whether a noun begins its line, in the sheet of whom it is about: "Wife Ruth"."""
        own = any(True for _ in self._sentence.of(at, "determiner", "possessor"))
        return at <= 1 and not own and not self._sentence.is_fragment
