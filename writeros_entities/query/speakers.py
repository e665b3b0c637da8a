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
from collections.abc import Iterable
from dataclasses import dataclass, replace

from writeros_entities.query.alternation import alternate
from writeros_entities.query.irregular import PAST_FORMS
from writeros_entities.query.paragraphs import People, read_paragraphs
from writeros_entities.query.pronouns import whom_is_meant
from writeros_entities.query.tenses import is_present_verb
from writeros_entities.story import Scene, Speech
from writeros_entities.values import SpeakerRule
from writeros_entities.vault.speech import SAYING_NOW, SAYING_VERBS

SOMEBODY = ""
"""A speaker of whom is only known that no name tells who it is: "said the clerk"."""

_VERBS = rf"(?:{'|'.join(SAYING_VERBS + SAYING_NOW)}|went on|goes on|puts? in)"
_ADVERB = r"(?:\w+ly|then|at last|again|only|just|had|afterwards?|now|never|kept)"
_VERB_FIRST = re.compile(rf"[\s,—–-]*(?:{_ADVERB}\s+)?{_VERBS}\s+(?:(?:at last|\w+ly|then)\s+)?")
_ARTICLE = re.compile(r"(?:the|old|young|poor|little|dear|Old|The|Young)\s+")
_PRONOUN = re.compile(r"(she|he|She|He|I)\b")
_PRONOUNS = re.compile(r"\b(?:she|he|She|He|I)\b")
_DESCRIBED = re.compile(
    r"(?:(?:the|an?|his|her|my|their|our|one|some|another|this|that|The|An?|His|Her|My|One)\s"
    r"[^.,;:!?\"“”]{1,50}?(?=\s+(?:\w+ly\s+)?" + _VERBS + r"\b)"
    r"|(?:they|we|it|somebody|someone|everybody|everyone|nobody|They|We|Somebody|Someone)\b)"
)
_ALOUD = r"(?!\s+(?:nothing|little|not?)\b)"
"""Behind a verb: "said nothing" is no saying."""

_SAYS = re.compile(
    rf"(?:,[^,.;:\"“”]{{1,40}},)?(?:\s+{_ADVERB})*\s+(?:{_VERBS}|saying|told|tells|thought|thinks)\b"
    rf"{_ALOUD}"
)
_INTRODUCES = re.compile(
    rf"(?:,[^,.;:\"“”]{{1,40}},)?(?:\s+{_ADVERB})*\s+{_VERBS}\b[^.!?\"“”]{{0,70}}[,:—–]\s*\Z"
)
_SENTENCE = re.compile(r"(?:\A|[.!?…]['\"”’»)]*\s+)")
_BLANK = re.compile(r"[\s—–-]*")
_BEAT_HEAD = re.compile(r"\s*(?:(?:But|And|Then|So)\s+)?")
_NO_ACT = frozenset({"was", "were", "had", "been", "did", "would", "could", "should", "need"})
_NO_ACT_NOW = frozenset({"am", "is", "are", "has", "have", "do", "does", "can", "will", "may"})
_ACT = re.compile(r"\s+(?:(?:\w+ly|then|only|just|still|had)\s+)?(?P<verb>[a-z]+)\b" + _ALOUD)
_IS_WHOLE = re.compile(r"[.!?…—–][\"'”’»›」』]*\s*\Z")


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
        self.paragraphs = read_paragraphs(scene, people)

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

    def _is_continued(self, at: int) -> bool:
        before, here = self.paragraphs[at - 1], self.paragraphs[at]
        return before.goes_on and bool(here.spans) and not here.text[: here.spans[0][0]].strip()

    def _tagged(self, at: int) -> _Turn:
        """Return what the tags of a paragraph say; one alone is for all of its speeches.

        But words that introduce a speech ("Ann said:") tell nothing of those before them.
        """
        numbers = range(len(self.paragraphs[at].spans))
        beside = [self._tag(at, number) for number in numbers]
        tags = [
            self._introduced(at, number) if tag is None else tag
            for number, tag in enumerate(beside)
        ]
        tagged = [number for number in numbers if tags[number] is not None]
        if not tagged:
            return _Turn((None,) * len(tags))
        if len({tags[number] for number in tagged}) > 1:
            return _Turn(tuple(tags), "tag")
        only = tags[tagged[0]]
        first = 0 if any(tag is not None for tag in beside) else tagged[0]
        return _Turn(tuple(None if number < first else only for number in numbers), "tag")

    def _tag(self, at: int, number: int) -> str | None:
        """Return who a tag behind a speech says it is; None where it has none."""
        paragraph = self.paragraphs[at]
        end = paragraph.spans[number][1]
        verb = _VERB_FIRST.match(paragraph.narration, end)
        if verb:
            subject = self._subject(at, verb.end())
            return subject[0] if subject else SOMEBODY
        subject = self._subject(at, _skip(_BLANK, paragraph.narration, end))
        is_tag = subject and _SAYS.match(paragraph.narration, subject[1])
        return subject[0] if subject and is_tag else None

    def _introduced(self, at: int, number: int) -> str | None:
        """Return who is said to speak by the words before a speech: "Ann said at last:"."""
        paragraph = self.paragraphs[at]
        begin = paragraph.spans[number - 1][1] if number else 0
        end = paragraph.spans[number][0]
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
        person = whom_is_meant(self.paragraphs, at, pronoun, self.people)
        return None if self.paragraphs[at].speaks_of(person) else person

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
            if actor is not None
        }
        actor = found.pop() if len(found) == 1 else None
        if not actor or paragraph.speaks_of(actor):
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
            between = alternate(speakers, at, end)
            pair = {*between, *speakers[at - 1 : at]}
            if any({*one.addressed} - pair for one in self.paragraphs[at:end]):
                between = []
            for number, speaker in enumerate(between, at):
                if not self.paragraphs[number].speaks_of(speaker):
                    count = len(self.paragraphs[number].spans)
                    found[number] = _Turn((speaker,) * count, "turn")
            at = max(end, at + 1)
        return found

    def _is_open(self, turns: list[_Turn], at: int) -> bool:
        return self.paragraphs[at].is_pure and turns[at].rule is None


def _skip(pattern: re.Pattern[str], text: str, offset: int) -> int:
    found = pattern.match(text, offset)
    return found.end() if found else offset
