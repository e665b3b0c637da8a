"""Whom the words of a page mean: mentions, and what stands for them.

A pronoun, a relative pronoun or the missing subject of a fragment gets the entity that the page's
layout or the nearest fitting name gives, or none. Which name that is depends on the text alone, so
that what a later chapter reveals of other names changes nothing here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from writeros_entities import HIDDEN, MARK, DecidedMention, PageSentence, Words, spoken_spans

PERSONAL = frozenset({"person", "creature"})
"""Types of entities that are he or she, and not it."""

_PARTIES = frozenset({"subject", "passive subject", "object", "agent"})
"""Roles of those whom a clause is about, whom "he" behind it may mean."""

_AS = frozenset({"", "as"})
"""What stands between a verb of naming and the name: "called Ann", "known as Ann"."""

_FIRST_PERSON = frozenset({"self", "own"})
"""What the subjects are, in a language's words, that are "I" and "my"."""

_PLACE = "place"
_THING = "thing"
_ANY = "any"
"""The gender of "they", which may mean several: only a name that stands alone before it."""


class Side(NamedTuple):
    """Somebody or something that a word means, and how sure that is, in 0-1."""

    mention: DecidedMention
    sureness: float = 1.0


@dataclass(frozen=True)
class Context:
    """What stands around a sentence.

    `subject` is whom its line is about, `topic` what the sentence before is about. `title` has the
    words of the note's title, if the line is about the note's own entity: "the empire" is that one
    in the note of an empire; of `sorts`, the nouns for what it is, only with "the". `others` are
    the genders of people without a name that were spoken of since the topic was; `genders` those
    that the note tells of names, as they are written. `things` are the names in the sentence before
    that are none of people; `own` is the note's own entity. `whose` are those, by gender, whom the
    pronoun means with which the sentence before begins: "Her mother… Her father…". `speaker` is who
    "I" is in what is said.
    """

    subject: DecidedMention | None
    topic: Sequence[Side] = ()
    title: frozenset[str] = frozenset()
    sorts: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    things: Sequence[Side] = ()
    own: DecidedMention | None = None
    genders: Mapping[str, str] = field(default_factory=dict)
    whose: Mapping[str, Sequence[Side]] = field(default_factory=dict)
    speaker: DecidedMention | None = None


class Mentions:
    """A note's mentions by place."""

    def __init__(self, mentions: Sequence[DecidedMention]) -> None:
        self._all = sorted(mentions, key=lambda one: (one.start, one.end))
        self._starts = [one.start for one in self._all]
        self._longest = max((one.end - one.start for one in self._all), default=0)

    def overlapping(self, start: int, end: int) -> Iterator[DecidedMention]:
        """Yield the mentions that share a character with a span."""
        at = bisect_left(self._starts, start - self._longest)
        while at < len(self._all) and self._starts[at] < end:
            if self._all[at].end > start:
                yield self._all[at]
            at += 1

    def within(self, start: int, end: int) -> list[DecidedMention]:
        """Return the mentions inside a span that are in no longer one, in order."""
        found = [
            one for one in self.overlapping(start, end) if start <= one.start and one.end <= end
        ]
        kept: list[DecidedMention] = []
        for one in sorted(found, key=lambda one: (one.start, -one.end)):
            if not kept or one.end > kept[-1].end or _span(one) == _span(kept[-1]):
                kept.append(one)
        return kept


def _span(mention: DecidedMention) -> tuple[int, int]:
    return mention.start, mention.end


class Sides:
    """The sides of one sentence."""

    def __init__(
        self,
        sentence: PageSentence,
        mentions: Mentions,
        context: Context,
        words: Words,
        prose: str,
    ) -> None:
        self.sentence = sentence
        self._prose = prose
        self.context = context
        self._words = words
        self._named: dict[int, list[DecidedMention]] = {}
        for mention in mentions.within(sentence.start, sentence.end):
            head = self._head(mention)
            if head is not None:
                self._named.setdefault(head, []).append(mention)

    def _head(self, mention: DecidedMention) -> int | None:
        """Return the word of a mention on which its others depend."""
        words = self.sentence.words
        inside = [
            at
            for at, word in enumerate(words)
            if word.start < mention.end and word.end > mention.start
        ]
        return next(
            (at for at in inside if words[at].head == at or words[at].head not in inside), None
        )

    def beside(self, at: int) -> list[int]:
        """Return the appositions of a word: also a name behind a noun that is parsed like it.

        Some models take a name behind a noun for what describes it: "son frère Luc".
        """
        words, found = self.sentence.words, list(self.sentence.of(at, "apposition"))
        if words[at].kind == "noun" and at not in self._named:
            names = (one for one in self.sentence.of(at, "modifier") if one > at)
            found += [one for one in names if one in self._named and not words[one].case]
        next_to = 1 + max((at, *(one for one in self.sentence.of(at, "oblique") if one > at)))
        if found or next_to not in self._named or words[at].kind != "noun" or at in self._named:
            return found
        word, behind = words[at], words[next_to]
        is_loose = behind.role in ("modifier", "other") and not behind.case
        is_alike = word.head == behind.head and (is_loose or behind.role == word.role)
        return [next_to] if is_alike and word.role != "root" else []

    def is_named(self, at: int) -> bool:
        """Say whether a word is the head of a mention."""
        return at in self._named

    def is_unbroken(self, one: int, other: int) -> bool:
        """Say whether only space stands between a word and a later one."""
        words = self.sentence.words
        return self._prose[words[one].end : words[other].start].isspace()

    def text(self, at: int) -> str:
        """Return a word as it is written, in lower case."""
        word = self.sentence.words[at]
        return self._prose[word.start : word.end].lower()

    @cached_property
    def quoted(self) -> frozenset[int]:
        """The words of a sentence between quotation marks, if others of it are not."""
        if self.sentence.is_speech:
            return frozenset()
        start = self._prose.rfind("\n", 0, self.sentence.start) + 1
        paragraph = self._prose[start : self.sentence.end]
        spans = [(start + begin, start + end) for begin, end in spoken_spans(paragraph)]
        return frozenset(
            at
            for at, word in enumerate(self.sentence.words)
            if any(begin <= word.start < end for begin, end in spans)
        )

    def _is_spoken(self, at: int) -> bool:
        return self.sentence.is_speech or at in self.quoted

    def is_hyphenated(self, at: int) -> bool:
        """Say whether a hyphen follows a word: "brother-in-law"."""
        return self._prose.startswith("-", self.sentence.words[at].end)

    def is_behind_comma(self, at: int) -> bool:
        """Say whether a name stands apart behind a comma: it may be whom one speaks to."""
        start = self._named[at][0].start if at in self._named else self.sentence.words[at].start
        return self._prose[max(0, start - 80) : start].rstrip(f" {MARK}{HIDDEN}").endswith(",")

    def is_plural(self, at: int) -> bool:
        """Say whether a noun is not in its dictionary form: "cousins"."""
        word = self.sentence.words[at]
        return word.kind == "noun" and self.text(at) != word.lemma

    def things(self) -> tuple[Side, ...]:
        """Return the names in the sentence that are none of people, each once."""
        named = {
            one.entity: Side(one, 0.75)
            for found in self._named.values()
            for one in found
            if one.type not in PERSONAL
        }
        return tuple(named.values())

    def of(self, at: int) -> list[Side]:
        """Return what a word means, through appositions and relative pronouns."""
        return self._of(at, frozenset())

    def each(self, at: int) -> Iterator[Side]:
        """Yield what a word means, and what the words joined to it by "and" mean."""
        yield from self.of(at)
        for other in self.joined(at):
            yield from self.of(other)

    def joined(self, at: int) -> Iterator[int]:
        """Yield the words joined to a word by "and" or commas.

        What is parsed as an apposition with more joined to it is one of a list: "walls, gates and".
        """
        sentence = self.sentence
        for other in sentence.of(at, "conjunct", "apposition"):
            is_listed = any(True for _ in sentence.of(other, "conjunct"))
            is_named = at in self._named or other in self._named
            if sentence.words[other].role == "conjunct" or (is_listed and not is_named):
                yield other
                yield from self.joined(other)

    def subject(self) -> list[Side] | None:
        """Return what the sentence is about, or None if it says nothing new of that."""
        words = self.sentence.words
        for at, word in enumerate(words):
            if word.role in ("subject", "passive subject") and words[word.head].role == "root":
                found = self.of(at)
                if found or word.kind not in ("pronoun", "determiner"):
                    return found
                return None
        return None

    def whose(self) -> Mapping[str, Sequence[Side]]:
        """Return whom the pronoun means, by its gender, with which the sentence begins: "Her"."""
        first = self.sentence.words[0] if self.sentence.words else None
        if first is None or first.role != "possessor" or first.lemma not in self._words.pronouns:
            return {}
        return {self._words.pronouns[first.lemma]: self.of(0)}

    def unnamed(self) -> frozenset[str]:
        """Return the genders of people in the sentence who have no name: "a man"."""
        return frozenset(
            self._words.people[word.lemma]
            for at, word in enumerate(self.sentence.words)
            if self._is_somebody(at)
        )

    def _is_somebody(self, at: int) -> bool:
        """Say whether a word is a noun for a man or a woman who has no name here."""
        word = self.sentence.words[at]
        is_noun = word.kind == "noun" and word.role in _PARTIES
        return is_noun and word.lemma in self._words.people and not self.of(at)

    def _fits(self, gender: str, mention: DecidedMention) -> bool:
        """Say whether a pronoun of a gender may mean an entity, by its type and its gender."""
        if gender == _ANY:
            return True
        if (gender == _THING) == (mention.type in PERSONAL):
            return False
        return self.context.genders.get(mention.surface, gender) == gender

    def _of(self, at: int, seen: frozenset[int]) -> list[Side]:
        if at in seen:
            return []
        seen |= {at}
        found = self._own(at)
        if found is not None:
            return found
        words = self.sentence.words
        word = words[at]
        if word.lemma in self._words.relative_pronouns and word.kind in ("pronoun", "determiner"):
            clause = self._relative_clause(at)
            return [] if clause is None else self._of(words[clause].head, seen)
        beside = self.beside(at)
        if self._is_spoken(at) and not self._is_shown(at):  # a name apart may be who is spoken to
            beside = [one for one in beside if not self.is_behind_comma(one)]
        named = [one for one in beside if self.is_named(one)]
        named += [name for one in (at, *beside) for name in self._called(one)]
        if named:
            return [
                side for one in (named[0], *self.joined(named[0])) for side in self._of(one, seen)
            ]
        is_what = word.kind == "noun" and word.role == "complement"
        if is_what and words[word.head].lemma in self._words.copulas:
            for other in self.sentence.of(word.head, "subject"):
                return self._of(other, seen)
        if word.kind == "noun" and word.role == "apposition":
            return self._of(word.head, seen)
        return []

    def shown(self, at: int) -> list[Side]:
        """Return who is introduced by a noun: "This is my son, Wim"."""
        return self.of(at) if self._is_shown(at) else []

    def _is_shown(self, at: int) -> bool:
        words = self.sentence.words
        verb = words[at].head
        return words[at].role == "complement" and any(
            words[one].lemma in self._words.pointing for one in self.sentence.of(verb, "subject")
        )

    def _own(self, at: int) -> list[Side] | None:
        """Return what a word means by itself, or None if it means nothing by itself."""
        word = self.sentence.words[at]
        if at in self._named:
            return [Side(mention) for mention in self._named[at]]
        subject = self.context.subject
        if self.sentence.is_fragment and at == 0:
            return [] if subject is None else [Side(subject, 0.9)]
        if word.kind == "noun" and word.role == "root":
            return [] if subject is None else [Side(subject, 0.8)]
        if subject is not None and word.kind == "noun" and self._is_note(at):
            return [Side(subject, 0.85)]
        if word.lemma in self._words.pointing_places:
            return self._place(at)
        if word.lemma in self._words.pronouns:
            return self._antecedent(at, self._words.pronouns[word.lemma])
        if self._words.subjects.get(word.lemma) in _FIRST_PERSON:
            speaker = self.context.speaker if self._is_spoken(at) else None
            return [] if speaker is None else [Side(speaker, 0.85)]
        return None

    def what_is(self, entity: str) -> frozenset[str]:
        """Return the nouns that the sentence says an entity to be: "Vantry is a town"."""
        words = self.sentence.words
        return frozenset(
            word.lemma
            for word in words
            if word.kind == "noun"
            and word.role == "complement"
            and words[word.head].lemma in self._words.copulas
            and any(
                side.mention.entity == entity
                for one in self.sentence.of(word.head, "subject")
                for side in self.of(one)
            )
        )

    def _is_note(self, at: int) -> bool:
        """Say whether a noun means the note's own entity: "the town", "this town"."""
        lemma, context = self.sentence.words[at].lemma, self.context
        known = (self._words.leading | self._words.pointing) - self._words.articles
        determiners = [self.text(one) for one in self.sentence.of(at, "determiner")]
        is_group = context.subject is not None and context.subject.type == "faction"
        is_any = is_group and "based_in" in self._words.nouns.get(lemma, ())  # "the organisation"
        is_sort = (lemma in context.sorts or is_any) and not known.isdisjoint(determiners)
        return is_sort or (lemma in context.title and bool(determiners))

    def _place(self, at: int) -> list[Side]:
        """Return the place that "here" means in a place's own note, or "where" behind a place."""
        own = self.context.own
        if self._words.pointing_places[self.sentence.words[at].lemma] == "own":
            is_here = own is not None and own.type == _PLACE and not self._is_spoken(at)
            return [Side(own, 0.85)] if own is not None and is_here else []
        clause = self._relative_clause(at)
        found = [] if clause is None else self._of(self.sentence.words[clause].head, frozenset())
        return [one for one in found if one.mention.type == _PLACE]

    def _called(self, at: int) -> list[int]:
        """Return the name that a word has by what follows it: "a sailor called Ann"."""
        return [
            name
            for one in self.sentence.of(at, "participle")
            if self.sentence.words[one].lemma in self._words.naming
            for name in self.sentence.of(one, "complement", "object", "oblique")
            if self.is_named(name) and self.sentence.words[name].case in _AS
        ]

    def _relative_clause(self, at: int) -> int | None:
        words = self.sentence.words
        seen: set[int] = set()
        while at not in seen:
            seen.add(at)
            if words[at].role == "relative clause":
                return at
            at = words[at].head
        return None

    def _antecedent(self, at: int, gender: str) -> list[Side]:
        """Return whom a pronoun means: the one name before it, or the subject of what is before.

        Behind somebody without a name, or behind "him", it may be somebody else.
        """
        words = self.sentence.words
        own = words[words[at].head]
        if at == 0 and words[at].role == "possessor" and self.context.whose.get(gender):
            return list(self.context.whose[gender])
        if words[at].role == "possessor" and own.role == "conjunct" and self.is_named(own.head):
            fitting = [one for one in self.of(own.head) if self._fits(gender, one.mention)]
            if fitting:
                return [Side(one.mention, 0.85) for one in fitting]
        is_of_people = words[at].role == "possessor" and own.lemma in self._words.people
        for place in range(at):
            word = words[place]
            if self._words.people.get(word.lemma) == gender and self._is_somebody(place):
                return []
            if word.kind == "pronoun" and self._words.pronouns.get(word.lemma) == gender:
                if word.role in ("subject", "passive subject"):
                    return self._own(place) or []
                if word.role != "possessor":
                    return []
        beside = self._beside(at)
        earlier = [
            place
            for place in range(at)
            if place not in beside and self._may_be_meant(place, gender)
        ]
        if at in self.quoted:  # '"Ann," Ben said, "She is…"': she is not who says so
            earlier = [at for at in earlier if at in self.quoted]
        if is_of_people:  # "à Vantry avec son mari": no husband of Vantry
            earlier = [at for at in earlier if self._is_of_people(at)]
        subjects = [at for at in earlier if self._is_subject(at)]
        caption = self.context.subject
        if earlier and not subjects and caption is not None and self._is_captioned(caption):
            return [Side(caption, 0.8)] if self._fits(gender, caption) else []
        if len(earlier) == 1:
            return [Side(one.mention, 0.85) for one in self._own(earlier[0]) or ()]
        if len(subjects) == 1 and gender != _ANY:
            return [Side(one.mention, 0.75) for one in self._own(subjects[0]) or ()]
        if earlier or gender in self.context.others or self._is_spoken(at):
            return []
        if gender == _THING and not any(
            self._fits(gender, one.mention) for one in self.context.topic
        ):
            return list(self.context.things) if len(self.context.things) == 1 else []
        return [
            Side(side.mention, min(side.sureness, 0.8))
            for side in self.context.topic
            if self._fits(gender, side.mention)
        ]

    def _is_of_people(self, at: int) -> bool:
        return all(one.mention.type in (*PERSONAL, "unknown") for one in self._own(at) or ())

    def _is_captioned(self, subject: DecidedMention) -> bool:
        """Say whether a line begins with whom it is about: "[[Ann]] – went to Ben. She…"."""
        start = self._prose.rfind("\n", 0, self.sentence.start) + 1
        return start <= subject.start < self.sentence.start

    def _beside(self, at: int) -> frozenset[int]:
        """Return who is what "his" stands before: in "Ben is his friend" he is not Ben."""
        words = self.sentence.words
        if words[at].role != "possessor":
            return frozenset()
        at = words[at].head
        while words[at].role == "conjunct" or words[words[at].head].lemma in self._words.partitive:
            at = words[at].head
        head = words[at].head
        if words[at].role == "apposition":
            named = [one for one in (head, *self.joined(head)) if one < at]
            return frozenset(named if self.is_plural(at) else named[-1:])
        if words[at].role == "part of name":
            return frozenset((head,))
        if words[at].role == "complement":
            return frozenset(
                place
                for one in self.sentence.of(head, "subject", "passive subject")
                for place in (one, *self.joined(one))
            )
        return frozenset()

    def _is_subject(self, at: int) -> bool:
        """Say whether a word is a subject, or joined to one by "and"."""
        word = self.sentence.words[at]
        while word.role == "conjunct":
            word = self.sentence.words[word.head]
        return word.role in ("subject", "passive subject")

    def _may_be_meant(self, place: int, gender: str) -> bool:
        """Say whether a word may be what a pronoun means: a name, whoever it is."""
        word = self.sentence.words[place]
        if self.sentence.is_fragment and place == 0:
            subject = self.context.subject
            return subject is not None and self._fits(gender, subject)
        if word.role == "part of name":
            return False
        if place in self._named:
            return any(self._fits(gender, one) for one in self._named[place])
        return word.kind == "name" and gender != _THING
