"""Write the lexicon: compare entity drafts with the rows, and store the differences.

The result is a set of changed forms; only notes that can contain one are detected again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import delete, select, update

from writeros_entities.names import fold_name
from writeros_entities.naming import is_given, named_entity
from writeros_entities.store import rows
from writeros_entities.store.compiled import CompiledLexicon, NamedEntity
from writeros_entities.store.compiling import Compiler
from writeros_entities.store.full_text import entities_containing, notes_containing
from writeros_entities.store.rows import IdSequence, VaultRows
from writeros_entities.sync.entities.deriving import Deriver, Taken
from writeros_entities.sync.entities.drafts import (
    AliasRow,
    EntityDraft,
    link_subject,
    name_subject,
    note_subject,
    notes_among,
    section_subject,
)
from writeros_entities.sync.entities.suggestions import THE, parts_of, spelled_alike
from writeros_entities.values import LARGEST_POSITION, EntityStatus, LexiconEntity
from writeros_entities.vault.decisions import Means
from writeros_entities.vault.links import link_key

if TYPE_CHECKING:
    from writeros_entities.store.compiled import VaultLexicon
    from writeros_entities.sync.touched import Touched
    from writeros_entities.values import JSON, Name
    from writeros_entities.vault.decisions import Decisions

MANY_FORMS = 1_000
"""If more forms than this change, every note is detected again."""

_NAMED = frozenset({"name", "type", "status", "known_from", "origin"})
"""The columns on which the names of an entity depend."""

_UNCOUNTED: dict[str, Any] = {"mention_count": 0, "note_count": 0, "importance": 0.0}

MANY_DRAFTS = 500
"""The names of so many entities are compiled at once."""

_EARLIER: Mapping[str, tuple[str, ...]] = {
    "section": ("note",),
    "known": ("note", "section"),
    "link": ("note", "section", "known"),
    "name": ("note", "section", "known", "link"),
    "told": ("note", "section", "link"),
}
"""For each kind of subject, the kinds whose forms take precedence."""

_KINDS: Mapping[EntityStatus, str] = {
    "noted": "note",
    "known": "known",
    "linked": "link",
    "suggested": "name",
}
"""The kind of subject of an entity without a heading, by its status."""


_MARKED = (
    update(rows.note)
    .where(rows.in_vault(rows.note), rows.note.c.detected > rows.TO_DETECT)
    .values(detected=rows.TO_DETECT)
)
_MARKED_NOTES = _MARKED.where(rows.among(rows.note.c.id))
_MARKED_FILES = _MARKED.where(rows.among(rows.note.c.link_key))
_LINKING = select(rows.link.c.note_id).where(rows.in_vault(rows.link))
_MARKED_LINKING = _MARKED.where(
    rows.note.c.id.in_(_LINKING.where(rows.among(rows.link.c.target_key)))
)
_MARKED_LINKING_TO_SECTIONS = _MARKED.where(
    rows.note.c.id.in_(
        _LINKING.where(rows.among(rows.link.c.target_note_id), rows.link.c.heading.is_not(None))
    )
)


def update_entities(
    index: VaultRows, deriver: Deriver, touched: Touched, before: VaultLexicon
) -> tuple[set[str], VaultLexicon]:
    """Derive the touched subjects again, and write them.

    Returns the forms that changed, if any note was searched for forms, and all names, `before`
    being those that were.
    """
    writer = _EntityWriter(index, touched, deriver, before)
    everything = touched.everything
    notes = None if everything else touched.notes | touched.targets | deriver.titled(touched.names)
    subjects = None if notes is None else set(map(note_subject, notes))
    changed = writer.write("note", subjects, deriver.from_notes(notes))
    names = None if everything else touched.names | touched.unresolved | _alike(changed)
    if names is not None:
        names |= deriver.names_of_sections(touched.moved | notes_among(touched.renewed))
        names |= {f"{THE}{name}" for name in names}
    drafts = deriver.from_sections(names, writer.taken("section"))
    subjects = None if names is None else set(map(section_subject, names))
    changed |= writer.write("section", subjects, drafts)
    if everything or changed:
        changed |= writer.write("known", None, deriver.from_knowledge(writer.taken("known")))
    keys = None if everything else touched.unresolved | touched.names | _keys(changed)
    drafts = deriver.from_links(keys, writer.taken("link"), writer.taken("known"))
    subjects = None if keys is None else set(map(link_subject, keys))
    changed |= writer.write("link", subjects, drafts)
    names = None if everything else touched.names | _alike(changed)
    if names is not None:
        names |= {other for name in names for other in (f"{name}s", name.removesuffix("s"))}
        names |= writer.in_cases(names)
    taken = writer.taken("name"), writer.taken("told")
    if names:
        standing = writer.forms_of(names, ("name",)).keys()
        used = deriver.used_names(names, *taken) | standing
        names |= writer.related(used)
    drafts = deriver.from_proposals(names, *taken)
    subjects = None if names is None else set(map(name_subject, names))
    changed |= writer.write("name", subjects, drafts)
    return changed, writer.names


def mark_affected(
    index: VaultRows, forms: set[str], touched: Touched, decisions: Decisions
) -> None:
    """Mark notes for detection: those that can contain a form, and those of renewed subjects.

    So are those with links to files that were added, removed or moved, as a link may be all that
    names an entity, and those of which it is decided whom a phrase means there.
    """
    own = sorted(notes_among(touched.renewed))
    index.change_among(_MARKED_NOTES, own)
    index.change_among(_MARKED_LINKING_TO_SECTIONS, own)
    index.change_among(_MARKED_LINKING, sorted(touched.files))
    if not forms:
        return
    changed = _keys(forms)
    there = [link_key(one.note.text) for one in decisions.of(Means) if one.target.key in changed]
    index.change_among(_MARKED_FILES, sorted(there))
    if len(forms) > MANY_FORMS:
        index.execute(_MARKED)
        return
    found = notes_containing(index, sorted(forms))
    index.change_among(_MARKED_NOTES, sorted(found))
    index.execute(_MARKED.where(rows.note.c.marks_inside_words))


class _EntityRow(NamedTuple):
    """An entity as its row has it, but for what is counted."""

    id: int
    key: str
    subject: str
    canonical_id: str | None
    name: str
    name_key: str
    type: str
    status: str
    forms: str
    note_id: int | None
    heading: str | None
    word: str | None
    known_from: int | None
    confidence: float
    properties: Mapping[str, JSON] | None
    context: Mapping[str, JSON] | None
    origin: Mapping[str, JSON] | None

    @classmethod
    def of(
        cls, entity_id: int, key: str, draft: EntityDraft, names: Mapping[str, Name]
    ) -> _EntityRow:
        """Return the row of a draft."""
        forms = sorted(
            form
            for form, name in names.items()
            if form != draft.name and is_given(draft.status, name.kind)
        )
        return cls(
            id=entity_id,
            key=key,
            subject=draft.subject,
            canonical_id=draft.canonical_id,
            name=draft.name,
            name_key=fold_name(draft.name),
            type=draft.type,
            status=draft.status,
            forms="\n".join(forms),
            note_id=draft.note_id,
            heading=draft.heading,
            word=draft.word,
            known_from=draft.known_from,
            confidence=draft.confidence,
            properties=dict(draft.properties) if draft.properties else None,
            context=dict(draft.context) if draft.context else None,
            origin=draft.origin.stored(),
        )


_ENTITIES = rows.select_as(_EntityRow, rows.entity)
_SOME_ENTITIES = _ENTITIES.where(rows.among(rows.entity.c.subject))
_DELETION = delete(rows.entity).where(rows.in_vault(rows.entity), rows.among(rows.entity.c.id))
_KEYS = select(rows.entity.c.key).where(rows.in_vault(rows.entity), rows.among(rows.entity.c.key))
_ALIASES = rows.select_as(AliasRow, rows.alias).where(rows.among(rows.alias.c.entity_id))
_SUGGESTED = (
    select(rows.alias.c.form_key)
    .join(rows.entity, (rows.entity.c.id == rows.alias.c.entity_id) & rows.in_vault(rows.entity))
    .where(rows.in_vault(rows.alias), rows.among(rows.entity.c.id))
    .where(rows.entity.c.status == "suggested")
)


class _EntityWriter:
    """Compares drafts with the rows of the same status, and writes the differences."""

    def __init__(
        self, index: VaultRows, touched: Touched, deriver: Deriver, names: VaultLexicon
    ) -> None:
        self.names = names
        self._index = index
        self._connection = index.connection
        self._touched = touched
        self._deriver = deriver
        self._naming = deriver.naming
        self._ids = IdSequence(index, rows.entity)
        self._new_entities: list[_EntityRow] = []
        self._new_aliases: list[AliasRow] = []

    def taken(self, kind: str) -> Taken:
        """Return a function that finds which form keys belong to entities that take precedence."""
        return lambda keys: self.forms_of(keys, _EARLIER[kind])

    def forms_of(self, keys: Iterable[str], kinds: Sequence[str]) -> dict[str, int]:
        """Return the form keys that entities of some kinds have, and where known from."""
        entities = self.names.entities
        found: dict[str, int] = {}
        for key in keys:
            positions = [
                LARGEST_POSITION if name.known_from is None else name.known_from
                for name in self.names.keyed(key)
                if _kind_of(entities[name.entity]) in kinds
            ]
            if positions:
                found[key] = min(positions)
        return found

    def in_cases(self, names: set[str]) -> set[str]:
        """Return the names that may be in another case than these, or may have these as a case.

        A name behind a word that is elided before it is one in another case.

        Twice, as whether one is a case of another depends on what may be its own cases.
        """
        found = set(names)
        for _ in range(2):
            found |= {
                fold_name(self.names.entities[name.entity].name)
                for key in found
                for name in self.names.keyed(key)
                if _kind_of(self.names.entities[name.entity]) == "name"
            }
        naming = self._naming
        found |= {bare for key in found for bare in naming.bare(key)}
        return found | {case for key in found for case in naming.inflected(key)}

    def related(self, names: Iterable[str]) -> set[str]:
        """Return the names and, transitively, suggested names that contain or are part of them."""
        found: set[str] = set()
        waiting = set(names)
        while waiting:
            found |= waiting
            parts = {part for name in waiting for part in parts_of(name)}
            known = self.forms_of(parts, ("name",)).keys()
            waiting = (known | self._wholes(waiting)) - found
        return found

    def _wholes(self, names: set[str]) -> set[str]:
        """Return the suggested names that contain one of the names as a part."""
        ids = entities_containing(self._index, names)
        found = self._index.all_among(_SUGGESTED, ids)
        return {key for (key,) in found if not names.isdisjoint(parts_of(key))}

    def write(
        self, kind: str, subjects: set[str] | None, drafts: dict[str, EntityDraft]
    ) -> set[str]:
        """Make the rows of a kind of subject among `subjects` (None: all) equal to the drafts.

        Returns the forms that changed. Drafts are removed when they are written: there may be many.
        """
        existing = self._existing(kind, subjects)
        aliases = self._aliases([row.id for row in existing.values()])
        gone = [row for row in existing.values() if row.subject not in drafts]
        changed = {form for row in gone for form in self._names_of(row, aliases[row.id])}
        self._remove(gone)
        keys = self._new_keys([draft for draft in drafts.values() if draft.subject not in existing])
        renamed: list[int] = []
        compiler = Compiler() if len(drafts) >= MANY_DRAFTS else None
        fresh: dict[int, NamedEntity | None] = {row.id: None for row in gone}
        for subject in list(drafts):
            draft = drafts.pop(subject)
            row = existing.get(subject)
            names = self._deriver.name(draft)
            if row is None:
                entity_id, key = self._add(draft, keys[subject], names), keys[subject]
                before: Mapping[str, AliasRow] = {}
                differing = set(_EntityRow._fields)
            else:
                entity_id, key, before = row.id, row.key, aliases[row.id]
                differing = self._update(row, draft, names)
                if not differing.isdisjoint(("name", "type")):
                    changed |= self._names_of(row, before).keys()
                if "name" in differing:
                    renamed.append(entity_id)
            changed_forms = self._changed_forms(row, before, names, differing)
            changed |= changed_forms
            self._replace_aliases(entity_id, before, draft, names)
            if len(self._new_entities) >= rows.BATCH:
                self._insert_new()
            is_fresh = bool(changed_forms) or not differing.isdisjoint(_NAMED)
            is_fresh |= self._touched.everything or draft.note_id in self._touched.moved
            if compiler is not None or is_fresh:
                told = LexiconEntity(
                    key,
                    draft.name,
                    draft.type,
                    draft.status,
                    draft.path_of_note,
                    draft.heading,
                )
                named = named_entity(entity_id, told, names, {})
                if compiler is not None:
                    compiler.add(named)
                else:
                    fresh[entity_id] = named
        self._touch_related(renamed)
        self._insert_new()
        self.names = self.names.with_changed(fresh)
        if compiler is not None:
            self.names = self.names.with_block(CompiledLexicon(compiler.compile()))
        return changed

    def _remove(self, gone: Sequence[_EntityRow]) -> None:
        ids = [row.id for row in gone]
        self._touched.renewed.update(row.subject for row in gone)
        self._touched.renewed.update(
            note_subject(row.note_id) for row in gone if row.heading and row.note_id
        )
        self._touch_related(ids)
        self._index.change_among(_DELETION, ids)

    def _add(self, draft: EntityDraft, key: str, names: Mapping[str, Name]) -> int:
        """Add an entity; return its id."""
        entity_id = self._ids.take()
        self._touched.renewed.add(draft.subject)
        if draft.heading and draft.note_id is not None:
            self._touched.renewed.add(note_subject(draft.note_id))
        self._touched.entities.add(entity_id)
        self._new_entities.append(_EntityRow.of(entity_id, key, draft, names))
        return entity_id

    def _update(self, row: _EntityRow, draft: EntityDraft, names: Mapping[str, Name]) -> set[str]:
        """Update an entity; return the columns that differed."""
        entity = rows.entity
        drafted = _EntityRow.of(row.id, row.key, draft, names)._asdict()
        changed = {name: value for name, value in drafted.items() if getattr(row, name) != value}
        if changed:
            change = update(entity).where(self._index.owns(entity), entity.c.id == row.id)
            self._connection.execute(change.values(changed))
        if "type" in changed:
            self._touched.renewed.add(row.subject)
        return set(changed)

    def _names_of(self, row: _EntityRow, given: Mapping[str, AliasRow]) -> dict[str, Name]:
        """Return the names of an entity as its rows have it, by form, without its id."""
        following = self._naming.follow_row(row, given.values())
        return following | {
            form: one.name for form, one in given.items() if is_given(row.status, one.kind)
        }

    def _changed_forms(
        self,
        row: _EntityRow | None,
        before: Mapping[str, AliasRow],
        names: Mapping[str, Name],
        differing: Set[str],
    ) -> set[str]:
        """Return the forms by which an entity is known now and was not before, or the reverse."""
        if row is None:
            return set() if self._is_first else {*names}
        given = {form: one for form, one in before.items() if is_given(row.status, one.kind)}
        kept = {form: one for form, one in names.items() if is_given(row.status, one.kind)}
        if differing.isdisjoint(_NAMED) and {form: one.name for form, one in given.items()} == kept:
            return set()
        known = self._names_of(row, before)
        return {form for form in {*known, *names} if known.get(form) != names.get(form)}

    @cached_property
    def _is_first(self) -> bool:
        """Whether no note was searched for forms yet, so that none must be searched again."""
        note = rows.note
        if not self._touched.everything:
            return False
        detected = select(note.c.id).where(self._index.owns(note), note.c.detected > rows.TO_DETECT)
        return self._connection.scalar(detected.limit(1)) is None

    def _replace_aliases(
        self,
        entity_id: int,
        before: Mapping[str, AliasRow],
        draft: EntityDraft,
        names: Mapping[str, Name],
    ) -> None:
        """Replace the rows of an entity's given names; those of others go if they do not follow.

        Rows of names that follow from others are added when they are counted: see `counts`.
        """
        stale = [form for form, one in before.items() if one.name != names.get(form)]
        fresh = [
            name
            for form, name in names.items()
            if is_given(draft.status, name.kind)
            and (form not in before or before[form].name != name)
        ]
        if stale or fresh:
            self._touched.entities.add(entity_id)
        if stale:
            deletion = delete(rows.alias).where(rows.in_vault(rows.alias))
            deletion = deletion.where(
                rows.alias.c.entity_id == entity_id, rows.among(rows.alias.c.form)
            )
            self._index.change_among(deletion, stale)
        self._new_aliases += [AliasRow.of(entity_id, name) for name in fresh]

    def _insert_new(self) -> None:
        self._index.insert(rows.entity, self._new_entities, **_UNCOUNTED)
        self._index.insert(rows.alias, self._new_aliases)
        self._new_entities, self._new_aliases = [], []

    def _touch_related(self, entity_ids: list[int]) -> None:
        """Mark the entities related to those deleted or renamed: their histories mention them."""
        relation = rows.relation
        ends = (relation.c.source_id, relation.c.target_id)
        for batch in rows.batches(entity_ids):
            for end, other in (ends, ends[::-1]):
                related = select(other).where(self._index.owns(relation), end.in_(batch)).distinct()
                self._touched.histories.update(self._connection.scalars(related))

    def _existing(self, kind: str, subjects: set[str] | None) -> dict[str, _EntityRow]:
        found: Iterable[_EntityRow]
        if subjects is None:
            of_kind = _ENTITIES.where(rows.entity.c.subject.startswith(f"{kind}:"))
            found = self._index.fetch(_EntityRow, of_kind)
        else:
            found = self._index.fetch_among(_EntityRow, _SOME_ENTITIES, sorted(subjects))
        return {row.subject: row for row in found}

    def _aliases(self, entity_ids: list[int]) -> dict[int, dict[str, AliasRow]]:
        found: dict[int, dict[str, AliasRow]] = {entity: {} for entity in entity_ids}
        for row in self._index.fetch_among(AliasRow, _ALIASES, entity_ids):
            found[row.entity_id][row.form] = row
        return found

    def _new_keys(self, drafts: list[EntityDraft]) -> dict[str, str]:
        """Return a key for each new entity, by subject: a hash of its origin that is not in use.

        A key can be in use because the note it was made from was renamed, and another took its
        path.
        """
        keys: dict[str, str] = {}
        given: set[str] = set()
        attempt = 0
        while drafts:
            wanted = {draft.subject: _make_key(draft, attempt) for draft in drafts}
            known = sorted(wanted.values())
            found = self._index.all_among(_KEYS, known)
            used = given | {key for (key,) in found}
            for subject, key in wanted.items():
                if key not in used:
                    keys[subject] = key
                    used.add(key)
                    given.add(key)
            drafts = [draft for draft in drafts if draft.subject not in keys]
            attempt += 1
        return keys


def _kind_of(entity: LexiconEntity) -> str:
    """Return the kind of an entity's subject."""
    if entity.heading:
        return "section"
    return _KINDS[entity.status]


def _make_key(draft: EntityDraft, attempt: int) -> str:
    if draft.status == "known" and draft.canonical_id is not None and attempt == 0:
        return draft.canonical_id
    origin = draft.subject if draft.path_of_note is None else f"note:{draft.path_of_note}"
    origin += f"#{draft.heading}" if draft.heading else ""
    seed = f"{origin} {attempt or ''}"
    return "e" + hashlib.blake2b(seed.encode(), digest_size=6).hexdigest()


def _alike(forms: Iterable[str]) -> set[str]:
    """Return the keys of forms, and of what is spelled like one of them."""
    return {other for key in _keys(forms) for other in (key, *spelled_alike(key))}


def _keys(forms: Iterable[str]) -> set[str]:
    return {fold_name(form) for form in forms}
