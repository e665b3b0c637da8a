"""Paragraphs prepared for finding speakers: which parts are spoken, and who is named where.

for paragraph in read_paragraphs(scene, people):
    print(paragraph.narration, paragraph.names)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby, pairwise

from writeros_entities.story import NamedSpan, Scene, Sentence
from writeros_entities.values import Gender
from writeros_entities.vault.sentences.ends import CLOSING_MARKS, NOT_SHORTENED
from writeros_entities.vault.sentences.speech import (
    spoken_behind_label,
    spoken_spans,
    without_speech,
)

People = Mapping[str, Gender | None]
"""The people who may speak, by id, each with the gender, or None if unknown."""

DASHES = "—–―"
SENTENCE_START = re.compile(rf"(?:\A|[.!?…]{NOT_SHORTENED}[{CLOSING_MARKS})]*\s+)")
"""Matches the text before which a sentence ends: a sentence starts at the end of the match."""

_ENDS = re.compile(rf"[.,!?…—–;:-][{CLOSING_MARKS}]*\s*\Z")
_OPENING = "\"'“‘‚«»„‹›”「『"
_INTRODUCING = re.compile(
    r"(?:\bI['’]m|\bI am|\bname is|\bname['’]s|\b[Tt]his is|\b[Ii]t['’]s|\b[Ii]t is) \Z"
)
_CALLED = re.compile(r"(?:,|\b[Mm]y dear(?:est)?|\b[Dd]ear(?:est)?|\b(?:[Oo]h|[Mm]y),?)\s+\Z")
_CALL_ENDS = re.compile(rf"[.!?…—–-]*[{CLOSING_MARKS}]*\s*\Z")


_PARTS = (
    r"(?:\w+\s)?(?:arms?|back|breath|brows?|cheeks?|chin|crest|ears?|expression|eyebrows?|eyes?|face"
    r"|features|fingers?|fists?|forehead|frown|gaze|glance|grin|hands?|head|jaw|knuckles|laugh"
    r"|laughter|lips?|mouth|nod|nose|nostrils|scowl|shoulders?|sigh|smile|smirk|stare|tail|throat"
    r"|tone|voice)\b"
)
"""Parts of a person that may act in her stead: "Ann's eyes narrowed"."""

OWN_PART = re.compile(rf"\s+{_PARTS}")
"""Matches such a part after "my", or after a name in the possessive."""

_PART = re.compile(rf"['’]s?{OWN_PART.pattern}")
_BEGINS = re.compile(r"(?:\A|[.!?…—–\"“”'‘’»])\s*\Z")


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a paragraph, and the person it refers to; None if it may mean several.

    `reach` is the end of the words that stand for the person: for "Ann's eyes" at the start of a
    sentence, the end of "eyes". `is_owner` marks a possessive before something else that is Ann's.
    """

    start: int
    end: int
    person: str | None
    is_spoken: bool
    is_owner: bool
    reach: int

    @property
    def is_part(self) -> bool:
        """Whether the name stands for a part of the person."""
        return self.reach > self.end


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph: its text, the narration in it, and the names.

    `narration` is `text` with speech blanked; `spans` are the speeches. `starts` are the offsets of
    its sentences, `first` is the index of the first of these in the scene.
    """

    number: int
    text: str
    narration: str
    spans: tuple[tuple[int, int], ...]
    names: tuple[Name, ...]
    starts: tuple[int, ...]
    first: int

    @property
    def is_pure(self) -> bool:
        """Whether all of it is spoken."""
        return bool(self.spans) and not self.narration.strip(" \t\n" + DASHES)

    @property
    def runs(self) -> list[range]:
        """The indexes of its speeches, in runs: one right behind another is another person's."""
        changes = [at + 1 for at in range(len(self.spans)) if self.is_answered(at)]
        return [range(*run) for run in pairwise(sorted({0, *changes, len(self.spans)}))]

    @property
    def goes_on(self) -> bool:
        """Whether its last speech is not closed, so that the next paragraph may continue it."""
        return bool(self.spans) and (
            self.text[self.spans[-1][0]] in _OPENING
            and self.text.rstrip()[-1:] not in CLOSING_MARKS
            and self.spans[-1][1] >= len(self.text.rstrip())
        )

    def is_answered(self, number: int) -> bool:
        """Say whether another speech stands right behind one, given the index of the speech."""
        ends = [start for start, _ in self.spans[number + 1 : number + 2]]
        return any(not self.narration[self.spans[number][1] : end].strip() for end in ends)

    def narration_before(self, number: int) -> tuple[int, int]:
        """Return the span of narration before a speech, given the index of the speech."""
        begin = self.spans[number - 1][1] if number else 0
        return begin, self.spans[number][0]

    def sentence_at(self, offset: int) -> int:
        """Return the index, in the scene, of the sentence at an offset."""
        return self.first + max(0, sum(start <= offset for start in self.starts) - 1)

    def speaks_of(self, person: str | None) -> bool:
        """Say whether its speeches name a person, who then does not speak them.

        Introductions do not count: "I am Ann."
        """
        return any(
            name.is_spoken
            and name.person == person
            and not _INTRODUCING.search(self.text[: name.start])
            for name in self.names
        )

    @property
    def addressed(self) -> tuple[str, ...]:
        """The people whom its speeches address by name: "Is it so, Ann?", "My dear Ann, it is"."""
        return tuple(
            name.person
            for name in self.names
            if name.is_spoken and name.person is not None and self._is_call(name)
        )

    def _is_call(self, name: Name) -> bool:
        end = next((end for start, end in self.spans if start < name.start < end), name.end)
        call = _CALLED.search(self.text, max(0, name.start - 12), name.start)
        if call is None:
            return False
        at_end = _CALL_ENDS.match(self.text, name.end, end) is not None
        return at_end or (call[0][0] != "," and self.text[name.end : name.end + 1] in (",", "!"))


def read_paragraphs(scene: Scene, people: People) -> list[Paragraph]:
    """Return the paragraphs of a scene, in order; rows of tables and items of lists are skipped."""
    numbered = [(at, one) for at, one in enumerate(scene.sentences) if not one.is_row]
    return [
        _paragraph(scene, people, number, list(found))
        for number, found in groupby(numbered, key=lambda one: one[1].paragraph)
    ]


def _paragraph(
    scene: Scene, people: People, number: int, found: list[tuple[int, Sentence]]
) -> Paragraph:
    text = told = ""
    starts: list[int] = []
    spans_of_names: list[tuple[int, NamedSpan]] = []
    for _, sentence in found:
        base = len(text) + bool(text)
        text += (" " if text else "") + sentence.text
        told += (" " if told else "") + sentence.narration
        starts.append(base)
        spans_of_names += [(base, name) for name in sentence.names]
    labelled = spoken_behind_label(text)
    is_script = labelled is not None and not told[labelled[0] :].strip()
    spoken = [labelled] if labelled and is_script else spoken_spans(text)
    names = tuple(
        _name(text, base, name, scene.person_named(name), spoken)
        for base, name in spans_of_names
        if name.entity in people
    )
    spans = tuple(
        (start, end)
        for start, end in spoken
        if is_script or text[start] in DASHES or _ENDS.search(text[start:end])
    )
    narration = without_speech(text, spoken)
    return Paragraph(number, text, narration, spans, names, tuple(starts), found[0][0])


def _name(
    text: str, base: int, named: NamedSpan, person: str | None, spoken: list[tuple[int, int]]
) -> Name:
    start, end = base + named.start, base + named.end
    part = _PART.match(text, end) if _BEGINS.search(text, max(0, start - 8), start) else None
    return Name(
        start,
        end,
        person,
        any(first <= start < last for first, last in spoken),
        part is None and text[end : end + 1] in ("'", "’"),
        part.end() if part else end,
    )
