"""Read the subjects of entities from the rows: notes, links to notes and to no file, names used.

What a manuscript note says is known from its position; what any other note says, always.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, case, func, or_, select

from writeros_entities.store import rows
from writeros_entities.store.rows import Asked, VaultRows
from writeros_entities.sync.drafting.type_words import PERSON
from writeros_entities.values import ALWAYS, HEADING_SEPARATOR, TOLD_TYPE
from writeros_entities.vault.links import heading_key

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Table

    from writeros_entities.store.rows import Row, Statement
    from writeros_entities.sync.drafting.guessed_types import NameUse

MAX_LINK_TEXT = 80
"""Longer link texts are phrases, not names."""

LINKED_KINDS = ("wikilink", "markdown", "frontmatter")
"""Kinds of link whose unresolved target becomes an entity; an embed is not one."""


_EXTENSION = re.compile(r"\.[0-9]*+[a-z][a-z0-9]*\Z")
"""A file extension at the end of a link key; after an abbreviation (`dr. hale`) comes a space."""


_SUGGESTS = or_(
    rows.note.c.role != "other",
    rows.proposal.c.heading.is_not(None),
    and_(rows.proposal.c.type == PERSON, rows.proposal.c.type_confidence >= TOLD_TYPE),
)
"""Whether a note suggests a name that it uses: one of which nothing says what it is for suggests
only those of whom words tell that they are people.
"""


_KNOWN_FROM = case((rows.note.c.position.is_(None), ALWAYS), else_=rows.note.c.position)


def _of_note(table: Table) -> ColumnElement[bool]:
    """Return the condition that a note is that of a row of another table."""
    return (rows.note.c.id == table.c.note_id) & rows.in_vault(rows.note)


def _notes() -> Asked:
    note, link, proposal = rows.note, rows.link, rows.proposal
    to_note = [rows.in_vault(link), link.c.target_note_id == note.c.id]
    is_linked = select(link.c.target_note_id).where(*to_note).exists()  # covered by an index
    called = [rows.in_vault(proposal), proposal.c.name_key == note.c.link_key]
    is_named = select(proposal.c.note_id).where(*called).exists()
    is_typed = note.c.declaration["type"].as_string().is_not(None)
    is_told = and_(note.c.role == "entity", note.c.declaration["told"].as_string().is_not(None))
    statement = (
        select(note.c.id, note.c.path, note.c.title, note.c.link_key, note.c.position)
        .add_columns(note.c.frontmatter, note.c.declaration, note.c.role)
        .where(
            rows.in_vault(note),
            note.c.kind == "note",
            or_(is_typed, is_told, is_linked, is_named),
        )
        .order_by(note.c.path)
    )
    return Asked.by(statement, note.c.id)


def _told() -> Asked:
    note, proposal = rows.note, rows.proposal
    statement = (
        select(proposal.c.name_key, proposal.c.type, proposal.c.count, proposal.c.needed)
        .add_columns(proposal.c.type_confidence, note.c.position.label("known_from"))
        .join(note, _of_note(proposal))
        .where(rows.in_vault(proposal), note.c.position.is_not(None))
        .order_by(note.c.path)
    )
    return Asked.by(statement, proposal.c.name_key)


def _link_texts() -> Asked:
    link = rows.link
    text = (link.c.target_note_id, link.c.display, link.c.heading, link.c.block)
    statement = (
        select(*text, func.min(_KNOWN_FROM).label("known_from"))
        .join(rows.note, _of_note(link))
        .where(
            rows.in_vault(link),
            link.c.target_note_id.is_not(None),
            link.c.target_note_id != link.c.note_id,
            link.c.kind != "embed",
        )
        .group_by(*text)
        .order_by(*text)
    )
    return Asked.by(statement, link.c.target_note_id)


def _unresolved() -> Asked:
    link, note = rows.link, rows.note
    statement = (
        select(link.c.target_key, link.c.target, link.c.display, _KNOWN_FROM.label("known_from"))
        .add_columns(link.c.field, note.c.path)
        .join(note, _of_note(link))
        .where(
            rows.in_vault(link),
            link.c.status == "unresolved",
            link.c.kind.in_(LINKED_KINDS),
        )
        .order_by(_KNOWN_FROM, note.c.path, link.c.ordinal)
    )
    return Asked.by(statement, link.c.target_key)


def _often_proposed() -> Asked:
    proposal = rows.proposal
    key = proposal.c.name_key
    statement = (
        select(key)
        .join(rows.note, _of_note(proposal))
        .where(rows.in_vault(proposal), _SUGGESTS)
        .group_by(key)
        .having(func.sum(proposal.c.count) >= func.min(proposal.c.needed))
        .order_by(key)
    )
    return Asked.by(statement, key)


def _uses() -> Statement:
    proposal, note = rows.proposal, rows.note
    return (
        select(proposal, note.c.path, note.c.position, _KNOWN_FROM.label("known_from"))
        .add_columns(note.c.declaration["type"].as_string().label("type_of_note"))
        .join(note, _of_note(proposal))
        .where(rows.in_vault(proposal))
        .order_by(_KNOWN_FROM, note.c.path)
    )


def _of_sections() -> Asked:
    proposal, entity = rows.proposal, rows.entity
    about = [rows.in_vault(entity), entity.c.note_id == proposal.c.note_id]
    is_about = select(entity.c.id).where(*about, entity.c.heading.is_(None)).exists()
    headed = select(proposal.c.name_key).where(rows.in_vault(proposal), proposal.c.heading > "")
    used = _uses().add_columns(is_about.label("is_of_entity"))
    used = used.where(proposal.c.name_key.in_(headed.distinct()))
    return Asked.by(used, proposal.c.name_key)


def _sections() -> Asked:
    proposal = rows.proposal
    statement = select(proposal.c.note_id, proposal.c.name_key, proposal.c.heading)
    headed = statement.where(rows.in_vault(proposal), proposal.c.heading > "")
    return Asked.by(headed, proposal.c.note_id)


_NOTES = _notes()
_TITLED = Asked.by(select(rows.note.c.id).where(rows.in_vault(rows.note)), rows.note.c.link_key)
_TOLD = _told()
_LINK_TEXTS = _link_texts()
_UNRESOLVED = _unresolved()
_OFTEN_PROPOSED = _often_proposed()
_PROPOSALS = Asked.by(_uses().where(_SUGGESTS), rows.proposal.c.name_key)
_OF_SECTIONS = _of_sections()
_SECTIONS = _sections()


class Subjects:
    """Reads the subjects of one vault's entities."""

    def __init__(self, index: VaultRows) -> None:
        self._index = index
        self._connection = index.connection

    def notes(self, note_ids: Iterable[int] | None) -> Iterator[Row]:
        """Yield the notes that may be entities, by path: with a type, linked to, or named; also
        those of the story's world whose text tells a type.

        The order matters, since ids are assigned in it and ties are broken by id.
        """
        return self._in_batches(_NOTES, note_ids)

    def titled(self, keys: Iterable[str]) -> set[int]:
        """Return the notes whose file names are these names."""
        return {row.id for row in self._in_batches(_TITLED, keys)}

    def positions(self) -> dict[str, int]:
        """Return the reading positions of the manuscript's notes, by path."""
        note = rows.note
        placed = select(note.c.path, note.c.position).where(
            self._index.owns(note), note.c.position.is_not(None)
        )
        return {row.path: row.position for row in self._connection.execute(placed)}

    def told(self, keys: Iterable[str]) -> dict[str, list[NameUse]]:
        """Return, by key, how the chapters use these names."""
        uses: dict[str, list[NameUse]] = defaultdict(list)
        for row in self._in_batches(_TOLD, keys):
            uses[row.name_key].append(row)
        return uses

    def link_texts(self, note_ids: Iterable[int] | None) -> dict[int, list[tuple[str, int]]]:
        """Return, for each note that others link to, (text, known from) of these links.

        A text that is no name is "", and so is that of a link to a part of a note, as
        "[[Vale#^fog|the flood]]". A link to a section that has a name means what that names.
        """
        texts: dict[int, list[tuple[str, int]]] = defaultdict(list)
        found = list(self._in_batches(_LINK_TEXTS, note_ids))
        sections = self._section_keys({row.target_note_id for row in found if row.heading})
        for row in found:
            if row.heading and section_key(row.heading) in sections[row.target_note_id]:
                continue
            is_whole = not (row.heading or row.block)
            is_name = is_whole and row.display and is_nameable(row.display)
            texts[row.target_note_id].append((row.display if is_name else "", row.known_from))
        return texts

    def unresolved(self, keys: Iterable[str] | None) -> list[Row]:
        """Return the unresolved links with these keys, in reading order.

        Links to other files than notes (`map.png`) are left out.
        """
        found = self._in_batches(_UNRESOLVED, keys)
        return [row for row in found if not _EXTENSION.search(row.target_key)]

    def often_proposed(self, keys: Iterable[str] | None) -> list[str]:
        """Return those of the names whose uses in all notes together reach the number needed."""
        return [row.name_key for row in self._in_batches(_OFTEN_PROPOSED, keys)]

    def proposals(self, keys: Iterable[str]) -> Iterable[NameUse]:
        """Return the uses of these names, in reading order."""
        return self._in_batches(_PROPOSALS, keys)

    def of_sections(self, keys: Iterable[str] | None) -> Iterable[NameUse]:
        """Return the uses of those of the names that sections of notes have, in reading order."""
        return self._in_batches(_OF_SECTIONS, keys)

    def names_of_sections(self, note_ids: Iterable[int]) -> set[str]:
        """Return the keys of the names that sections of these notes have."""
        return {row.name_key for row in self._in_batches(_SECTIONS, note_ids)}

    def _section_keys(self, note_ids: Iterable[int]) -> dict[int, set[str]]:
        """Return, by note, the keys of the sections that have a name."""
        found: dict[int, set[str]] = defaultdict(set)
        for row in self._in_batches(_SECTIONS, note_ids):
            found[row.note_id].add(section_key(row.heading))
        return found

    def shown_from(self, note_id: int, claim: str) -> int | None:
        """Return the `visible_from` of the parts of a note with this claim; None for never."""
        chunk = rows.chunk
        found: int | None = self._connection.scalar(
            select(func.min(chunk.c.visible_from)).where(
                self._index.owns(chunk),
                chunk.c.note_id == note_id,
                chunk.c.visible_claim == claim,
            )
        )
        return found

    def _in_batches(self, asked: Asked, values: Iterable[Any] | None) -> Iterator[Any]:
        """Yield the rows for these values, or all: a batch at a time, as a vault may have many."""
        if values is not None:
            yield from self._index.all_among(asked.some, sorted(values))
            return
        found = self._index.execute(*asked.of(None))
        for batch in found.partitions(rows.BATCH):
            yield from batch


def section_key(heading: str) -> str:
    """Return what a section and a link to it have in common, by the headings that lead to it."""
    return heading_key(re.split(f"#|{HEADING_SEPARATOR}", heading)[-1])


def is_nameable(text: str) -> bool:
    """Return whether a link's text can be a name."""
    return len(text) <= MAX_LINK_TEXT and any(character.isalpha() for character in text)
