"""Beats: the person who acts in the narration of a paragraph is its speaker.

Ann put down the lamp. "It is out."        # Ann speaks
Ann opened the letter. "Come home."        # perhaps she reads
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from writeros_entities.query.speech.paragraphs import SENTENCE_START
from writeros_entities.query.speech.subjects import beat_start
from writeros_entities.query.speech.turns import Turn, without_answers_to_oneself
from writeros_entities.vault.sentences.ends import CLOSING_MARKS

if TYPE_CHECKING:
    from writeros_entities.query.speech.paragraphs import Paragraph
    from writeros_entities.query.speech.subjects import Subjects

_OF_THINGS = re.compile(r"(?:It|Its|There|Nothing)\b")
_OF_SOMEBODY = re.compile(r"\b(?:she|he|they|we|I|who|somebody|someone|man|woman|boy|girl|voice)\b")
"""A sentence about things begins with `_OF_THINGS` and contains no match of `_OF_SOMEBODY`."""

_WRITING = (
    r"\b(?:book|card|diary|e-?mail|envelope|headline|inscription|journal|letter|message|note|page"
    r"|paper|postcard|scroll|sign|telegram|text)s?\b"
)
_READS = re.compile(
    r"\b(?:read|opened?|unfold(?:ed)?|unroll(?:ed)?|unseal(?:ed)?|scan(?:ned)?)s?\s[^.!?]{0,200}"
    rf"{_WRITING}|{SENTENCE_START.pattern}(?:[\w'’]+\s){{1,2}}{_WRITING}[^.!?]{{0,200}}[.!?…:]\s*\Z"
    r"|\b(?:switch(?:ed|es)|turn(?:ed|s)|play(?:ed|s))\s[^.!?]{0,200}"
    r"\b(?:radio|record\w*|tape|television|telly|tv|voicemail|wireless)\b"
    r"|\b(?:heard|hears|recall(?:ed|s)|remember(?:ed|s)|th(?:ought|inks) of"
    r"|c(?:ould|an) (?:still )?hear)\s[^.!?]{0,200}"
    r"\b(?:advice|say|said|saying|says|told|voice|warning|what|words?)\b"
)
"""A sentence about one who reads, listens or remembers, or the last one, about a letter."""
_HEARS = re.compile(r"\s+(?:\w+ly\s+)?(?:over)?hear[ds]\b")
"""Matches after the subject who hears what was said before."""

_IS_WHOLE = re.compile(rf"[.!?…—–][{CLOSING_MARKS}]*\s*\Z")


def find_beat(subjects: Subjects, at: int) -> Turn:
    """Return the turn of a paragraph: who acts between its speeches, if only one person does."""
    paragraph = subjects.paragraphs[at]
    runs = paragraph.runs
    found = [speaker for run in runs for speaker in _speakers(subjects, at, run)]
    speakers = without_answers_to_oneself(found, runs)
    return Turn(speakers, "beat" if any(speakers) else None)


def _speakers(subjects: Subjects, at: int, run: range) -> list[str | None]:
    """Return the speaker of each speech in a run: the only one who acts between them, or None."""
    paragraph = subjects.paragraphs[at]
    found = {
        actor
        for number in run
        for actor in (actor_before(subjects, at, number), _actor_behind(subjects, at, number))
        if actor is not None
    }
    actor = found.pop() if len(found) == 1 else None
    is_certain = actor and not paragraph.speaks_of(actor) and not _is_read(paragraph, run[0])
    return [actor if is_certain else None] * len(run)


def _is_read(paragraph: Paragraph, number: int) -> bool:
    """Say whether a speech may be what stands in a letter: "Ann opened the note."."""
    return _READS.search(paragraph.narration, *paragraph.narration_before(number)) is not None


def actor_before(subjects: Subjects, at: int, number: int) -> str | None:
    """Return who acts in the sentence that ends directly before a speech."""
    start = _sentence_before(subjects.paragraphs[at], number)
    return None if start is None else subjects.find_actor(at, start)


def _actor_behind(subjects: Subjects, at: int, number: int) -> str | None:
    """Return who acts directly after a speech.

    A part of a person ("Ann's eyes") does not count, nor does whoever hears the speech.
    """
    paragraph = subjects.paragraphs[at]
    start, end = paragraph.spans[number]
    begin = beat_start(paragraph, end)
    subject = subjects.find(at, begin)
    if subject and _HEARS.match(paragraph.narration, subject.end):
        return None
    is_part = any(name.is_part and name.start == begin for name in paragraph.names)
    is_whole = _IS_WHOLE.search(paragraph.text[start:end]) is not None
    acts = is_whole and not is_part and not paragraph.is_answered(number)
    return subjects.find_actor(at, end) if acts else None


def _sentence_before(paragraph: Paragraph, number: int) -> int | None:
    """Return the start of the sentence that ends directly before a speech, or None.

    Sentences about things alone are skipped backwards.
    """
    begin, start = paragraph.narration_before(number)
    before = paragraph.narration[begin:start].rstrip()
    if not before.endswith((".", "!", "?", "…")):
        return None
    ends = [begin + one.end() for one in SENTENCE_START.finditer(before)]
    while len(ends) > 1 and _is_aside(paragraph, ends[-1], start):
        start = ends.pop()
    return ends[-1] if ends else None


def _is_aside(paragraph: Paragraph, begin: int, end: int) -> bool:
    """Say whether a sentence is about things alone: "It was the sort of smile with edges."."""
    return (
        _OF_THINGS.match(paragraph.narration, begin, end) is not None
        and _OF_SOMEBODY.search(paragraph.narration, begin, end) is None
        and not any(begin <= name.start < end for name in paragraph.names)
    )
