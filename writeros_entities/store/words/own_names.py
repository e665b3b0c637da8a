"""Terms in the names of notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Select, select

from writeros_entities.store.words.tokens import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from writeros_entities.store.scope import Scope
    from writeros_entities.store.words.terms import Term

OWN_NAMES = ("name", "alias")
"""The kinds of alias that a note states of its own entity."""


class OwnName(NamedTuple):
    """A note, and one of its own names."""

    note_id: int
    form: str


def own_names(scope: Scope) -> Select[Any]:
    """Return the statement that selects the id of each note with each of its own names."""
    entity, alias, note = scope.entity, scope.alias, scope.note
    return (
        select(note.c.id.label("note_id"), alias.c.form)
        .join(entity, entity.c.note_id == note.c.id)
        .join(alias, alias.c.entity_id == entity.c.id)
        .where(alias.c.kind.in_(OWN_NAMES))
    )


def has_term(form: str, term: Term) -> bool:
    """Return whether a name contains one of a term's phrases, or its piece."""
    return count_term(form, term) > 0


def count_term(text: str, term: Term) -> int:
    """Return how often a text contains one of a term's phrases, or its piece."""
    if term.piece:
        return text.count(term.piece)
    parts = words(text)
    return sum(
        _stands_at(parts[start : start + len(phrase)], phrase, is_beginning=term.is_beginning)
        for phrase in term.phrases
        for start in range(len(parts) - len(phrase) + 1)
    )


def _stands_at(part: Sequence[str], phrase: Sequence[str], *, is_beginning: bool) -> bool:
    if is_beginning:
        return tuple(part[:-1]) == tuple(phrase[:-1]) and part[-1].startswith(phrase[-1])
    return tuple(part) == tuple(phrase)
