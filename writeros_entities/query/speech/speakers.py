"""Who says what: the speeches of a scene, each with its speaker where the text makes that certain.

    for speech in find_speeches(scene, {ann.id: "f", ben.id: "m"}):
        print(speech.speaker, speech.text)

Four rules, the surest first: a tag beside the speech ("said Ann", "Ann said", "Ann said at last:",
"ANN:"), the speech of the paragraph before that goes on, a beat (the one who acts between the words
of a paragraph says them), and turns, where two speak alternately and the turns before and behind
fit. English is understood. Where two may be meant, nobody is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace

from writeros_entities.query.english.irregular import PAST_FORMS
from writeros_entities.query.english.tenses import is_present_verb
from writeros_entities.query.speech.alternation import alternate
from writeros_entities.query.speech.paragraphs import OWN_PART, Paragraph, People, read_paragraphs
from writeros_entities.query.speech.pronouns import goes_on, whom_is_meant
from writeros_entities.story import Scene, Speech, gender_of
from writeros_entities.values import SpeakerRule
from writeros_entities.vault.sentences.speech import SAYING_NOW, SAYING_OF_I, SAYING_VERBS

SOMEBODY = ""
"""A speaker of whom is only known that no name tells who it is: "said the clerk"."""

NARRATOR = "I"
"""A speaker of whom is only known that she or he tells the story."""

_NAMELESS = frozenset({SOMEBODY, NARRATOR})

_VERBS = rf"(?:{'|'.join(SAYING_VERBS + SAYING_NOW)}|went on|goes on|puts? in)"
_ADVERB = r"(?:\w+ly|then|at last|again|only|just|had|afterwards?|now|never|kept)"
_VERB_FIRST = re.compile(rf"[\s,—–-]*(?:{_ADVERB}\s+)?{_VERBS}\s+(?:(?:at last|\w+ly|then)\s+)?")
_ARTICLE = re.compile(r"(?:the|old|young|poor|little|dear|Old|The|Young)\s+")
_UNLISTED = re.compile(r"\s+(?P<verb>[a-z]+)\s+(?=[^\W\d_])")
_PRONOUN = re.compile(r"(she|he|She|He|I)\b")
_MY = re.compile(rf"[Mm]y{OWN_PART.pattern}")
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
_BEFORE_SAYING = (
    r"(?:\s+[a-z]+(?:\s+(?!(?:that|who|which|what|as|when|while|if|because|he|she|they|I|it)\b)"
    r"[\w'’-]+){0,12}?,?\s+and)?"
)
"""What one does before saying something: "Ann sat down and said:"."""


def _introducing(verbs: str) -> re.Pattern[str]:
    """Match what stands behind whom words before a speech name: "Ann sat down and said:"."""
    return re.compile(
        rf"(?:,[^,.;:\"“”]{{1,40}},)?{_BEFORE_SAYING}(?:\s+{_ADVERB})*\s+{verbs}\b"
        r"[^.!?\"“”]{0,70}[,:—–]\s*\Z"
    )


_INTRODUCES = _introducing(_VERBS)
_INTRODUCES_MINE = _introducing(rf"(?:{_VERBS}|{'|'.join(SAYING_OF_I)}|go on|put in)")
"""The same behind "I", who may tell in the present tense: "I sit down and say:"."""

_LABELS = re.compile(r"(?: ?\([^()\n]{1,40}\))?:\s+\Z")
"""Behind a name at the head of a speech that has no other words: "ANN (O.S.): It rains."."""

_SENTENCE = re.compile(r"(?:\A|[.!?…]['\"”’»)]*\s+)")
_BLANK = re.compile(r"[\s—–-]*")
_BEAT_HEAD = re.compile(r"\s*(?:(?:But|And|Then|So)\s+)?")
_NO_ACT = frozenset({"was", "were", "had", "been", "did", "would", "could", "should", "need"})
_NO_ACT_NOW = frozenset({"am", "is", "are", "has", "have", "do", "does", "can", "will", "may"})
_ACT = re.compile(r"\s+(?:(?:\w+ly|then|only|just|still|had)\s+)?(?P<verb>[a-z]+)\b" + _ALOUD)
_NEAR = 6
"""Paragraphs back in which another one is looked for whom a pronoun may mean."""

_OF_THINGS = re.compile(r"(?:It|Its|There|Nothing)\b")
_OF_SOMEBODY = re.compile(r"\b(?:she|he|they|we|I|who|somebody|someone|man|woman|boy|girl|voice)\b")
"""How a sentence begins that tells of no person, and what it then must not have."""

_PARTS_SPEECH = ".!?…,:;—–"
"""What stands before a speech that is no word of the narrator's sentence."""

_HEARS = frozenset(
    {"heard", "hears", "overheard", "read", "reads", "saw", "sees", "noticed", "notices", "wrote"}
    | {"writes", "remembered", "remembers", "recalled", "recalls", "knew", "knows", "spelled"}
)
"""Verbs beside what others have said, or what is written."""

_CLOSE = 3
"""Paragraphs before turns in which a third may be named whose turn one of them may be."""

_IS_CUT = re.compile(r",[\"'”’»›」』]*\s*\Z")
_IS_WHOLE = re.compile(r"[.!?…—–][\"'”’»›」』]*\s*\Z")


@dataclass(frozen=True, slots=True)
class _Turn:
    """What is known of the speakers of one paragraph: one for each speech.

    SOMEBODY and NARRATOR are no names.
    """

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
        teller = scene.viewpoint
        self.narrator = teller if teller is not None and teller in people else NARRATOR
        self.turns: list[_Turn] = []

    def read(self) -> tuple[Speech, ...]:
        """Return the speeches."""
        turns = self.turns
        for at, paragraph in enumerate(self.paragraphs):
            turn = self._tagged(at)
            if not turn.rule and at and self._is_continued(at):
                turn = _Turn((turns[-1].speaker,) * len(paragraph.spans), "goes on")
            turns.append(turn if turn.rule else self._beaten(at))
        return tuple(
            self._speech(paragraph, start, end, None if speaker in _NAMELESS else speaker, turn)
            for paragraph, turn in zip(self.paragraphs, self._alternated(turns), strict=True)
            for (start, end), speaker in zip(paragraph.spans, turn.speakers, strict=True)
        )

    def _speech(
        self, paragraph: Paragraph, start: int, end: int, speaker: str | None, turn: _Turn
    ) -> Speech:
        return Speech(
            paragraph.text[start:end],
            paragraph.number,
            paragraph.sentence_at(start),
            paragraph.sentence_at(max(start, end - 1)),
            speaker,
            turn.rule if speaker else None,
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
        last = next((n for n in numbers if n > tagged[0] and self._is_taken_up(at, n, only)), None)
        told = range(first, len(tags) if last is None else last)
        return _Turn(tuple(only if number in told else None for number in numbers), "tag")

    def _is_taken_up(self, at: int, number: int, speaker: str | None) -> bool:
        """Say whether another one than the speaker so far acts right before a speech."""
        start = self.paragraphs[at].spans[number][0]
        actor = self._actor(at, self._sentence_before(at, number, start))
        return actor not in (None, SOMEBODY, speaker)

    def _tag(self, at: int, number: int) -> str | None:
        """Return who a tag behind a speech says it is; None where it has none."""
        paragraph = self.paragraphs[at]
        end = paragraph.spans[number][1]
        verb = _VERB_FIRST.match(paragraph.narration, end)
        if verb:
            subject = self._subject(at, verb.end())
            return subject[0] if subject else SOMEBODY
        start = paragraph.spans[number][0]
        before = paragraph.narration[:start].rstrip()
        is_cut = _IS_CUT.search(paragraph.text[start:end]) is not None and (
            not before or before[-1] in _PARTS_SPEECH
        )
        unlisted = _UNLISTED.match(paragraph.narration, end) if is_cut else None
        if unlisted and self._says(unlisted["verb"], " "):
            subject = self._subject(at, unlisted.end())
            return subject[0] if subject else None
        subject = self._subject(at, _skip(_BLANK, paragraph.narration, end))
        if subject is None:
            return None
        is_tag = _SAYS.match(paragraph.narration, subject[1]) or (
            is_cut and self._acts(at, subject[1], self._says)
        )
        return subject[0] if is_tag else None

    def _says(self, verb: str, before: str) -> bool:
        """Say whether a verb beside a speech that ends in a comma may tell how it was spoken."""
        return verb not in _HEARS and self._is_told(verb, before)

    def _introduced(self, at: int, number: int) -> str | None:
        """Return who is said to speak by the words before a speech: "Ann said at last:"."""
        paragraph = self.paragraphs[at]
        begin = paragraph.spans[number - 1][1] if number else 0
        end = paragraph.spans[number][0]
        label = None if number else self._subject(at, 0)
        if label and _LABELS.match(paragraph.narration, label[1], end):
            return label[0]
        heads = [name.start for name in paragraph.names if begin <= name.start < end]
        heads += [one.start() for one in _PRONOUNS.finditer(paragraph.narration, begin, end)]
        for head in sorted(heads, reverse=True):
            subject = self._subject(at, head)
            is_mine = paragraph.narration.startswith("I ", head)
            introduces = _INTRODUCES_MINE if is_mine else _INTRODUCES
            if subject and introduces.match(paragraph.narration, subject[1], end):
                return subject[0]
        return None

    def _subject(self, at: int, offset: int) -> tuple[str, int] | None:
        """Return who is named at an offset of a paragraph, and where the words for it end."""
        paragraph = self.paragraphs[at]
        begin = _skip(_ARTICLE, paragraph.narration, offset)
        for name in paragraph.names:
            if name.start in (offset, begin) and not name.is_spoken:
                return (SOMEBODY if name.is_owner else name.person or SOMEBODY), name.reach
        mine = _MY.match(paragraph.narration, offset)
        if mine:
            return self.narrator, mine.end()
        pronoun = _PRONOUN.match(paragraph.narration, offset)
        if pronoun:
            return self._pronoun(at, pronoun) or SOMEBODY, pronoun.end()
        described = _DESCRIBED.match(paragraph.narration, offset)
        return (SOMEBODY, described.end()) if described else None

    def _pronoun(self, at: int, pronoun: re.Match[str]) -> str | None:
        if pronoun[0] == "I":
            return self.narrator
        person = whom_is_meant(self.paragraphs, at, pronoun, self.people)
        is_other = self.paragraphs[at].speaks_of(person) or self._is_answered(at, pronoun, person)
        return None if is_other else person

    def _is_answered(self, at: int, pronoun: re.Match[str], person: str | None) -> bool:
        """Say whether somebody spoke right before, so that a new paragraph is rather another's.

        If another one is there whom the pronoun may mean.
        """
        if not at or person is None or person not in self.turns[at - 1].speakers:
            return False
        paragraph = self.paragraphs[at]
        if goes_on(paragraph, pronoun) or any(
            name.person == person and not name.is_spoken and name.end <= pronoun.start()
            for name in paragraph.names
        ):
            return False
        return any(
            name.person != person
            and (name.person is None or self.people[name.person] in (None, gender_of(pronoun[0])))
            for one in self.paragraphs[max(0, at - _NEAR) : at + 1]
            for name in one.names
        )

    def _beaten(self, at: int) -> _Turn:
        """Return who acts between the speeches of a paragraph, if it is one alone."""
        paragraph = self.paragraphs[at]
        found = {
            actor
            for number, (start, end) in enumerate(paragraph.spans)
            for actor in (
                self._actor(at, self._sentence_before(at, number, start)),
                self._actor_behind(at, start, end),
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
        ends = [begin + one.end() for one in _SENTENCE.finditer(before)]
        while len(ends) > 1 and self._is_aside(at, ends[-1], start):
            start = ends.pop()
        return ends[-1] if ends else None

    def _is_aside(self, at: int, begin: int, end: int) -> bool:
        """Say whether a sentence tells of things alone: "It was the sort of smile with edges."."""
        paragraph = self.paragraphs[at]
        return (
            _OF_THINGS.match(paragraph.narration, begin, end) is not None
            and _OF_SOMEBODY.search(paragraph.narration, begin, end) is None
            and not any(begin <= name.start < end for name in paragraph.names)
        )

    def _actor_behind(self, at: int, start: int, end: int) -> str | None:
        """Return who does something behind a speech: she or he, and not what shows in a face."""
        paragraph = self.paragraphs[at]
        begin = _skip(_BEAT_HEAD, paragraph.narration, end)
        is_part = any(name.is_part and name.start == begin for name in paragraph.names)
        is_whole = _IS_WHOLE.search(paragraph.text[start:end]) is not None
        return self._actor(at, end) if is_whole and not is_part else None

    def _actor(self, at: int, offset: int | None) -> str | None:
        """Return who does something in the sentence that begins at an offset."""
        if offset is None:
            return None
        narration = self.paragraphs[at].narration
        subject = self._subject(at, _skip(_BEAT_HEAD, narration, offset))
        return subject[0] if subject and self._acts(at, subject[1]) else None

    def _acts(
        self, at: int, offset: int, is_right: Callable[[str, str], bool] | None = None
    ) -> bool:
        """Say whether behind a subject stands what it does, in the tense of the scene."""
        narration = self.paragraphs[at].narration
        act = _ACT.match(narration, offset)
        return (
            act is not None
            and act["verb"] not in _NO_ACT
            and (is_right or self._is_told)(act["verb"], narration[act.start() - 1])
        )

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
            if len(between) % 2 and self._is_named(at - _CLOSE, at, pair):
                between = []
            for number, speaker in enumerate(between, at):
                if not self.paragraphs[number].speaks_of(speaker):
                    count = len(self.paragraphs[number].spans)
                    found[number] = _Turn((speaker,) * count, "turn")
            at = max(end, at + 1)
        return found

    def _is_named(self, start: int, end: int, others: Collection[str | None]) -> bool:
        """Say whether the narrator names somebody else in some paragraphs."""
        return any(
            not name.is_spoken and name.person not in others
            for one in self.paragraphs[max(0, start) : end]
            for name in one.names
        )

    def _is_open(self, turns: list[_Turn], at: int) -> bool:
        return self.paragraphs[at].is_pure and turns[at].rule is None


def _skip(pattern: re.Pattern[str], text: str, offset: int) -> int:
    found = pattern.match(text, offset)
    return found.end() if found else offset
