"""Beats: the person who acts in the narration of a paragraph is its speaker.

Ann put down the lamp. "It is out."        # Ann speaks
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from writeros_entities.query.speech.paragraphs import SENTENCE_START
from writeros_entities.query.speech.subjects import beat_start
from writeros_entities.query.speech.turns import Turn

if TYPE_CHECKING:
    from writeros_entities.query.speech.paragraphs import Paragraph
    from writeros_entities.query.speech.subjects import Subjects

_OF_THINGS = re.compile(r"(?:It|Its|There|Nothing)\b")
_OF_SOMEBODY = re.compile(r"\b(?:she|he|they|we|I|who|somebody|someone|man|woman|boy|girl|voice)\b")
"""A sentence about things begins with `_OF_THINGS` and contains no match of `_OF_SOMEBODY`."""

_IS_WHOLE = re.compile(r"[.!?…—–][\"'”’»›」』]*\s*\Z")


def find_beat(subjects: Subjects, at: int) -> Turn:
    """Return the turn of a paragraph, if exactly one person acts between its speeches."""
    paragraph = subjects.paragraphs[at]
    found = {
        actor
        for number in range(len(paragraph.spans))
        for actor in (actor_before(subjects, at, number), _actor_behind(subjects, at, number))
        if actor is not None
    }
    actor = found.pop() if len(found) == 1 else None
    if not actor or paragraph.speaks_of(actor):
        return Turn.unknown(len(paragraph.spans))
    return Turn((actor,) * len(paragraph.spans), "beat")


def actor_before(subjects: Subjects, at: int, number: int) -> str | None:
    """Return who acts in the sentence that ends directly before a speech."""
    start = _sentence_before(subjects.paragraphs[at], number)
    return None if start is None else subjects.find_actor(at, start)


def _actor_behind(subjects: Subjects, at: int, number: int) -> str | None:
    """Return who acts directly after a speech; a part of a person ("Ann's eyes") does not count."""
    paragraph = subjects.paragraphs[at]
    start, end = paragraph.spans[number]
    begin = beat_start(paragraph, end)
    is_part = any(name.is_part and name.start == begin for name in paragraph.names)
    is_whole = _IS_WHOLE.search(paragraph.text[start:end]) is not None
    return subjects.find_actor(at, end) if is_whole and not is_part else None


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
