"""The lexicon for detectors, and the names by which a reader may know an entity."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select

from writeros_entities.lexicon import JoinedLexicon, Lexicon
from writeros_entities.names import fold_name, forms_of_known
from writeros_entities.store.columns import is_one_of
from writeros_entities.store.rows import Query
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.values import ALWAYS, LexiconEntity, Name

if TYPE_CHECKING:
    from writeros_entities.store.view import StoredView
    from writeros_entities.values import KnownEntity

KNOWN_WEIGHT = 0.95

MANY = 1_000
"""The names of more entities are read from their rows: one that is compiled is decoded alone."""


class ShownEntity(NamedTuple):
    """What answers show of an entity, and the id of its row."""

    id: int
    key: str
    name: str
    type: str
    status: str


class _ShownName(NamedTuple):
    """A name by which a reader has met an entity, and the entity's own."""

    entity_id: int
    form: str
    name: str


def load_names_met(view: StoredView) -> Lexicon:
    """Return the names that a reader has met as of a view's position, and their entities."""
    entity, alias, note = view.entity, view.alias, view.note
    told = (entity.c.key.label("id"), entity.c.name, entity.c.type, entity.c.status)
    entities = (
        select(*told, note.c.path.label("note_path"), entity.c.heading)
        .outerjoin(note, note.c.id == entity.c.note_id)
        .order_by(entity.c.id)
    )
    columns = (alias.c.kind, alias.c.weight, alias.c.known_from, alias.c.exact)
    names = (
        select(alias.c.form, entity.c.key.label("entity"), *columns)
        .join(entity, entity.c.id == alias.c.entity_id)
        .order_by(alias.c.form, entity.c.id)
    )
    met = {one.id: one for one in view.fetch(LexiconEntity, entities)}
    return Lexicon(view.fetch(Name, names), met)


def names_by_rule(view: StoredView, keys: Iterable[str]) -> list[tuple[int, Name]]:
    """Return the names with these keys that follow from others, each with the row id of its entity.

    Those that no note uses have no row. Under `as_of` there are none: a reader cannot know a name
    before its first use.
    """
    if view.as_of is not None:
        return []
    names = view.names
    return [
        (names.ids[name.entity], name)
        for key in keys
        for name in names.keyed(key)
        if name.kind == "derived"
    ]


def find_entity_ids(view: StoredView, keys: Iterable[str]) -> dict[str, int]:
    """Return the row ids of the given entities, by key."""
    asked = sorted(set(keys))
    return view.lookup(_by_key(view), keys=asked) if asked else {}


@prepared
def _by_key(scope: Scope) -> Query:
    entity = scope.entity
    return select(entity.c.key, entity.c.id).where(is_one_of(entity.c.key, "keys"))


def display_names(view: StoredView, entity_ids: Iterable[int]) -> dict[int, str]:
    """Return the name to show for each entity: its own name, if the reader has met it.

    Under `as_of`, an entity whose own name the reader has not met yet is shown by the name met
    first; of several met at the same position, by the one of greatest weight.
    """
    asked = sorted(set(entity_ids))
    if not asked:
        return {}
    if view.as_of is None:
        if len(asked) > MANY:
            return view.lookup(_own_names(view), entity_ids=asked)
        return {row_id: one.name for row_id, one in _own_entities(view, asked).items()}
    names: dict[int, str] = {}
    for one in view.fetch(_ShownName, _met_names(view), entity_ids=asked):
        names.setdefault(one.entity_id, one.form)
        if one.form == one.name:
            names[one.entity_id] = one.name
    return names


def shown_entities(view: StoredView, entity_ids: Iterable[int]) -> dict[int, ShownEntity]:
    """Return what answers show of entities, by row id; see `display_names`."""
    asked = sorted(set(entity_ids))
    if view.as_of is None:
        return _own_entities(view, asked)
    names = display_names(view, asked)
    found = _read_entities(view, asked)
    return {
        row_id: one._replace(name=names[row_id]) if row_id in names else one
        for row_id, one in found.items()
    }


def _own_entities(view: StoredView, entity_ids: Sequence[int]) -> dict[int, ShownEntity]:
    """Return entities of a whole view: the compiled names have them, others are read."""
    by_row = view.names.by_row
    found = {
        row_id: ShownEntity(row_id, one.id, one.name, one.type, one.status)
        for row_id in entity_ids
        if (one := by_row(row_id)) is not None
    }
    return found | _read_entities(view, [one for one in entity_ids if one not in found])


def _read_entities(view: StoredView, entity_ids: Sequence[int]) -> dict[int, ShownEntity]:
    if not entity_ids:
        return {}
    return {one.id: one for one in view.fetch(ShownEntity, _shown(view), entity_ids=entity_ids)}


@prepared
def _own_names(scope: Scope) -> Query:
    entity = scope.entity
    return select(entity.c.id, entity.c.name).where(is_one_of(entity.c.id, "entity_ids"))


@prepared
def _shown(scope: Scope) -> Query:
    entity = scope.entity
    columns = (entity.c[name] for name in ShownEntity._fields)
    return select(*columns).where(is_one_of(entity.c.id, "entity_ids"))


@prepared
def _met_names(scope: Scope) -> Query:
    alias, entity = scope.alias, scope.entity
    return (
        select(alias.c.entity_id, alias.c.form, entity.c.name)
        .join(entity, entity.c.id == alias.c.entity_id)
        .where(is_one_of(alias.c.entity_id, "entity_ids"))
        .order_by(alias.c.visible_from, alias.c.weight.desc(), alias.c.form)
    )


def display_names_by_key(view: StoredView, keys: Iterable[str]) -> dict[str, str]:
    """Return the name to show for each entity, by key; see `display_names`."""
    if view.as_of is None:
        known = view.names.entities
        return {key: known[key].name for key in keys if key in known}
    ids = find_entity_ids(view, keys)
    names = display_names(view, ids.values())
    return {key: names[entity_id] for key, entity_id in ids.items() if entity_id in names}


def with_known_entities(lexicon: Lexicon, known: Iterable[KnownEntity]) -> Lexicon:
    """Return the lexicon plus entities of knowledge bases that it has under no name yet."""
    names: list[Name] = []
    entities: dict[str, LexiconEntity] = {}
    for entity in known:
        forms = forms_of_known(entity)
        if entity.id in lexicon.entities or any(lexicon.keyed(fold_name(form)) for form in forms):
            continue
        entities[entity.id] = LexiconEntity(entity.id, entity.name, entity.type, "known")
        names += [
            Name(form, entity.id, "surface_form", KNOWN_WEIGHT, ALWAYS, exact)
            for form, exact in forms.items()
        ]
    return JoinedLexicon((lexicon, Lexicon(names, entities)))
