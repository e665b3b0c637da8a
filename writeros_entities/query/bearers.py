"""Whom names in the properties of some notes mean: looked up for these names alone.

bearers = load_bearers(view, {note.id}, ["[[Isolde Marrow]]", "Toby"])
bearers.named({"cast": ["[[Isolde Marrow]]"]}, ["cast"])     # the ids of entities
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from writeros_entities.names import fold_name
from writeros_entities.store import rows
from writeros_entities.vault.links import link_key

if TYPE_CHECKING:
    from writeros_entities.store.view import View

LINK = re.compile(r"!?\[\[(?P<target>[^\]|#]*)[^\]]*\]\]")
"""Matches a link or an embed."""


@dataclass(frozen=True)
class LoadedBearers:
    """Entities by the titles of their notes, and by each name that one of them alone has."""

    subjects: Mapping[int, str]
    by_title: Mapping[str, str]
    by_form: Mapping[str, str]

    def named(
        self, properties: Mapping[str, Sequence[str]], keys: Sequence[str]
    ) -> tuple[str, ...]:
        """Return the entities that the values of some keys name, each once, in order."""
        found = [
            self.by_title.get(link_key(name)) or self.by_form.get(fold_name(name))
            for key in keys
            for value in properties.get(key, ())
            for name in names_in(value)
        ]
        return tuple(dict.fromkeys(entity for entity in found if entity is not None))


def names_in(value: str) -> list[str]:
    """Return what a property's value may name: it, the parts between its commas, without links."""
    found = []
    for part in dict.fromkeys((value, *value.split(","))):
        link = LINK.search(part)
        found.append((link["target"] if link else part).strip().rpartition("/")[2])
    return found


def load_bearers(view: View, note_ids: Collection[int], values: Iterable[str]) -> LoadedBearers:
    """Return who stands on some notes, and whom the values of properties may name."""
    entity, note, alias, link = view.entity, view.note, view.alias, view.link
    subjects: dict[int, str] = {}
    for batch in rows.batches(sorted(note_ids)):
        of_notes = select(entity.c.note_id, entity.c.key).where(entity.c.note_id.in_(batch))
        subjects.update((row.note_id, row.key) for row in view.all(of_notes))
    names = {name for value in values for name in names_in(value)} - {""}
    by_title: dict[str, str] = {}
    titled = select(note.c.link_key, entity.c.key).join(note, note.c.id == entity.c.note_id)
    for titles in rows.batches(sorted({link_key(name) for name in names})):
        found = view.all(titled.where(note.c.link_key.in_(titles)).order_by(note.c.path.desc()))
        by_title.update((row.link_key, row.key) for row in found)
    by_title = _sole_names(view, names) | by_title
    # A link says whom it means even where the note that it leads to may not be seen yet.
    followed = select(link.c.target, entity.c.key).join(
        entity, entity.c.note_id == link.c.target_note_id
    )
    for batch in rows.batches(sorted(note_ids)):
        meant = view.all(followed.where(link.c.note_id.in_(batch)).order_by(link.c.target))
        by_title.update((link_key(row.target), row.key) for row in meant)
    owners: dict[str, set[str]] = {}
    called = select(alias.c.form_key, entity.c.key).join(entity, entity.c.id == alias.c.entity_id)
    for forms in rows.batches(sorted({fold_name(name) for name in names})):
        for row in view.all(called.where(alias.c.form_key.in_(forms))):
            owners.setdefault(row.form_key, set()).add(row.key)
    by_form = {form: next(iter(keys)) for form, keys in owners.items() if len(keys) == 1}
    return LoadedBearers(subjects, by_title, by_form)


def _sole_names(view: View, names: Collection[str]) -> dict[str, str]:
    """Return whose sheet has one of these names as its title, though it may not be seen yet.

    Only of those whom the reader has met, by whatever name, and where no two sheets are called so.
    """
    entity = view.entity
    titled = select(entity.c.name, entity.c.key).where(entity.c.note_id.is_not(None))
    owners: dict[str, set[str]] = {}
    for batch in rows.batches(sorted({fold_name(name) for name in names})):
        for row in view.all(titled.where(entity.c.name_key.in_(batch))):
            owners.setdefault(link_key(row.name), set()).add(row.key)
    return {title: next(iter(keys)) for title, keys in owners.items() if len(keys) == 1}
