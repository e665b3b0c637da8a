"""Types of notes that are probably misspelt: a sheet of type `charcter` is none of a person."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sqlalchemy import select

from writeros_entities.query.vault.status import Problem

if TYPE_CHECKING:
    from writeros_entities.store.view import View
    from writeros_entities.values import EntityType

UNKNOWN = "unknown"

_LONG_ENOUGH = 7
"""The length from which a word that is one letter off a known one is taken for it."""


def misspelt_types(view: View, types: Iterable[EntityType]) -> list[Problem]:
    """Return the notes whose type is a known word but for a letter, or two letters exchanged.

    A type that several notes have is the writer's own.
    """
    known = {word.casefold() for one in types for word in (one.name, one.plural, *one.synonyms)}
    note, entity = view.note, view.entity
    notes: dict[str, list[str]] = {}
    statement = select(entity.c.word, note.c.path).join(note, note.c.id == entity.c.note_id)
    for row in view.all(statement.where(entity.c.type == UNKNOWN).order_by(note.c.path)):
        notes.setdefault(row.word or UNKNOWN, []).append(row.path)
    problems = []
    for type_, paths in notes.items():
        word = type_.replace("_", " ").casefold()
        if len(paths) > 1 or type_ in known or word in known:
            continue
        meant = sorted(other for other in known if _is_slip(word, other))
        if meant:
            either = " or ".join(map(repr, meant))
            message = f"Its type {word!r} is none that is known. Is {either} meant?"
            problems.append(Problem("warning", "unknown-type", paths[0], message))
    return problems


def _is_slip(word: str, known: str) -> bool:
    from rapidfuzz.distance import OSA

    if OSA.distance(word, known, score_cutoff=1) > 1:
        return False
    return len(word) >= _LONG_ENOUGH or sorted(word) == sorted(known)
