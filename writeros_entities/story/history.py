"""The history of an entity along the reading order: its changes, and its presence by chapter."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import func, or_, select

from writeros_entities.store import rows
from writeros_entities.story.asserted import heading_of, quoted
from writeros_entities.values import ALWAYS

if TYPE_CHECKING:
    from writeros_entities.ontology import Ontology
    from writeros_entities.store.rows import Row
    from writeros_entities.view import View


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """A change of an entity, and the words that show it.

    `since` is the position from which a reader knows of it (None: from the beginning); `position`
    is the reading position of the words (None: outside the manuscript).
    """

    entity_id: int
    kind: str
    since: int | None
    position: int | None
    previous: str | None
    new: str | None
    other_id: int | None
    path: str
    title: str
    heading: str
    line: int
    chunk_id: int | None
    start: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True)
class ChapterRow:
    """The number of mentions of an entity in a note of the manuscript, and the names used there."""

    position: int
    path: str
    title: str
    mentions: int
    names: tuple[str, ...]


class UntoldStatus(NamedTuple):
    """A status that a note outside the manuscript states: a plan, or what the writer knows."""

    status: str
    path: str
    is_planned: bool


def load_changes(
    view: View, entity_ids: Collection[int] | None = None, kinds: Collection[str] | None = None
) -> list[ChangeRow]:
    """Return the visible changes of some entities (None: of all), in reading order."""
    change, note, chunk = view.entity_change, view.note, view.chunk
    statement = (
        select(change, note.c.path, note.c.title, chunk.c.text, chunk.c.heading)
        .add_columns(chunk.c.sections, chunk.c.start.label("chunk_start"))
        .join(note, note.c.id == change.c.note_id)
        .outerjoin(chunk, chunk.c.id == change.c.chunk_id)
        .order_by(change.c.visible_from, change.c.entity_id, change.c.ordinal)
    )
    if kinds is not None:
        statement = statement.where(change.c.kind.in_(kinds))
    return [
        ChangeRow(
            row.entity_id,
            row.kind,
            None if row.visible_from == ALWAYS else row.visible_from,
            row.position,
            row.previous,
            row.new,
            row.other_id,
            row.path,
            row.title,
            heading_of(row),
            row.line,
            row.chunk_id,
            row.start,
            row.end,
            quoted(row),
        )
        for row in (
            view.all(statement)
            if entity_ids is None
            else view.all_among(statement, change.c.entity_id, entity_ids)
        )
    ]


def load_untold_statuses(view: View, ontology: Ontology, entity_id: int) -> list[UntoldStatus]:
    """Return the statuses of an entity that only notes outside the manuscript state, by path."""
    evidence, note, relation = view.evidence, view.note, rows.relation.c
    touching = or_(relation.source_id == entity_id, relation.target_id == entity_id)
    related = view.relations(touching).subquery("related")
    statement = (
        select(related.c.source_id, related.c.target_id, related.c.kind, related.c.origin)
        .add_columns(note.c.role, note.c.path)
        .join(evidence, evidence.c.relation_id == related.c.id)
        .join(note, note.c.id == evidence.c.note_id)
        .where(evidence.c.visible_from.is_(None), evidence.c.has_ended.is_(False))
        .order_by(note.c.path, evidence.c.start)
    )
    found = []
    for row in view.all(statement):
        kind = ontology.kind(row.kind)
        own = kind.source_status if row.source_id == entity_id else kind.target_status
        status = row.kind if row.origin == "status" else own
        if status is not None:
            found.append(UntoldStatus(status, row.path, row.role == "plan"))
    return found


def load_chapters(view: View, entity_id: int) -> list[ChapterRow]:
    """Return the notes of the manuscript that mention an entity, in reading order."""
    mention, chunk, note = view.mention, view.chunk, view.note
    statement = (
        select(note.c.position, note.c.path, note.c.title, mention.c.form)
        .add_columns(func.count().label("mentions"))
        .join(chunk, chunk.c.id == mention.c.chunk_id)
        .join(note, note.c.id == chunk.c.note_id)
        .where(mention.c.entity_id == entity_id, note.c.position.is_not(None))
        .group_by(note.c.position, note.c.path, note.c.title, mention.c.form)
        .order_by(note.c.position, note.c.path, func.count().desc(), mention.c.form)
    )
    by_note: dict[tuple[int, str, str], list[Row]] = defaultdict(list)
    for row in view.all(statement):
        by_note[row.position, row.path, row.title].append(row)
    return [
        ChapterRow(*note, sum(row.mentions for row in found), tuple(row.form for row in found))
        for note, found in by_note.items()
    ]


def positions_of(view: View) -> list[int]:
    """Return every visible reading position, in order."""
    position = view.note.c.position
    statement = select(position).where(position.is_not(None)).distinct().order_by(position)
    return view.scalars(statement)


def absences(positions: Iterable[int], present: Collection[int]) -> list[tuple[int, int]]:
    """Return the intervals without an entity, as (first, last) positions, after its first
    appearance.
    """
    found: list[tuple[int, int]] = []
    has_appeared = is_absent = False
    for position in positions:
        if position in present:
            has_appeared, is_absent = True, False
        elif has_appeared:
            found.append((found.pop()[0] if is_absent else position, position))
            is_absent = True
    return found
