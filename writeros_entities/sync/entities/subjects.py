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
from writeros_entities.sync.drafting.linked_types import PERSON
from writeros_entities.values import ALWAYS, HEADING_SEPARATOR, SURE_TYPE
from writeros_entities.vault.links import heading_key

if TYPE_CHECKING:
    from sqlalchemy import Connection

MAX_LINK_TEXT = 80
"""Longer link texts are phrases, not names."""

LINKED_KINDS = ("wikilink", "markdown", "frontmatter")
"""Kinds of link whose unresolved target becomes an entity; an embed is not one."""


_EXTENSION = re.compile(r"\.[0-9]*+[a-z][a-z0-9]*\Z")
"""A file extension at the end of a link key; after an abbreviation (`dr. hale`) comes a space."""


_SUGGESTS = or_(
    rows.note.c.role != "other",
    rows.proposal.c.heading.is_not(None),
    and_(rows.proposal.c.type == PERSON, rows.proposal.c.type_confidence >= SURE_TYPE),
)
"""Whether a note suggests a name that it uses: one of which nothing says what it is for suggests
only those who surely are people.
"""


class Subjects:
    """Reads the subjects of one vault's entities."""

    def __init__(self, connection: Connection, vault_id: int) -> None:
        self._connection = connection
        self._vault_id = vault_id

    def notes(self, note_ids: Iterable[int] | None) -> Iterator[Any]:
        """Yield the notes that may be entities, by path: with a type, linked to, or named.

        The order matters, since ids are assigned in it and ties are broken by id.
        """
        note, link, proposal = rows.note, rows.link, rows.proposal
        to_note = [link.c.vault_id == self._vault_id, link.c.target_note_id == note.c.id]
        is_linked = select(link.c.target_note_id).where(*to_note).exists()  # covered by an index
        called = [proposal.c.vault_id == self._vault_id, proposal.c.name_key == note.c.link_key]
        is_named = select(proposal.c.note_id).where(*called).exists()
        statement = (
            select(
                note.c.id,
                note.c.path,
                note.c.title,
                note.c.link_key,
                note.c.position,
                note.c.frontmatter,
                note.c.declaration,
            )
            .where(
                note.c.vault_id == self._vault_id,
                note.c.kind == "note",
                or_(note.c.declaration["type"].as_string().is_not(None), is_linked, is_named),
            )
            .order_by(note.c.path)
        )
        return self._in_batches(statement, note.c.id, note_ids)

    def titled(self, keys: Iterable[str]) -> set[int]:
        """Return the notes whose file names are these names."""
        note = rows.note
        statement = select(note.c.id).where(note.c.vault_id == self._vault_id)
        return {row.id for row in self._in_batches(statement, note.c.link_key, keys)}

    def positions(self) -> dict[str, int]:
        """Return the reading positions of the manuscript's notes, by path."""
        note = rows.note
        placed = select(note.c.path, note.c.position).where(
            note.c.vault_id == self._vault_id, note.c.position.is_not(None)
        )
        return {row.path: row.position for row in self._connection.execute(placed)}

    def told(self, keys: Iterable[str]) -> dict[str, list[Any]]:
        """Return, by key, how the chapters use these names."""
        note, proposal = rows.note, rows.proposal
        statement = (
            select(proposal.c.name_key, proposal.c.type, proposal.c.count, proposal.c.needed)
            .add_columns(proposal.c.type_confidence, note.c.position.label("known_from"))
            .join(note, (note.c.id == proposal.c.note_id) & (note.c.vault_id == self._vault_id))
            .where(proposal.c.vault_id == self._vault_id, note.c.position.is_not(None))
            .order_by(note.c.path)
        )
        uses: dict[str, list[Any]] = defaultdict(list)
        for row in self._in_batches(statement, proposal.c.name_key, keys):
            uses[row.name_key].append(row)
        return uses

    def link_texts(self, note_ids: Iterable[int] | None) -> dict[int, list[tuple[str, int]]]:
        """Return, for each note that others link to, (text, known from) of these links.

        A text that is no name is "". A link to a section that has a name means what that names.
        """
        sections = self._section_keys(note_ids)
        link, note = rows.link, rows.note
        known_from = func.min(case((note.c.position.is_(None), ALWAYS), else_=note.c.position))
        statement = (
            select(link.c.target_note_id, link.c.display, known_from.label("known_from"))
            .add_columns(link.c.heading)
            .join(note, (note.c.id == link.c.note_id) & (note.c.vault_id == self._vault_id))
            .where(
                link.c.vault_id == self._vault_id,
                link.c.target_note_id.is_not(None),
                link.c.target_note_id != link.c.note_id,
                link.c.kind != "embed",
            )
            .group_by(link.c.target_note_id, link.c.display, link.c.heading)
            .order_by(link.c.target_note_id, link.c.display, link.c.heading)
        )
        texts: dict[int, list[tuple[str, int]]] = defaultdict(list)
        for row in self._in_batches(statement, link.c.target_note_id, note_ids):
            if row.heading and section_key(row.heading) in sections[row.target_note_id]:
                continue
            is_name = row.display and is_nameable(row.display)
            texts[row.target_note_id].append((row.display if is_name else "", row.known_from))
        return texts

    def unresolved(self, keys: Iterable[str] | None) -> list[Any]:
        """Return the unresolved links with these keys, in reading order.

        Links to other files than notes (`map.png`) are left out.
        """
        link, note = rows.link, rows.note
        known_from = case((note.c.position.is_(None), ALWAYS), else_=note.c.position)
        statement = (
            select(link.c.target_key, link.c.target, link.c.display, known_from.label("known_from"))
            .add_columns(link.c.field, note.c.path)
            .join(note, (note.c.id == link.c.note_id) & (note.c.vault_id == self._vault_id))
            .where(
                link.c.vault_id == self._vault_id,
                link.c.status == "unresolved",
                link.c.kind.in_(LINKED_KINDS),
            )
            .order_by(known_from, note.c.path, link.c.ordinal)
        )
        found = self._in_batches(statement, link.c.target_key, keys)
        return [row for row in found if not _EXTENSION.search(row.target_key)]

    def often_proposed(self, keys: Iterable[str] | None) -> list[str]:
        """Return those of the names whose uses in all notes together reach the number needed."""
        proposal, note = rows.proposal, rows.note
        key = proposal.c.name_key
        statement = (
            select(key)
            .join(note, (note.c.id == proposal.c.note_id) & (note.c.vault_id == self._vault_id))
            .where(proposal.c.vault_id == self._vault_id, _SUGGESTS)
            .group_by(key)
            .having(func.sum(proposal.c.count) >= func.min(proposal.c.needed))
            .order_by(key)
        )
        return [row.name_key for row in self._in_batches(statement, key, keys)]

    def proposals(self, keys: Iterable[str]) -> Iterable[Any]:
        """Return the uses of these names, in reading order."""
        return self._in_batches(self._uses().where(_SUGGESTS), rows.proposal.c.name_key, keys)

    def of_sections(self, keys: Iterable[str] | None) -> Iterable[Any]:
        """Return the uses of those of the names that sections of notes have, in reading order."""
        proposal = rows.proposal
        headed = select(proposal.c.name_key).where(*self._headed()).distinct()
        entity = rows.entity
        about = [entity.c.vault_id == self._vault_id, entity.c.note_id == proposal.c.note_id]
        is_about = select(entity.c.id).where(*about, entity.c.heading.is_(None)).exists()
        used = self._uses().add_columns(is_about.label("is_of_entity"))
        used = used.where(proposal.c.name_key.in_(headed))
        return self._in_batches(used, proposal.c.name_key, keys)

    def names_of_sections(self, note_ids: Iterable[int]) -> set[str]:
        """Return the keys of the names that sections of these notes have."""
        proposal = rows.proposal
        statement = select(proposal.c.name_key).where(*self._headed())
        return {row.name_key for row in self._in_batches(statement, proposal.c.note_id, note_ids)}

    def _section_keys(self, note_ids: Iterable[int] | None) -> dict[int, set[str]]:
        """Return, by note, the keys of the sections that have a name."""
        proposal = rows.proposal
        statement = select(proposal.c.note_id, proposal.c.heading).where(*self._headed())
        found: dict[int, set[str]] = defaultdict(set)
        for row in self._in_batches(statement, proposal.c.note_id, note_ids):
            found[row.note_id].add(section_key(row.heading))
        return found

    def _headed(self) -> tuple[Any, ...]:
        proposal = rows.proposal
        return proposal.c.vault_id == self._vault_id, proposal.c.heading > ""

    def _uses(self) -> Any:
        proposal, note = rows.proposal, rows.note
        known_from = case((note.c.position.is_(None), ALWAYS), else_=note.c.position)
        return (
            select(proposal, note.c.path, note.c.position, known_from.label("known_from"))
            .add_columns(note.c.declaration["type"].as_string().label("type_of_note"))
            .join(note, (note.c.id == proposal.c.note_id) & (note.c.vault_id == self._vault_id))
            .where(proposal.c.vault_id == self._vault_id)
            .order_by(known_from, note.c.path)
        )

    def shown_from(self, note_id: int, claim: str) -> int | None:
        """Return the `visible_from` of the parts of a note with this claim; None for never."""
        chunk = rows.chunk
        found: int | None = self._connection.scalar(
            select(func.min(chunk.c.visible_from)).where(
                chunk.c.vault_id == self._vault_id,
                chunk.c.note_id == note_id,
                chunk.c.visible_claim == claim,
            )
        )
        return found

    def _in_batches(
        self, statement: Any, column: Any, values: Iterable[Any] | None
    ) -> Iterator[Any]:
        """Yield the rows for these values, or all: a batch at a time, as a vault may have many."""
        if values is not None:
            yield from rows.all_among(self._connection, statement, column, sorted(values))
            return
        for batch in self._connection.execute(statement).partitions(rows.BATCH):
            yield from batch


def section_key(heading: str) -> str:
    """Return what a section and a link to it have in common, by the headings that lead to it."""
    return heading_key(re.split(f"#|{HEADING_SEPARATOR}", heading)[-1])


def is_nameable(text: str) -> bool:
    """Return whether a link's text can be a name."""
    return len(text) <= MAX_LINK_TEXT and any(character.isalpha() for character in text)
