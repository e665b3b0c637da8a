"""The knowledge bases that a vault does not use, although its notes are about their entities.

Whether they are is told by how many of a base's names stand in a note on average. Of 25 vaults of
fiction, each note has at most 0.8 different names of the technical base, of three technical vaults
1.5 to 9.6; so one name a note, and `FEWEST_NAMES` in all, are worth speaking of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from writeros_entities.errors import PluginError
from writeros_entities.names import forms_of_known
from writeros_entities.store.full_text import notes_containing
from writeros_entities.store.words import words

if TYPE_CHECKING:
    from writeros_entities.values import KnownEntity
    from writeros_entities.view import View

FEWEST_NAMES = 10
"""From how many names a knowledge base is worth speaking of."""

_WIDEST = 4
"""A base is worth speaking of if one of so many notes has a name of it."""

MOST_NAMED = 3
"""How many names are given as examples."""

_SIGN = re.compile(r"[^\w\s./-]|\A[./-]")
"""Matches what the index of words drops from a name, so that C++ would be looked for as C."""


@dataclass(frozen=True, slots=True)
class UnusedKnowledge:
    """A knowledge base, how many of its names stand in the notes, and the most frequent ones."""

    base: str
    names: int
    examples: tuple[str, ...]

    def __str__(self) -> str:
        """Return what it would recognise, and how to switch it on."""
        return (
            f"The knowledge base {self.base!r} would recognise {self.names} names in these notes "
            f"({', '.join(self.examples)}, …). To use it, write `knowledge_bases = "
            f'["{self.base}"]` into .writeros-entities.toml in the vault, then sync.'
        )


def find_unused_knowledge(view: View) -> list[UnusedKnowledge]:
    """Return the knowledge bases that are not used, if the visible notes are about their entities.

    Full text finds the names; the notes are not read. Cached until the index changes.
    """
    return view.kept("unused knowledge", lambda: list(_unused(view)))


def _unused(view: View) -> Iterator[UnusedKnowledge]:
    note = view.note
    notes = view.scalar(select(func.count()).select_from(note).where(note.c.kind == "note"))
    for base in view.plugins.knowledge_bases():
        if not notes or base.name in view.settings.knowledge_bases:
            continue
        try:
            known = view.plugins.known_entities([base.name])
        except PluginError:  # `doctor` reports a base that is used, and nobody misses another
            continue
        forms = {entity.name: _forms(entity) for entity in known}
        every = [form for of_one in forms.values() for form in of_one]
        # Of most vaults, one rough query says that there is no more to count.
        if _WIDEST * len(notes_containing(view.index, every)) < notes:
            continue
        found = _notes_by_name(view, forms)
        sightings, among = sum(map(len, found.values())), len(set().union(*found.values()))
        if len(found) >= FEWEST_NAMES and sightings >= notes and _WIDEST * among >= notes:
            often = sorted(found, key=lambda name: (-len(found[name]), name))
            yield UnusedKnowledge(base.name, len(found), tuple(often[:MOST_NAMED]))


def _forms(entity: KnownEntity) -> list[str]:
    """Return the forms of an entity that are no common word and that full text can find."""
    forms = [form for form, is_exact in forms_of_known(entity).items() if not is_exact]
    return [form for form in forms if _SIGN.search(form) is None]


def _notes_by_name(view: View, forms: Mapping[str, Sequence[str]]) -> dict[str, set[int]]:
    """Return the notes in which the name of each known entity stands, in one of its forms."""
    from writeros_entities.store.chunks import visible_chunks
    from writeros_entities.store.postings import find_postings
    from writeros_entities.store.words import Term

    phrases = {
        name: {tuple(words(form)): None for form in of_one} for name, of_one in forms.items()
    }
    terms = {name: Term(tuple(of_one)) for name, of_one in phrases.items() if of_one}
    chunks = visible_chunks(view)
    found = {}
    for name, postings in zip(terms, find_postings(view, list(terms.values())), strict=True):
        notes = set(chunks.note_ids[chunks.rows_of(postings.chunk_ids)].tolist())
        if notes:
            found[name] = notes
    return found
