"""Derive entities and their names from what notes say about themselves and each other.

Each entity has a subject: a note, a section of one, the target of links that point to no file, an
entry of a knowledge base, or a name used often. Subjects are derived in the order noted, section,
known, linked, suggested, and a later kind does not take a form that an earlier one has. Only
touched subjects are derived again.

A form is *known from* the reading position at which the manuscript first connects it with its
entity; what a note outside the manuscript says is always known. That a reader may see a form only
from its first use on is handled separately (see `counts`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from writeros_entities.errors import FAULTS
from writeros_entities.names import MAX_NAME, fold_name, forms_of_known
from writeros_entities.naming import Origin, not_before
from writeros_entities.ontology import UNTYPED
from writeros_entities.plugins import describe_failures
from writeros_entities.properties import join_properties
from writeros_entities.store import rows
from writeros_entities.store.rows import VaultRows
from writeros_entities.sync.drafting.drafter import vocabulary_of
from writeros_entities.sync.drafting.guessed_types import infer_type
from writeros_entities.sync.drafting.type_words import PERSON
from writeros_entities.sync.entities.drafts import (
    EntityDraft,
    FormDraft,
    keep_form,
    link_subject,
    name_subject,
    note_subject,
    section_subject,
)
from writeros_entities.sync.entities.subjects import Subjects, is_nameable
from writeros_entities.sync.entities.suggestions import (
    THE,
    Suggestion,
    group_names,
    in_nominative,
    parts_of,
    read_section,
    read_suggestion,
    spelled_alike,
    type_of_title,
    without_labels,
)
from writeros_entities.values import ALWAYS, LARGEST_POSITION, Name
from writeros_entities.values.notes import latest, note_name
from writeros_entities.vault.order.chapters import Chapters
from writeros_entities.vault.titles import is_numbered, spell_out

if TYPE_CHECKING:
    from writeros_entities.naming import Naming
    from writeros_entities.protocols import ReadingOrder
    from writeros_entities.store.rows import Row
    from writeros_entities.sync.drafting.guessed_types import NameUse
    from writeros_entities.values import Diagnostic, KnownEntity, NameKind
    from writeros_entities.vault.decisions import Decisions, OtherName

NAMING_FAILED = "naming-failed"
CONCEPT = "concept"
"""The type of an entity that nothing determines."""

NAME_WEIGHT = 1.0
ALIAS_WEIGHT = 0.95
SUGGESTED_WEIGHT = 0.6
LINK_TEXT_WEIGHT = 0.9
Taken = Callable[[Iterable[str]], Mapping[str, int]]
"""Returns the form keys that earlier kinds of subject have, each with where it is known from."""


class Knowledge:
    """The entities of the knowledge bases that a vault uses, by id and by form."""

    def __init__(self, entities: Iterable[KnownEntity]) -> None:
        self.by_id = {entity.id: entity for entity in entities}
        self.by_form = {
            fold_name(form): entity
            for entity in self.by_id.values()
            for form in (entity.name, *entity.forms, *entity.exact_forms)
        }


class Deriver:
    """Derives the entity drafts of one vault from its note, link and proposal rows.

    `failed` maps a note's id to its path and the diagnostics of plugins that failed to derive names
    from its own; `failed_suggestions` maps the path of a suggested name's first use to the same.
    """

    def __init__(
        self, index: VaultRows, naming: Naming, knowledge: Knowledge, decisions: Decisions
    ) -> None:
        self._subjects = Subjects(index)
        self._decisions = decisions
        self.naming = naming
        self._plugins = naming.plugins
        self._vocabulary = vocabulary_of(naming.plugins)
        self._knowledge = knowledge
        self.failed: dict[int, tuple[str, list[Diagnostic]]] = {}
        self.failed_suggestions: dict[str, list[Diagnostic]] = {}
        known_types = {entity.type for entity in knowledge.by_id.values()}
        self._story_types = naming.plugins.entity_types.keys() - known_types - {CONCEPT}

    def from_notes(self, note_ids: Iterable[int] | None) -> dict[str, EntityDraft]:
        """Derive the entities whose subjects are these notes; None means all notes."""
        drafts = {}
        notes: Iterable[Row] = self._subjects.notes(note_ids)
        linked_to = None
        if note_ids is not None:
            notes = list(notes)
            linked_to = [note.id for note in notes]
        texts = self._subjects.link_texts(linked_to)
        for note, told in self._with_types_told(notes):
            declaration = note.declaration or {"type": None, "aliases": [], "is_entity": True}
            linked = texts.get(note.id, ())
            own = declaration.get("name") or note.title
            given = (own, note.title, *declaration["aliases"])
            decided = self._decisions.sort_of(given, note.path)
            kind, since = _type_and_start(note, declaration, linked, told)
            if decided is not None and declaration["is_entity"]:
                kind, since = decided.sort, ALWAYS
            if kind is None:
                continue
            others = self._decisions.other_names(given, note.path)
            aliases = (*declaration["aliases"], *(one.name for one in others if not one.since))
            forms = {own: FormDraft(own, "name", NAME_WEIGHT, ALWAYS)}
            for name in aliases:
                keep_form(forms, FormDraft(name, "alias", ALIAS_WEIGHT, ALWAYS))
            known = self._known_by(forms, kind)
            if known is not None:
                self._add_known_forms(forms, known)
            surface = [form.form for form in forms.values() if form.kind == "surface_form"]
            later = [(one.name, self._since(one)) for one in others if one.since]
            revealed = (*self._revealed(note), *later)
            for name, known_from in revealed:
                keep_form(forms, FormDraft(name, "alias", ALIAS_WEIGHT, known_from))
            subject = note_subject(note.id)
            drafts[subject] = EntityDraft(
                subject,
                own,
                kind,
                "noted",
                since,
                note_id=note.id,
                word=decided.kind if decided is not None else declaration.get("kind"),
                path=note.path,
                canonical_id=known.id if known else None,
                context=declaration.get("context"),
                properties=join_properties(note.frontmatter or {}, declaration.get("fields", {})),
                forms=forms,
                link_texts=linked,
                origin=Origin(
                    aliases,
                    declaration.get("gender"),
                    revealed,
                    frozenset(map(fold_name, surface)),
                    self._never_of((own, *aliases, *(name for name, _ in revealed))),
                ),
            )
        return drafts

    def name(self, draft: EntityDraft) -> dict[str, Name]:
        """Return all names of a drafted entity, by form, without its id.

        They are those given, those that follow from them, and the texts of links to its note.
        """
        forms = dict(draft.forms)
        self.naming.failures.clear()
        following = self.naming.follow(
            draft.name, draft.type, draft.status, draft.known_from, draft.origin
        )
        if self.naming.failures and draft.path is not None:
            failed = draft.path, describe_failures(self.naming.failures, NAMING_FAILED)
            if draft.note_id is None:
                self.failed_suggestions[failed[0]] = failed[1]
            else:
                self.failed[draft.note_id] = failed
        for form, name in following.items():
            keep_form(forms, FormDraft(form, "derived", name.weight, name.known_from))
        kept_back = {fold_name(one.form) for one in forms.values() if one.known_from != ALWAYS}
        for text, known_from in draft.link_texts:
            # A link text in a note outside the manuscript must not reveal a hidden alias.
            if text and (known_from != ALWAYS or fold_name(text) not in kept_back):
                keep_form(forms, FormDraft(text, "link_text", LINK_TEXT_WEIGHT, known_from))
        names = self._filtered(forms)
        if draft.status != "noted":
            return names
        return {form: not_before(draft.known_from, name) for form, name in names.items()}

    def _with_types_told(
        self, notes: Iterable[Row]
    ) -> Iterator[tuple[Any, tuple[str, int] | None]]:
        """Yield notes, each with the type that chapters show for it if it states none, and from
        where.
        """
        for batch in rows.batches(notes):
            untyped = {
                note.id: note.link_key
                for note in batch
                if note.position is None and not (note.declaration or {}).get("type")
            }
            uses = self._subjects.told(set(untyped.values()))
            for note in batch:
                key = untyped.get(note.id)
                told = None if key is None else type_of_title(note.title, uses.get(key, ()))
                yield note, told

    def titled(self, keys: Iterable[str]) -> set[int]:
        """Return the notes whose file names are these names."""
        return self._subjects.titled(keys)

    def from_sections(self, keys: Iterable[str] | None, taken: Taken) -> dict[str, EntityDraft]:
        """Derive the entities that sections of notes are about, except those that have a note."""
        uses: dict[str, list[NameUse]] = defaultdict(list)
        for row in self._subjects.of_sections(keys):
            uses[row.name_key].append(row)
        for row in self._subjects.proposals(
            key.removeprefix(THE) for key in list(uses) if key.startswith(THE)
        ):
            if row.heading is None:
                uses[f"{THE}{row.name_key}"].append(row)
        links: dict[str, list[Row]] = defaultdict(list)
        for link in self._subjects.unresolved(uses):
            links[link.target_key].append(link)
        alike = {key: {key, *spelled_alike(key)} for key in uses}
        refused = taken(set().union(*alike.values()))
        drafts = {}
        for key, found in uses.items():
            read = read_section(sorted(found, key=attrgetter("known_from")), links[key])
            if read is None or self._is_never(key):
                continue
            section, kind, since = read
            if kind in UNTYPED and links[key]:
                kind = infer_type(links[key], (), self._plugins.ontology) or kind
            if any(refused.get(other, LARGEST_POSITION) <= since for other in alike[key]):
                continue
            subject = section_subject(key)
            drafts[subject] = EntityDraft(
                subject,
                section.name,
                kind,
                "noted",
                since,
                note_id=section.note_id,
                heading=section.heading,
                path=section.path,
                forms={section.name: FormDraft(section.name, "name", NAME_WEIGHT, since)},
            )
        return self._as_decided(drafts)

    def names_of_sections(self, note_ids: Iterable[int]) -> set[str]:
        """Return the keys of the names that sections of these notes have."""
        return self._subjects.names_of_sections(note_ids)

    def from_links(
        self, keys: Iterable[str] | None, taken: Taken, taken_by_notes: Taken
    ) -> dict[str, EntityDraft]:
        """Derive the entities of unresolved links whose names no earlier subject has.

        A person whom links name Ruby is not the known entity of that name.
        """
        found: dict[str, list[Row]] = defaultdict(list)
        for row in self._subjects.unresolved(keys):
            found[row.target_key].append(row)
        refused, noted = taken(found), taken_by_notes(found)
        uses: dict[str, list[NameUse]] = defaultdict(list)
        for use in self._subjects.proposals(found):
            uses[use.name_key].append(use)
        drafts = {}
        for key, links in found.items():
            known_from = min(link.known_from for link in links)
            shown = [link.display for link in links if link.known_from == known_from]
            address = note_name(links[0].target).strip()
            name = spell_out(address, filter(None, shown))
            if name != address and is_numbered(address):
                continue  # the number of a page, whose text is a name like any other
            kind = infer_type(links, uses.get(key, ()), self._plugins.ontology)
            types = self._vocabulary.types
            kind = types.of_name(name, kind) or types.of_mark(name) or CONCEPT
            is_known = key in self._knowledge.by_form
            if is_known and kind in self._story_types:
                is_taken = noted.get(key, LARGEST_POSITION) <= known_from
            else:
                is_taken = is_known or refused.get(key, LARGEST_POSITION) <= known_from
            if is_taken or not 0 < len(name) <= MAX_NAME or self._is_chapter(links[0].target):
                continue
            forms = {name: FormDraft(name, "name", NAME_WEIGHT, known_from)}
            for link in links:
                if link.display and is_nameable(link.display):
                    text = FormDraft(link.display, "link_text", LINK_TEXT_WEIGHT, link.known_from)
                    keep_form(forms, text)
            subject = link_subject(key)
            drafts[subject] = EntityDraft(
                subject, name, kind, "linked", known_from, path=links[0].path, forms=forms
            )
        return self._as_decided(drafts)

    @cached_property
    def _orders(self) -> list[ReadingOrder]:
        return self._plugins.reading_orders()

    def _is_chapter(self, target: str) -> bool:
        """Return whether a link points to a chapter or session that is not written yet."""
        path = f"{target.removesuffix('.md')}.md"
        try:
            claims = [order.claim(path, {}) for order in self._orders]
        except FAULTS:  # a failing reading order is reported with the notes that it reads
            return False
        return any(claim is not None and not claim.is_bare for claim in claims)

    def from_knowledge(self, taken: Taken) -> dict[str, EntityDraft]:
        """Derive the entities of knowledge bases, except those that have a note."""
        drafts = {}
        refused = taken(self._knowledge.by_form)
        for known in self._knowledge.by_id.values():
            forms: dict[str, FormDraft] = {}
            self._add_known_forms(forms, known)
            if any(fold_name(form) in refused for form in forms):
                continue
            subject = f"known:{known.id}"
            drafts[subject] = EntityDraft(
                subject,
                known.name,
                known.type,
                "known",
                canonical_id=known.id,
                forms=forms,
            )
        return drafts

    def used_names(self, keys: Iterable[str], taken: Taken, taken_by_story: Taken) -> set[str]:
        """Return the names that are used often enough and that no earlier kind of subject has.

        The name of a known entity may be that of somebody in the story too.
        """
        often = self._subjects.often_proposed(keys)
        refused, told = taken(often), taken_by_story(often)
        return {key for key in often if self._refused(key, refused, told) != ALWAYS}

    def _refused(self, key: str, refused: Mapping[str, int], told: Mapping[str, int]) -> int:
        return (told if key in self._knowledge.by_form else refused).get(key, LARGEST_POSITION)

    def from_proposals(
        self, keys: Iterable[str] | None, taken: Taken, taken_by_story: Taken
    ) -> dict[str, EntityDraft]:
        """Derive the entities of names that are used often enough without a note.

        A person whom chapters call Ruby is not the known entity of that name. What is spelled like
        the name of an earlier subject, but for a slip, a plural or an elision, is not suggested.
        """
        often = self._subjects.often_proposed(keys)
        refused, told = taken(often), taken_by_story(often)
        alike = {key: {*spelled_alike(key), *self.naming.bare(key)} for key in often}
        taken_alike = taken(set().union(*alike.values()))
        uses: dict[str, list[NameUse]] = defaultdict(list)
        for row in self._subjects.proposals(
            key
            for key in often
            if not self._is_never(key)
            and key not in self._decisions.other_keys
            and self._refused(key, refused, told) != ALWAYS
        ):
            uses[row.name_key].append(row)
        found = [
            suggestion
            for suggestion in map(read_suggestion, filter(None, map(without_labels, uses.values())))
            if suggestion.known_from < self._refused(suggestion.key, refused, told)
            and all(
                suggestion.known_from < taken_alike.get(other, LARGEST_POSITION)
                for other in alike[suggestion.key]
            )
            and (
                suggestion.key not in self._knowledge.by_form
                or suggestion.type in self._story_types
            )
        ]
        found, declined = in_nominative(found, self.naming.inflected)
        derived = self._derive_from_suggestions(found)
        drafts = {}
        keys = {each.key for each in found}
        for first, *others in group_names(found, derived):
            forms = {first.name: FormDraft(first.name, "name", SUGGESTED_WEIGHT, first.known_from)}
            for each in others:
                kind: NameKind = "derived" if len(each.key) < len(first.key) else "alias"
                forms[each.name] = FormDraft(each.name, kind, SUGGESTED_WEIGHT, each.known_from)
            for each in (one for name in (first, *others) for one in declined.get(name.key, ())):
                forms[each.name] = FormDraft(
                    each.name, "derived", SUGGESTED_WEIGHT, each.known_from
                )
            if first.is_certain and first.type == PERSON:
                self._add_given_name(forms, first, keys)
            subject = name_subject(first.key)
            drafts[subject] = EntityDraft(
                subject,
                first.name,
                first.type,
                "suggested",
                first.known_from,
                confidence=first.confidence,
                forms=forms,
            )
        return self._as_decided(drafts)

    def _as_decided(self, drafts: dict[str, EntityDraft]) -> dict[str, EntityDraft]:
        """Give entities without a note of their own the sorts and names that the writer decided."""
        if self._decisions.is_empty:
            return drafts
        decided = {}
        for subject, draft in drafts.items():
            given = (draft.name, *draft.forms), draft.path_of_note, draft.heading
            forms = dict(draft.forms)
            for one in self._decisions.other_names(*given):
                since = self._since(one) if one.since else ALWAYS
                known_from = latest(draft.known_from, since)
                keep_form(forms, FormDraft(one.name, "alias", ALIAS_WEIGHT, known_from))
            sort = self._decisions.sort_of(*given)
            decided[subject] = replace(
                draft,
                type=sort.sort if sort else draft.type,
                word=sort.kind if sort else draft.word,
                forms=forms,
                origin=replace(draft.origin, never=self._never_of(forms)),
            )
        return decided

    def _since(self, one: OtherName) -> int | None:
        """Return the position from which a name is known, None if there is no such chapter."""
        return max(self._chapters.meant(one.since).values(), default=None)

    @cached_property
    def _chapters(self) -> Chapters:
        return Chapters(self._subjects.positions())

    def _is_never(self, key: str) -> bool:
        return self.naming.is_never(key) or key in self._decisions.never

    def _never_of(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the keys of what is no name, of those that may follow from these names."""
        if not self._decisions.never:
            return ()
        words = {word for name in names for word in fold_name(name).split()}
        return tuple(
            sorted(key for key in self._decisions.never if not words.isdisjoint(key.split()))
        )

    def _add_given_name(
        self, forms: dict[str, FormDraft], named: Suggestion, suggested: Collection[str]
    ) -> None:
        """Add the first part of a person's name, unless it is used often enough to be grouped."""
        given = named.key.partition(" ")[0]
        for form, weight in self._parts_of(named.name, PERSON, named.path).items():
            if fold_name(form) == given != named.key and given not in suggested:
                keep_form(forms, FormDraft(form, "derived", weight, named.known_from))

    def _derive_from_suggestions(
        self, found: Sequence[Suggestion]
    ) -> dict[str, Mapping[str, float]]:
        """Return, by key of each name, the names derived from it with their weights.

        Only derived names that are suggested too matter, so plugins are called only for names with
        such a part.
        """
        suggested = {each.key for each in found}
        return {
            each.key: {} if suggested.isdisjoint(parts_of(each.key)) else self._derive_from(each)
            for each in found
        }

    def _derive_from(self, suggestion: Suggestion) -> dict[str, float]:
        parts = self._parts_of(suggestion.name, suggestion.type, suggestion.path)
        return {fold_name(form): weight for form, weight in parts.items()}

    def _parts_of(self, name: str, kind: str, path: str) -> dict[str, float]:
        """Return the forms derived from a name without a note, first used at a path."""
        self.naming.failures.clear()
        derived = self.naming.derive(name, (), kind, None)
        if self.naming.failures:
            failed = describe_failures(self.naming.failures, NAMING_FAILED)
            self.failed_suggestions[path] = failed
        return {each.form: each.weight for each in derived}

    def _known_by(self, forms: Mapping[str, FormDraft], kind: str) -> KnownEntity | None:
        """Return the known entity that a note is about; a person named Ruby is none."""
        if kind in self._story_types:
            return None
        known = (self._knowledge.by_form.get(fold_name(form)) for form in forms)
        return next((entity for entity in known if entity is not None), None)

    def _add_known_forms(self, forms: dict[str, FormDraft], known: KnownEntity) -> None:
        for form, exact in forms_of_known(known).items():
            keep_form(forms, FormDraft(form, "surface_form", ALIAS_WEIGHT, ALWAYS, exact=exact))

    def _revealed(self, note: Row) -> Iterator[tuple[str, int | None]]:
        """Yield the names that sections of a note reveal, with where they are known from."""
        for name, claim in (note.declaration or {}).get("revealed", ()):
            yield name, self._subjects.shown_from(note.id, claim)

    def _filtered(self, forms: Mapping[str, FormDraft]) -> dict[str, Name]:
        kept = {}
        for form, draft in forms.items():
            key = fold_name(form) if len(form) <= MAX_NAME else ""
            if key and not self._is_never(key):
                exact = draft.exact or self.naming.is_exact(key)
                kept[form] = Name(form, "", draft.kind, draft.weight, draft.known_from, exact)
        return kept


def _type_and_start(
    note: Row,
    declaration: Mapping[str, Any],
    linked: Sequence[tuple[str, int]],
    told: tuple[str, int] | None,
) -> tuple[str | None, int]:
    """Return the type of a note's entity, and the position from which it is one.

    The type is the one that it states; or the one that chapters show, if they do so before others
    link to the note; else its text tells it, if it is of the story's world or linked to; else a
    link makes it a concept. Returns None if the note is no entity.
    """
    if not declaration["is_entity"] or declaration["type"] or note.position is not None:
        return declaration["type"] if declaration["is_entity"] else None, ALWAYS
    first_linked = min((known_from for _, known_from in linked), default=LARGEST_POSITION)
    if told is not None and told[1] <= first_linked:
        return told
    of_text = declaration.get("told") if linked or note.role == "entity" else None
    return of_text or (CONCEPT if linked else None), ALWAYS
