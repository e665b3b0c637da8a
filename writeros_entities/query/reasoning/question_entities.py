"""The entities that a question names, exactly or nearly."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from writeros_entities.names import fold_name
from writeros_entities.query.entities.extraction import extract
from writeros_entities.query.entities.finding import known_forms
from writeros_entities.store.lexicon import find_entity_ids

if TYPE_CHECKING:
    from writeros_entities.query.entities.extraction import Extraction
    from writeros_entities.store.view import View
    from writeros_entities.workspace import Workspace

SIMILARITY = 85.0
"""The least similarity, 0-100, of words in the question to a name that they may misspell."""

_LONGEST_NAME = 3
_SHORTEST = 4
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class QuestionEntity:
    """An entity that a question names: the words that do, how it was matched, and how surely."""

    entity_id: int
    surface: str
    method: str
    confidence: float


def find_question_entities(
    workspace: Workspace, view: View, question: str, most: int
) -> list[QuestionEntity]:
    """Return the entities that a question names, in order, then those that it nearly names.

    A name shared by several entities stands for each of them. A near match counts only where no
    name matches exactly. At most `most` are returned.
    """
    if most == 0:
        return []
    found = extract(workspace.plugins, workspace.lexicon(view), question, include_unknown=False)
    ids = find_entity_ids(view, {reading.candidate.entity for reading in found.readings})
    meant: dict[int, QuestionEntity] = {}
    for reading in found.readings:
        entity_id = ids.get(reading.candidate.entity)
        if entity_id is not None and entity_id not in meant:
            score = round(reading.candidate.score, 4)
            meant[entity_id] = QuestionEntity(entity_id, reading.surface, "detected", score)
    for near in _near_names(view, question, found, ids):
        meant.setdefault(near.entity_id, near)
    return list(meant.values())[:most]


def _near_names(
    view: View, question: str, found: Extraction, ids: Mapping[str, int]
) -> list[QuestionEntity]:
    """Return the entities whose names resemble words of the question where none was found.

    Where a misspelt full name contains a part that was found ("Isolde Marow"), the rest of it is
    not matched against other names.
    """
    from rapidfuzz import fuzz, process

    forms = view.kept("forms", lambda: _folded_forms(view))
    named = [(reading.start, reading.end) for reading in found.readings]
    by_span = _entities_by_span(found, ids)
    meant: list[QuestionEntity] = []
    taken: list[tuple[int, int]] = []
    for start, end in _pieces(question):
        if (start, end) in named or _meets(taken, start, end):
            continue
        words = question[start:end]
        near = process.extractOne(
            fold_name(words), forms, scorer=fuzz.ratio, score_cutoff=SIMILARITY
        )
        if near is None:
            continue
        entities = _entities_called(view, near[0])
        inside = [
            entity for span in named if _meets([span], start, end) for entity in by_span[span]
        ]
        if inside:
            if not set(entities).isdisjoint(inside):
                taken.append((start, end))
            continue
        taken.append((start, end))
        similarity = round(near[1] / 100, 4)
        meant += [QuestionEntity(entity, words, "similar", similarity) for entity in entities]
    return meant


def _folded_forms(view: View) -> list[str]:
    return sorted({fold_name(form) for form in known_forms(view)})


def _entities_by_span(
    found: Extraction, ids: Mapping[str, int]
) -> dict[tuple[int, int], list[int]]:
    by_span: dict[tuple[int, int], list[int]] = defaultdict(list)
    for reading in found.readings:
        if reading.candidate.entity in ids:
            by_span[reading.start, reading.end].append(ids[reading.candidate.entity])
    return by_span


def _entities_called(view: View, folded: str) -> list[int]:
    """Return the entities with this folded name, by descending weight, then by their own names."""
    alias, entity = view.alias, view.entity
    statement = (
        select(alias.c.entity_id)
        .join(entity, entity.c.id == alias.c.entity_id)
        .where(alias.c.form_key == folded)
        .order_by(alias.c.weight.desc(), entity.c.name, alias.c.entity_id)
    )
    return list(dict.fromkeys(row.entity_id for row in view.all(statement)))


def _meets(spans: Iterable[tuple[int, int]], start: int, end: int) -> bool:
    return any(start < until and since < end for since, until in spans)


def _pieces(question: str) -> list[tuple[int, int]]:
    """Return the spans of one to three words that may be a name, longest first."""
    words = [found.span() for found in _WORD.finditer(question)]
    return [
        (words[at][0], words[at + length - 1][1])
        for length in range(_LONGEST_NAME, 0, -1)
        for at in range(len(words) - length + 1)
        if words[at + length - 1][1] - words[at][0] >= _SHORTEST
    ]
