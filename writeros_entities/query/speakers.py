"""Who says what: the speeches of a scene, each with its speaker where the text makes that certain.

    for speech in find_speeches(scene, {ann.id: "f", ben.id: "m"}):
        print(speech.speaker, speech.text)

Four rules, the surest first: a tag beside the speech ("said Ann", "Ann said", "Ann said at last:"),
the speech of the paragraph before that goes on, a beat (the one who acts between the words of a
paragraph says them), and turns, where two speak alternately and the turns before and behind fit.
English is understood. Where two may be meant, nobody is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from writeros_entities.query.irregular import PAST_FORMS
from writeros_entities.query.tenses import is_present_verb
from writeros_entities.story import NamedSpan, Scene, Sentence, Speech, gender_of
from writeros_entities.values import Gender, SpeakerRule
from writeros_entities.vault.speech import (
    SAYING_NOW,
    SAYING_VERBS,
    spoken_spans,
    without_speech,
)

People = Mapping[str, Gender | None]
"""The persons who may speak, by id, each with her or his gender where that is known."""

SOMEBODY = ""
"""A speaker of whom is only known that no name tells who it is: "said the clerk"."""

_VERBS = rf"(?:{'|'.join(SAYING_VERBS + SAYING_NOW)}|went on|goes on|puts? in)"
_ADVERB = r"(?:\w+ly|then|at last|again|only|just|had|afterwards?|now|never|kept)"
_VERB_FIRST = re.compile(rf"[\s,—–-]*(?:{_ADVERB}\s+)?{_VERBS}\s+(?:(?:at last|\w+ly|then)\s+)?")
_ARTICLE = re.compile(r"(?:the|old|young|poor|little|dear|Old|The|Young)\s+")
_PRONOUN = re.compile(r"(she|he|She|He|I)\b")
_PRONOUNS = re.compile(r"\b(?:she|he|She|He|I)\b")
_INTRODUCING = re.compile(
    r"(?:\bI['’]m|\bI am|\bname is|\bname['’]s|\b[Tt]his is|\b[Ii]t['’]s|\b[Ii]t is) \Z"
)
_DESCRIBED = re.compile(
    r"(?:(?:the|an?|his|her|my|their|our|one|some|another|this|that|The|An?|His|Her|My|One)\s"
    r"[^.,;:!?\"“”]{1,50}?(?=\s+(?:\w+ly\s+)?" + _VERBS + r"\b)"
    r"|(?:they|we|it|somebody|someone|everybody|everyone|nobody|They|We|Somebody|Someone)\b)"
)
_SAYS = re.compile(
    rf"(?:,[^,.;:\"“”]{{1,40}},)?(?:\s+{_ADVERB})*\s+(?:{_VERBS}|saying|told|tells|thought|thinks)\b"
)
_INTRODUCES = re.compile(
    rf"(?:,[^,.;:\"“”]{{1,40}},)?(?:\s+{_ADVERB})*\s+{_VERBS}\b[^.!?\"“”]{{0,70}}[,:—–]\s*\Z"
)
_SENTENCE = re.compile(r"(?:\A|[.!?…]['\"”’»)]*\s+)")
_AFTER_SENTENCE = re.compile(r"[.!?…]['\"’”»)]*\s+(?:(?:But|And|Then|So|The|Old)\s+)?\Z")
_POSSIBLE_SUBJECT = re.compile(r"(?:She|He|Her|His)\b")
_BLANK = re.compile(r"[\s—–-]*")
_BEAT_HEAD = re.compile(r"\s*(?:(?:But|And|Then|So)\s+)?")
_NO_ACT = frozenset({"was", "were", "had", "been", "did", "would", "could", "should", "need"})
_NO_ACT_NOW = frozenset({"am", "is", "are", "has", "have", "do", "does", "can", "will", "may"})
_ACT = re.compile(r"\s+(?:(?:\w+ly|then|only|just|still|had)\s+)?(?P<verb>[a-z]+)\b")
_ENDS = re.compile(r"[.,!?…—–;:-][\"'”’»›」』]*\s*\Z")
_IS_WHOLE = re.compile(r"[.!?…—–][\"'”’»›」』]*\s*\Z")
_DASHES = "—–―"
_CLOSING = "\"'”’»›」』“"
_OPENING = "\"'“‘«„‹「『"
_NOUNS: dict[Gender, str] = {
    "m": "man|boy|gentleman|lad|fellow|father|grandfather|brother|son|grandson|husband|uncle|king"
    "|lord|priest|monk|sailor|soldier|corporal|captain|clerk|servant|stranger|other|keeper|master",
    "f": "woman|girl|lady|mother|grandmother|sister|daughter|wife|aunt|queen|nun|maid|widow|nurse"
    "|stranger|other|servant|clerk|captain|keeper|mistress",
}
_SOMEBODY_ELSE = {
    gender: re.compile(
        r"\b(?:the|an?|his|her|my|their|our|this|that|one)\s+(?:[\w-]+\s+){0,2}?"
        rf"(?:{nouns})\b(?!['’]s)",
        re.IGNORECASE,
    )
    for gender, nouns in _NOUNS.items()
}
_REACH = 3
"""Paragraphs back in which the name is looked for that a pronoun stands for."""

_LONGEST_GAP = 6
"""Turns without a tag, at most, that two tagged ones decide."""


@dataclass(frozen=True, slots=True)
class _Name:
    """A name in a paragraph, and the one person whom it means there; None where two may be."""

    start: int
    end: int
    person: str | None
    is_spoken: bool
    is_owner: bool


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """A paragraph: its text, what of it is spoken, and the names in it."""

    number: int
    text: str
    narration: str
    spans: tuple[tuple[int, int], ...]
    names: tuple[_Name, ...]
    starts: tuple[int, ...]
    first: int

    @property
    def is_pure(self) -> bool:
        """Say whether all of it is spoken."""
        return bool(self.spans) and not self.narration.strip(" \t\n—–")

    @property
    def goes_on(self) -> bool:
        """Say whether its last speech is not closed."""
        return bool(self.spans) and (
            self.text[self.spans[-1][0]] in _OPENING
            and self.text.rstrip()[-1:] not in _CLOSING
            and self.spans[-1][1] >= len(self.text.rstrip())
        )

    def sentence_at(self, offset: int) -> int:
        """Return the number of the scene's sentence that an offset lies in."""
        return self.first + max(0, sum(start <= offset for start in self.starts) - 1)


@dataclass(frozen=True, slots=True)
class _Turn:
    """What is known of the speakers of one paragraph: one for each speech; SOMEBODY is no name."""

    speakers: tuple[str | None, ...]
    rule: SpeakerRule | None = None

    @property
    def speaker(self) -> str | None:
        """The one who speaks throughout; None where nobody or more than one does."""
        return self.speakers[0] if self.speakers and len({*self.speakers}) == 1 else None


def with_speeches(scenes: Iterable[Scene], people: People) -> tuple[Scene, ...]:
    """Return scenes with what is said in them."""
    return tuple(replace(scene, speeches=find_speeches(scene, people)) for scene in scenes)


def find_speeches(scene: Scene, people: People) -> tuple[Speech, ...]:
    """Return what is said in a scene, in order, each with its speaker where that is certain."""
    return _Reader(scene, people).read()


class _Reader:
    """Reads the speeches of one scene."""

    def __init__(self, scene: Scene, people: People) -> None:
        self.scene = scene
        self.people = people
        self.paragraphs = self._paragraphs()

    def read(self) -> tuple[Speech, ...]:
        """Return the speeches."""
        turns: list[_Turn] = []
        for at, paragraph in enumerate(self.paragraphs):
            turn = self._tagged(at)
            if not turn.rule and at and self._is_continued(at):
                turn = _Turn((turns[-1].speaker,) * len(paragraph.spans), "goes on")
            turns.append(turn if turn.rule else self._beaten(at))
        turns = self._alternated(turns)
        return tuple(
            Speech(
                paragraph.text[start:end],
                paragraph.number,
                paragraph.sentence_at(start),
                paragraph.sentence_at(max(start, end - 1)),
                speaker or None,
                turn.rule if speaker else None,
            )
            for paragraph, turn in zip(self.paragraphs, turns, strict=True)
            for (start, end), speaker in zip(paragraph.spans, turn.speakers, strict=True)
        )

    def _paragraphs(self) -> list[_Paragraph]:
        numbered = [(at, one) for at, one in enumerate(self.scene.sentences) if not one.is_row]
        return [
            self._paragraph(number, list(found))
            for number, found in groupby(numbered, key=lambda one: one[1].paragraph)
        ]

    def _paragraph(self, number: int, found: list[tuple[int, Sentence]]) -> _Paragraph:
        text = ""
        starts: list[int] = []
        spans_of_names: list[tuple[int, NamedSpan]] = []
        for _, sentence in found:
            base = len(text) + bool(text)
            text += (" " if text else "") + sentence.text
            starts.append(base)
            spans_of_names += [(base, name) for name in sentence.names]
        spoken = spoken_spans(text)
        narration = without_speech(text, spoken)
        names = tuple(
            _Name(
                base + name.start,
                base + name.end,
                self.scene.person_named(name),
                any(start <= base + name.start < end for start, end in spoken),
                text[base + name.end : base + name.end + 1] in ("'", "’"),
            )
            for base, name in spans_of_names
            if name.entity in self.people
        )
        spans = tuple(
            (start, end)
            for start, end in spoken
            if text[start] in _DASHES or _ENDS.search(text[start:end])
        )
        return _Paragraph(number, text, narration, spans, names, tuple(starts), found[0][0])

    def _is_continued(self, at: int) -> bool:
        before, here = self.paragraphs[at - 1], self.paragraphs[at]
        return before.goes_on and bool(here.spans) and not here.text[: here.spans[0][0]].strip()

    def _tagged(self, at: int) -> _Turn:
        """Return what the tags of a paragraph say; one alone is for all of its speeches."""
        tags = [self._tag(at, number) for number in range(len(self.paragraphs[at].spans))]
        known = {tag for tag in tags if tag is not None}
        if not known:
            return _Turn((None,) * len(tags))
        return _Turn((known.pop(),) * len(tags) if len(known) == 1 else tuple(tags), "tag")

    def _tag(self, at: int, number: int) -> str | None:
        """Return who a tag beside a speech says it is; None where it has none."""
        paragraph = self.paragraphs[at]
        start, end = paragraph.spans[number]
        verb = _VERB_FIRST.match(paragraph.narration, end)
        if verb:
            subject = self._subject(at, verb.end())
            return subject[0] if subject else SOMEBODY
        subject = self._subject(at, _skip(_BLANK, paragraph.narration, end))
        if subject and _SAYS.match(paragraph.narration, subject[1]):
            return subject[0]
        return self._introduced(at, paragraph.spans[number - 1][1] if number else 0, start)

    def _introduced(self, at: int, begin: int, end: int) -> str | None:
        """Return who is said to speak by the words before a speech: "Ann said at last:"."""
        paragraph = self.paragraphs[at]
        heads = [name.start for name in paragraph.names if begin <= name.start < end]
        heads += [one.start() for one in _PRONOUNS.finditer(paragraph.narration, begin, end)]
        for head in sorted(heads, reverse=True):
            subject = self._subject(at, head)
            if subject and _INTRODUCES.match(paragraph.narration, subject[1], end):
                return subject[0]
        return None

    def _subject(self, at: int, offset: int) -> tuple[str, int] | None:
        """Return who is named at an offset of a paragraph, and where the words for it end."""
        paragraph = self.paragraphs[at]
        begin = _skip(_ARTICLE, paragraph.narration, offset)
        for name in paragraph.names:
            if name.start in (offset, begin) and not name.is_spoken:
                return (SOMEBODY if name.is_owner else name.person or SOMEBODY), name.end
        pronoun = _PRONOUN.match(paragraph.narration, offset)
        if pronoun:
            return self._pronoun(at, pronoun) or SOMEBODY, pronoun.end()
        described = _DESCRIBED.match(paragraph.narration, offset)
        return (SOMEBODY, described.end()) if described else None

    def _pronoun(self, at: int, pronoun: re.Match[str]) -> str | None:
        if pronoun[0] == "I":
            return self.scene.viewpoint
        person = self._meant(at, pronoun.start(), gender_of(pronoun[0]))
        return None if self._is_spoken_of(at, person) else person

    def _is_spoken_of(self, at: int, person: str | None) -> bool:
        """Say whether the speeches of a paragraph name somebody, who is then not the speaker."""
        paragraph = self.paragraphs[at]
        return any(
            name.is_spoken
            and name.person == person
            and not _INTRODUCING.search(paragraph.text[: name.start])
            for name in paragraph.names
        )

    def _meant(self, at: int, offset: int, gender: Gender) -> str | None:
        """Return whom a pronoun means: the one person whom the nearest paragraph offers.

        Of several in it, the only one with whom a sentence begins; nobody where somebody without a
        name may be meant, who stands nearer.
        """
        for back in range(min(at, _REACH) + 1):
            paragraph = self.paragraphs[at - back]
            end = offset if back == 0 else len(paragraph.text)
            near = [
                name
                for name in paragraph.names
                if name.end <= end
                and not name.is_spoken
                and not name.is_owner
                and (name.person is None or self.people[name.person] in (None, gender))
            ]
            last = near[-1].end if near else 0
            if _SOMEBODY_ELSE[gender].search(paragraph.narration, last, end):
                return None
            if near:
                return self._one_of(paragraph, near, gender)
        return None

    def _one_of(self, paragraph: _Paragraph, near: list[_Name], gender: Gender) -> str | None:
        persons = {
            None if _is_object(paragraph.narration, name.start, gender) else name.person
            for name in near
        }
        if len(persons) > 1:
            persons = {
                name.person for name in near if _begins_sentence(paragraph.narration, name.start)
            }
        person = persons.pop() if len(persons) == 1 else None
        return person if person is not None and self.people[person] == gender else None

    def _beaten(self, at: int) -> _Turn:
        """Return who acts between the speeches of a paragraph, if it is one alone."""
        paragraph = self.paragraphs[at]
        found = {
            actor
            for number, (start, end) in enumerate(paragraph.spans)
            for actor in (
                self._actor(at, self._sentence_before(at, number, start)),
                self._actor(at, end if _IS_WHOLE.search(paragraph.text[start:end]) else None),
            )
            if actor
        }
        actor = found.pop() if len(found) == 1 else None
        if actor is None or self._is_spoken_of(at, actor):
            return _Turn((None,) * len(paragraph.spans))
        return _Turn((actor,) * len(paragraph.spans), "beat")

    def _sentence_before(self, at: int, number: int, start: int) -> int | None:
        """Return where the sentence begins that ends right before a speech."""
        paragraph = self.paragraphs[at]
        begin = paragraph.spans[number - 1][1] if number else 0
        before = paragraph.narration[begin:start].rstrip()
        if not before.endswith((".", "!", "?", "…")):
            return None
        ends = [one.end() for one in _SENTENCE.finditer(before)]
        return begin + ends[-1] if ends else None

    def _actor(self, at: int, offset: int | None) -> str | None:
        """Return who does something in the sentence that begins at an offset."""
        if offset is None:
            return None
        narration = self.paragraphs[at].narration
        subject = self._subject(at, _skip(_BEAT_HEAD, narration, offset))
        act = _ACT.match(narration, subject[1]) if subject else None
        if subject is None or act is None or act["verb"] in _NO_ACT:
            return None
        return subject[0] if self._is_told(act["verb"], narration[act.start() - 1]) else None

    def _is_told(self, verb: str, before: str) -> bool:
        """Say whether a word behind a subject is a verb in the tense in which the scene is told."""
        if verb.endswith("ed") or verb in PAST_FORMS:
            return True
        return (
            self.scene.tense == "present"
            and verb not in _NO_ACT_NOW
            and (before == "I" or is_present_verb(verb))
        )

    def _alternated(self, turns: list[_Turn]) -> list[_Turn]:
        """Give speakers to the turns between those of two who speak alternately."""
        speakers = [turn.speaker or None for turn in turns]
        found = list(turns)
        at = 0
        while at < len(turns):
            end = at
            while end < len(turns) and self._is_open(turns, end):
                end += 1
            for number, speaker in enumerate(_between(speakers, at, end), at):
                if not self._is_spoken_of(number, speaker):
                    count = len(self.paragraphs[number].spans)
                    found[number] = _Turn((speaker,) * count, "turn")
            at = max(end, at + 1)
        return found

    def _is_open(self, turns: list[_Turn], at: int) -> bool:
        return self.paragraphs[at].is_pure and turns[at].rule is None


def _between(speakers: Sequence[str | None], start: int, end: int) -> list[str]:
    """Return who speaks in the turns from `start` to before `end`; nobody where it is not certain.

    The turns before and behind are known. Of two who differ, an even number lies between; of one
    and the same, an odd number, and the other one speaks right before or right after.
    """
    count = end - start
    if not 0 < count <= _LONGEST_GAP or start == 0 or end == len(speakers):
        return []
    before, behind = speakers[start - 1], speakers[end]
    if before is None or behind is None:
        return []
    other: str | None = behind
    if before == behind:
        around = {speakers[at] for at in (start - 2, end + 1) if 0 <= at < len(speakers)} - {
            before,
            None,
        }
        other = around.pop() if len(around) == 1 else None
    if other is None or count % 2 == (before != behind):
        return []
    return [other if at % 2 == 0 else before for at in range(count)]


def _is_object(text: str, offset: int, gender: Gender) -> bool:
    """Say whether the sentence of a name begins with a pronoun, which means another one."""
    before = text[:offset]
    ends = [found.end() for found in _SENTENCE.finditer(before)]
    start = _skip(_BLANK, before, ends[-1]) if ends else 0
    pronoun = _POSSIBLE_SUBJECT.match(before, start)
    return pronoun is not None and gender_of(pronoun[0]) == gender


def _skip(pattern: re.Pattern[str], text: str, offset: int) -> int:
    found = pattern.match(text, offset)
    return found.end() if found else offset


def _begins_sentence(text: str, offset: int) -> bool:
    return not text[:offset].strip() or bool(_AFTER_SENTENCE.search(text[:offset]))
