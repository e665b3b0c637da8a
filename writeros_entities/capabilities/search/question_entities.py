"""The entities that a question names, exactly or nearly."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from writeros_entities.language.inflections import STOP_WORDS
from writeros_entities.store.lexicon import find_entity_ids
from writeros_entities.story.extraction import extract
from writeros_entities.story.finding import find_containing, find_similar

if TYPE_CHECKING:
    from writeros_entities.story.extraction import Extraction
    from writeros_entities.view import View

_LONGEST_NAME = 3
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class QuestionEntity:
    """An entity that a question names: the words that do, how it was matched, and how surely."""

    entity_id: int
    surface: str
    method: str
    confidence: float


def find_question_entities(
    view: View, question: str, most: int, least: float
) -> list[QuestionEntity]:
    """Return the entities that a question names, in order, then those that it nearly names.

    A name shared by several entities stands for each of them. Where no name matches, a word that
    may be one means the entities that have it in their name, or else those that it resembles by at
    least `least` (0-1). At most `most` are returned.
    """
    if most == 0:
        return []
    found = extract(view, question)
    ids = find_entity_ids(view, {reading.candidate.entity for reading in found.readings})
    meant: dict[int, QuestionEntity] = {}
    for reading in found.readings:
        entity_id = ids.get(reading.candidate.entity)
        if entity_id is not None and entity_id not in meant:
            score = round(reading.candidate.score, 4)
            meant[entity_id] = QuestionEntity(entity_id, reading.surface, "detected", score)
    for near in _near_names(view, question, found, ids, least):
        meant.setdefault(near.entity_id, near)
    return list(meant.values())[:most]


def _near_names(
    view: View, question: str, found: Extraction, ids: Mapping[str, int], least: float
) -> list[QuestionEntity]:
    """Return the entities whose names contain or resemble words of the question where none is
    found.

    Where a misspelt full name contains a part that was found ("Isolde Marow"), the rest of it is
    not matched against other names.
    """
    by_span = _entities_by_span(found, ids)
    named = list(by_span)
    meant: list[QuestionEntity] = []
    taken: list[tuple[int, int]] = []
    for start, end in _pieces(question):
        if (start, end) in named or _meets(taken, start, end):
            continue
        words = question[start:end]
        inside = [
            entity for span in named if _meets([span], start, end) for entity in by_span[span]
        ]
        near = None if inside else find_containing(view, words)
        method = "contained"
        if near is None:
            near, method = find_similar(view, words, least), "similar"
        if near is None:
            continue
        entities = [row.id for row in near.rows]
        if inside:
            if not set(entities).isdisjoint(inside):
                taken.append((start, end))
            continue
        taken.append((start, end))
        meant += [QuestionEntity(one, words, method, near.similarity) for one in entities]
    return meant


def _entities_by_span(
    found: Extraction, ids: Mapping[str, int]
) -> dict[tuple[int, int], list[int]]:
    by_span: dict[tuple[int, int], list[int]] = defaultdict(list)
    for reading in found.readings:
        if reading.candidate.entity in ids:
            by_span[reading.start, reading.end].append(ids[reading.candidate.entity])
    return by_span


def _meets(spans: Iterable[tuple[int, int]], start: int, end: int) -> bool:
    return any(start < until and since < end for since, until in spans)


def _pieces(question: str) -> list[tuple[int, int]]:
    """Return the spans of one to three words with one that may be a name, longest first.

    Such a word has a capital letter and is no stop word; if none has, every other word may be one.
    """
    words = [found.span() for found in _WORD.finditer(question)]
    telling = [span for span in words if question[slice(*span)].casefold() not in STOP_WORDS]
    names = {span for span in telling if any(map(str.isupper, question[slice(*span)]))}
    names = names or set(telling)
    return [
        (words[at][0], words[at + length - 1][1])
        for length in range(_LONGEST_NAME, 0, -1)
        for at in range(len(words) - length + 1)
        if not names.isdisjoint(words[at : at + length])
        and {words[at], words[at + length - 1]} <= set(telling)
    ]
