"""Find the subject of the narration beside a speech, and whether that person acts.

A subject is a name ("Ann"), a part of somebody ("Ann's eyes", "my hand"), a pronoun, the "Me" of a
chat, or a description ("the clerk").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from writeros_entities.query.english.irregular import PAST_FORMS
from writeros_entities.query.english.tenses import is_present_verb
from writeros_entities.query.speech.paragraphs import OWN_PART, Paragraph, People
from writeros_entities.query.speech.pronouns import goes_on, resolve_pronoun
from writeros_entities.query.speech.turns import NARRATOR, SOMEBODY, Turn
from writeros_entities.story import Scene, gender_of
from writeros_entities.vault.sentences.speech import SAYING_NOW, SAYING_VERBS

SAYING = rf"(?:{'|'.join(SAYING_VERBS + SAYING_NOW)}|went on|goes on|puts? in)"
"""Matches a verb of saying in the third person."""

ALOUD = r"(?!\s+(?:nothing|little|not?)\b)"
"""A lookahead after a verb of saying: "said nothing" is not a tag."""

_ARTICLE = re.compile(r"(?:the|old|young|poor|little|dear|Old|The|Young)\s+")
_PRONOUN = re.compile(r"(she|he|She|He|I)\b")
_MY = re.compile(rf"[Mm]y{OWN_PART.pattern}")
_ME = re.compile(r"Me(?=:)")
"""Matches the label of what the narrator writes in a chat."""

_DESCRIBED = re.compile(
    r"(?:(?:the|an?|his|her|my|their|our|one|some|another|this|that|The|An?|His|Her|My|One)\s"
    r"[^.,;:!?\"“”]{1,50}?(?=\s+(?:\w+ly\s+)?" + SAYING + r"\b)"
    r"|(?:they|we|it|somebody|someone|everybody|everyone|nobody|They|We|Somebody|Someone)\b)"
)
_WITH_OTHERS = re.compile(
    r"(?:(?:,\s[^\W\d_a-z][\w'’ -]*)+,?)?\s(?:and|or|nor|&)\s"
    r"(?:(?:the|an?|his|her|my|our|their|one|some|another|both|I|he|she|they|we)\b|[^\W\d_a-z])"
)
"""Matches what follows a subject that is not alone: "said Ann and the clerk"."""

_BEAT_HEAD = re.compile(r"\s*(?:(?:But|And|Then|So)\s+)?")
_NO_ACT = frozenset({"was", "were", "had", "been", "did", "would", "could", "should", "need"})
_NO_ACT_NOW = frozenset({"am", "is", "are", "has", "have", "do", "does", "can", "will", "may"})
_ACT = re.compile(r"\s+(?:(?:\w+ly|then|only|just|still|had)\s+)?(?P<verb>[a-z]+)\b" + ALOUD)
_NEAR = 6
"""How many paragraphs back to search for another person to whom a pronoun may refer."""


class Subject(NamedTuple):
    """A person to whom the narration refers, and the end of the words that do so."""

    speaker: str
    end: int


class Subjects:
    """Finds subjects in the paragraphs of one scene.

    `turns` has the turns of the paragraphs before the current one; the caller appends to it.
    """

    def __init__(
        self, scene: Scene, people: People, paragraphs: Sequence[Paragraph], turns: list[Turn]
    ) -> None:
        self.paragraphs = paragraphs
        self._people = people
        self._turns = turns
        self._is_told_now = scene.tense == "present"
        teller = scene.viewpoint
        self._narrator = teller if teller is not None and teller in people else NARRATOR

    def find(self, at: int, offset: int) -> Subject | None:
        """Return the subject that begins at an offset of a paragraph's narration, or None."""
        subject = self._find(at, offset)
        if subject and _WITH_OTHERS.match(self.paragraphs[at].narration, subject.end):
            return Subject(SOMEBODY, subject.end)
        return subject

    def _find(self, at: int, offset: int) -> Subject | None:
        paragraph = self.paragraphs[at]
        begin = skip(_ARTICLE, paragraph.narration, offset)
        for name in paragraph.names:
            if name.start in (offset, begin) and not name.is_spoken:
                return Subject(SOMEBODY if name.is_owner else name.person or SOMEBODY, name.reach)
        mine = _MY.match(paragraph.narration, offset) or _ME.match(paragraph.narration, offset)
        if mine:
            return Subject(self._narrator, mine.end())
        pronoun = _PRONOUN.match(paragraph.narration, offset)
        if pronoun:
            return Subject(self._meant_by(at, pronoun) or SOMEBODY, pronoun.end())
        described = _DESCRIBED.match(paragraph.narration, offset)
        return Subject(SOMEBODY, described.end()) if described else None

    def find_actor(self, at: int, offset: int) -> str | None:
        """Return who acts in the sentence that begins at an offset, or None."""
        subject = self.find(at, beat_start(self.paragraphs[at], offset))
        return subject.speaker if subject and self.acts(at, subject.end) else None

    def acts(
        self, at: int, offset: int, is_right: Callable[[str, str], bool] | None = None
    ) -> bool:
        """Say whether a subject is followed by a verb of action in the scene's tense.

        `is_right` takes the verb and the character before it, and replaces `is_told`.
        """
        narration = self.paragraphs[at].narration
        act = _ACT.match(narration, offset)
        return (
            act is not None
            and act["verb"] not in _NO_ACT
            and (is_right or self.is_told)(act["verb"], narration[act.start() - 1])
        )

    def is_told(self, verb: str, before: str) -> bool:
        """Say whether a word after a subject is a verb in the scene's tense.

        `before` is the last character of the subject: "I" takes other forms.
        """
        if verb.endswith("ed") or verb in PAST_FORMS:
            return True
        return (
            self._is_told_now
            and verb not in _NO_ACT_NOW
            and (before == "I" or is_present_verb(verb))
        )

    def _meant_by(self, at: int, pronoun: re.Match[str]) -> str | None:
        if pronoun[0] == "I":
            return self._narrator
        person = resolve_pronoun(self.paragraphs, at, pronoun, self._people)
        is_other = self.paragraphs[at].speaks_of(person) or self._is_answered(at, pronoun, person)
        return None if is_other else person

    def _is_answered(self, at: int, pronoun: re.Match[str], person: str | None) -> bool:
        """Say whether a person spoke directly before, so that this paragraph is probably another's.

        This holds only if there is another person nearby to whom the pronoun may refer.
        """
        if not at or person is None or person not in self._turns[at - 1].speakers:
            return False
        paragraph = self.paragraphs[at]
        if goes_on(paragraph, pronoun) or any(
            name.person == person and not name.is_spoken and name.end <= pronoun.start()
            for name in paragraph.names
        ):
            return False
        gender = gender_of(pronoun[0])
        return any(
            name.person != person
            and (name.person is None or self._people[name.person] in (None, gender))
            for one in self.paragraphs[max(0, at - _NEAR) : at + 1]
            for name in one.names
        )


def beat_start(paragraph: Paragraph, offset: int) -> int:
    """Return where the subject of a sentence can begin: after blanks, and "But" or "Then"."""
    return skip(_BEAT_HEAD, paragraph.narration, offset)


def skip(pattern: re.Pattern[str], text: str, offset: int) -> int:
    """Return the end of a pattern's match at an offset, or the offset if it does not match."""
    found = pattern.match(text, offset)
    return found.end() if found else offset
