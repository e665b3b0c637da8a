"""Resolve the names in the properties of some notes, querying for these names only.

property_names = load_property_names(view, {note.id: ["[[Isolde Marrow]]", "Toby"]})
property_names.named(note.id, {"cast": ["[[Isolde Marrow]]"]}, ["cast"])     # the ids of entities
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from sqlalchemy import Text, and_, cast, func, select

from writeros_entities.names import fold_name
from writeros_entities.properties import VIEWPOINT_KEYS, story_key
from writeros_entities.store.columns import is_one_of
from writeros_entities.store.lexicon import names_by_rule
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.values import ALWAYS, HEADING_SEPARATOR
from writeros_entities.values.story import StoryName
from writeros_entities.vault.links import link_key
from writeros_entities.vault.plain_links import with_plain_links

if TYPE_CHECKING:
    from writeros_entities.store.rows import Query
    from writeros_entities.values import JSON
    from writeros_entities.view import View


LINK = re.compile(r"!?\[\[(?P<target>[^\[\]|#\\]*+)[^\[\]]*+\]\]")
"""Matches a link or an embed; in a table, the bar in it stands behind a backslash."""

_DATE = ("year", "month", "day")
"""The keys of a date in an invented calendar, as Calendarium writes it."""

_ROLES = frozenset({"role", "roles", "story-role", "function"})
_NARRATOR = re.compile(r"(?:(?:the|main|sole|first[- ]person) )*narrator", re.IGNORECASE)
_AND = re.compile(r"[,;/&]|\band\b")

_MANNER = re.compile(r"[a-z\d]|[^\[]*\bperson\b", re.ASCII)
"""Matches a viewpoint that is nobody's name: "omniscient", "3rd", "Third person, past"."""


@dataclass(frozen=True)
class PropertyNames:
    """Entities by the titles of their notes, and by the names that only one of them has.

    `subjects` has the entities of a note by their headings ("" for the note's own), by note id.
    `linked` has the entity to which a
    note's link leads, by the note id and the link's target: of two entities with the same name, a
    link means one. `shared` has the names that several entities have.
    """

    subjects: Mapping[int, Mapping[str, str]]
    linked: Mapping[tuple[int, str], str]
    by_title: Mapping[str, str]
    by_form: Mapping[str, str]
    shared: Collection[str]

    def subject_of(self, note_id: int, heading: str) -> str | None:
        """Return the entity that a section of a note is about."""
        subjects = self.subjects.get(note_id, {})
        return subjects.get(innermost(subjects, heading))

    def named(
        self, note_id: int, properties: Mapping[str, Sequence[str]], keys: Sequence[str]
    ) -> tuple[str, ...]:
        """Return the entities that the values of a note's keys name, in order, without repeats."""
        found = [
            self._named(note_id, name)
            for key in keys
            for value in properties.get(key, ())
            for name in names_in(value)
        ]
        return tuple(dict.fromkeys(entity for entity in found if entity is not None))

    def unmet(
        self, note_id: int, properties: Mapping[str, Sequence[str]], keys: Sequence[str]
    ) -> tuple[str, ...]:
        """Return the values of a note's keys that name no known entity, without repeats.

        A viewpoint that is a manner of telling (`pov: third`) names nobody.
        """
        values = dict.fromkeys(
            value
            for key in keys
            for value in properties.get(key, ())
            if key not in VIEWPOINT_KEYS or _MANNER.match(value) is None
        )
        return tuple(
            with_plain_links(value)
            for value in values
            if value.strip() and not any(self._is_known(note_id, one) for one in names_in(value))
        )

    def _is_known(self, note_id: int, name: str) -> bool:
        return _form(name) in self.shared or self._named(note_id, name) is not None

    def _named(self, note_id: int, name: str) -> str | None:
        title = link_key(name)
        return (
            self.linked.get((note_id, fold_name(name)))
            or self.linked.get((note_id, title))
            or self.by_title.get(title)
            or self.by_form.get(_form(name))
        )


def names_in(value: str) -> list[str]:
    """Return what a property's value may name: all of it, and its comma-separated parts.

    Links are replaced by their targets.
    """
    found = []
    for part in dict.fromkeys((value, *value.split(","))):
        link = LINK.search(part)
        found.append((link["target"] if link else part).strip())
    return found


def texts_of(value: Any) -> list[str]:
    """Return a property's values as texts; mappings give none, unless they are dates."""
    if isinstance(value, list):
        return [text for item in value for text in texts_of(item)]
    if isinstance(value, dict):
        parts = [value.get(key) for key in _DATE] if value.keys() <= {*_DATE} else []
        return ["-".join(str(part) for part in parts if part is not None)] if any(parts) else []
    if value is None:
        return []
    return [value if isinstance(value, str) else str(value)]


def _form(name: str) -> str:
    """Return the folded form of a name, or of the last part of a path."""
    return fold_name(name.rpartition("/")[2])


def load_property_names(view: View, values: Mapping[int, Iterable[str]]) -> PropertyNames:
    """Return the entities of some notes, and those that property values may name."""
    subjects: dict[int, dict[str, str]] = {}
    for row in view.all(_subjects(view), note_ids=sorted(values)):
        subjects.setdefault(row.note_id, {})[row.heading or ""] = row.key
    named = {note_id: set(chain(*map(names_in, said))) for note_id, said in values.items()}
    names = set(chain(*named.values())) - {""}
    if not names:
        return PropertyNames(subjects, {}, {}, {}, set())
    titles = sorted({link_key(name) for name in names})
    by_title = _sole_names(view, names)
    by_title |= {row.link_key: row.key for row in view.all(_titled(view), keys=titles)}
    # A link identifies its entity even if the note to which it leads is not visible yet.
    linked: dict[tuple[int, str], str] = {}
    naming = sorted(note_id for note_id, found in named.items() if found)
    meant = view.all(_followed(view), note_ids=naming)
    linked.update(((row.note_id, link_key(row.target)), row.key) for row in meant)
    linked.update(((row.note_id, fold_name(row.target)), row.key) for row in meant)
    owners: dict[str, set[str]] = {}
    forms = sorted({_form(name) for name in names})
    for row in view.all(_called(view), keys=forms):
        owners.setdefault(row.form_key, set()).add(row.key)
    for _, name in names_by_rule(view, forms):
        owners.setdefault(fold_name(name.form), set()).add(name.entity)
    by_form = {form: next(iter(keys)) for form, keys in owners.items() if len(keys) == 1}
    return PropertyNames(subjects, linked, by_title, by_form, owners.keys() - by_form.keys())


@prepared
def _subjects(scope: Scope) -> Query:
    entity = scope.entity
    of_notes = select(entity.c.note_id, entity.c.key, entity.c.heading)
    return of_notes.where(is_one_of(entity.c.note_id, "note_ids"))


@prepared
def _titled(scope: Scope) -> Query:
    entity, note = scope.entity, scope.note
    titled = select(note.c.link_key, entity.c.key).join(note, note.c.id == entity.c.note_id)
    titled = titled.where(entity.c.heading.is_(None), is_one_of(note.c.link_key, "keys"))
    return titled.order_by(note.c.path.desc())


@prepared
def _followed(scope: Scope) -> Query:
    entity, link = scope.entity, scope.link
    followed = select(link.c.note_id, link.c.target, entity.c.key).join(
        entity, and_(entity.c.note_id == link.c.target_note_id, entity.c.heading.is_(None))
    )
    return followed.where(is_one_of(link.c.note_id, "note_ids")).order_by(link.c.target)


@prepared
def _called(scope: Scope) -> Query:
    entity, alias = scope.entity, scope.alias
    called = select(alias.c.form_key, entity.c.key).join(entity, entity.c.id == alias.c.entity_id)
    return called.where(is_one_of(alias.c.form_key, "keys"))


def innermost(headings: Iterable[str], heading: str) -> str:
    """Return which of some headings a section stands below, the innermost, or ""."""
    below = heading + HEADING_SEPARATOR
    above = (one for one in headings if one and below.startswith(one + HEADING_SEPARATOR))
    return max(above, key=len, default="")


def load_narrator(view: View) -> str | None:
    """Return the only person whose note says that the role is the narrator's, or None."""
    entity, note = view.entity, view.note
    written = cast(entity.c.properties, Text)
    stated = (
        select(entity.c.key, entity.c.properties)
        .join(note, note.c.id == entity.c.note_id)
        .where(entity.c.type == "person", func.lower(written).contains("narrator"))
    )
    found = [row.key for row in view.all(stated) if _is_narrator(row.properties)]
    return found[0] if len(found) == 1 else None


def _is_narrator(properties: Mapping[str, JSON]) -> bool:
    roles = [texts_of(value) for key, value in properties.items() if story_key(key) in _ROLES]
    return any(
        _NARRATOR.fullmatch(part.strip()) for role in chain(*roles) for part in _AND.split(role)
    )


def _sole_names(view: View, names: Collection[str]) -> dict[str, str]:
    """Return the entities whose own name is one of these, by title, even if the note is hidden.

    Only entities that the reader has met count, by whatever name, and only unique titles.
    """
    owners: dict[str, set[str]] = {}
    for row in view.all(_own_names(view), keys=sorted({_form(name) for name in names})):
        owners.setdefault(link_key(row.name), set()).add(row.key)
    return {title: next(iter(keys)) for title, keys in owners.items() if len(keys) == 1}


@prepared
def _own_names(scope: Scope) -> Query:
    entity = scope.entity
    titled = select(entity.c.name, entity.c.key).where(entity.c.note_id.is_not(None))
    return titled.where(is_one_of(entity.c.name_key, "keys"))


def load_story_names(view: View, entity_ids: Collection[int]) -> Mapping[int, list[StoryName]]:
    """Return the names of entities by entity id, by descending weight."""
    found: dict[int, list[StoryName]] = defaultdict(list)
    for row in view.all(_story_names(view), entity_ids=sorted(entity_ids)):
        position = None if row.visible_from == ALWAYS else row.visible_from
        found[row.entity_id].append(StoryName(row.form, row.kind, position))
    return found


@prepared
def _story_names(scope: Scope) -> Query:
    alias = scope.alias
    named = select(alias.c.entity_id, alias.c.form, alias.c.kind, alias.c.visible_from)
    named = named.where(is_one_of(alias.c.entity_id, "entity_ids"))
    return named.order_by(alias.c.entity_id, alias.c.weight.desc(), alias.c.form)
