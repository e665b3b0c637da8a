"""Assign reading positions and visibility to notes, and to the rows that came from them."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, or_, select, update

from writeros_entities.names import fold_name
from writeros_entities.properties import NEVER_TOLD
from writeros_entities.store import rows
from writeros_entities.store.chapters import ChapterNote, PlaceOf, starts_by_number
from writeros_entities.store.rows import VaultRows
from writeros_entities.sync.drafting.drafts import read_order_claim
from writeros_entities.sync.topics import show_topics
from writeros_entities.values import ALWAYS, LARGEST_POSITION, Diagnostic
from writeros_entities.vault.decisions import InOrder
from writeros_entities.vault.order.chapters import Chapters, without_link
from writeros_entities.vault.order.reading_order import DecidedOrder, Order, assign_positions
from writeros_entities.vault.roles import DECIDED, NAMED, STATED, Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import ColumnElement, Table

    from writeros_entities.store.rows import Row
    from writeros_entities.sync.touched import Touched
    from writeros_entities.vault.decisions import Decisions

_PLACED = (
    *(rows.note.c.id, rows.note.c.path, rows.note.c.title),
    *(rows.note.c.position, rows.note.c.visible_from),
    *(rows.note.c.reading_order, rows.note.c.visible_claim),
    *(
        rows.note.c.role,
        rows.note.c.role_reason,
        rows.note.c.role_confidence,
        rows.note.c.role_told,
    ),
)
"""The columns read of notes that have a position or visibility, or claim one."""


def place_notes(
    index: VaultRows,
    touched: Touched,
    precedence: Sequence[str],
    place_of: PlaceOf,
    decisions: Decisions,
) -> list[tuple[str, Diagnostic]] | None:
    """Assign each manuscript note its position, and each note its visibility.

    `precedence` names the reading orders; if two claim a note, the first wins. `place_of` reads the
    number of a chapter in words, by which a `visible_from` may refer to it. Returns the
    conflicts between claims, by path; or None, without doing anything, if no claim and no file name
    has changed. Notes whose position or visibility changed are marked for detection.
    """
    if not (touched.everything or touched.order or touched.visibility or touched.files):
        return None
    placer = _Placer(index, touched)
    notes = placer.notes_with_place()
    claims = {
        row.path: read_order_claim(row.reading_order)
        for row in notes
        if row.reading_order is not None
    }
    paths = placer.all_paths() if any(claim.sequence for claim in claims.values()) else None
    scenes = None if paths is None else {path for path in paths if path not in placer.lists()}
    decided, missing = _decided_order(decisions, notes, placer)
    order = assign_positions(claims, scenes, precedence=precedence, decided=decided)
    positions, diagnostics = order.positions, [*order.diagnostics, *missing]
    notes += placer.notes_at(positions.keys() - {row.path for row in notes})
    chapters = _Manuscript(positions, notes, place_of)
    sections = placer.claimed_sections()
    shown: dict[int, int | None] = {}
    for row in notes:
        found = _find_place(row, sections[row.id], positions.get(row.path), chapters)
        shown[row.id] = found.own
        diagnostics += [(row.path, problem) for problem in found.problems]
        placer.place(row, sections[row.id], found)
        placer.tell_role(row, _final_role(row, order))
    show_topics(index, shown)
    touched.shown = shown
    return diagnostics


def _decided_order(
    decisions: Decisions, notes: Iterable[Row], placer: _Placer
) -> tuple[DecidedOrder, list[tuple[str, Diagnostic]]]:
    """Return what the writer has decided about the order, and which notes of it there are not."""
    roles = {row.path: _told_role(row) for row in notes}
    decided = {path: role for path, role in roles.items() if role.is_decided}
    inside = {path for path, role in decided.items() if role.name == "manuscript"}
    outside = decided.keys() - inside
    sequences: list[list[str]] = []
    missing = []
    arranged = decisions.of(InOrder)
    known = Chapters(dict.fromkeys(placer.all_paths() if arranged else (), 0))
    for one in arranged:
        sequences.append([])
        for target in one.notes:
            path = next(iter(known.meant(target.text, decisions.path)), None)
            if path is None:
                message = f"The order names {target}, but there is no such note."
                missing.append((decisions.path, Diagnostic("missing-in-order", message)))
            elif path not in outside:
                sequences[-1].append(path)
    return DecidedOrder(inside, outside, sequences), missing


def _told_role(row: Row) -> Role:
    """Return what a note is by itself."""
    own = row.role_told or (row.role, row.role_reason, row.role_confidence)
    return Role(*own)


def _final_role(row: Row, order: Order) -> Role:
    """Return what a note is: where an index note lists the manuscript, nothing else is in it."""
    told = _told_role(row)
    if told.is_decided:
        return told
    if row.path in order.positions and row.path in order.named_by:
        index = order.named_by[row.path]
        return Role("manuscript", f"{index!r} lists it as part of the manuscript.", STATED)
    if told.name == "manuscript" and order.named_by and row.path not in order.named_by:
        index = next(iter(order.named_by.values()))
        return Role("other", f"{index!r} lists the manuscript, without it.", STATED)
    return told


@dataclass(frozen=True, slots=True)
class _Place:
    """A note's position; where its own text becomes visible, and where a section with a claim does.

    `problems` are the claims that mean no chapter, or several.
    """

    position: int | None
    own: int | None
    by_claim: Mapping[str, int | None]
    problems: Sequence[Diagnostic]

    @property
    def first(self) -> int | None:
        """Where the first part of the note becomes visible."""
        places = (self.position, *self.by_claim.values())
        return min((place for place in places if place is not None), default=None)

    def of_section(self, section: Row) -> int | None:
        """Return where a section, with or without a claim, becomes visible."""
        return self.own if section.visible_claim is None else self.by_claim[section.visible_claim]


class _Manuscript:
    """The notes of the manuscript, by what a `visible_from` may call them."""

    def __init__(
        self, positions: Mapping[str, int], found: Iterable[Row], place_of: PlaceOf
    ) -> None:
        self._named = Chapters(positions)
        self._place_of = place_of
        self._notes = [
            ChapterNote(row.path, row.title, positions[row.path], row.reading_order)
            for row in found
            if row.path in positions
        ]

    def meant(self, text: str, path: str) -> dict[str, int]:
        """Return the positions that a text in the note at `path` may mean, by path."""
        return self._named.meant(text, path) or starts_by_number(self._notes, text, self._place_of)


def _find_place(
    note: Row, sections: Iterable[Row], position: int | None, chapters: _Manuscript
) -> _Place:
    """Return the place of a note. In the manuscript, its position overrides what it claims."""
    parts = (note, *sections)
    claims = dict.fromkeys(part.visible_claim for part in parts if part.visible_claim is not None)
    by_claim: dict[str, int | None] = dict.fromkeys(claims, position)
    problems = []
    if position is None:
        for claim in claims:
            by_claim[claim], problem = _read_claim(claim, chapters, note.path)
            problems += [problem] if problem else []
    own = position if note.visible_claim is None else by_claim[note.visible_claim]
    return _Place(position, own, by_claim, problems)


def _read_claim(
    claim: str, chapters: _Manuscript, path: str
) -> tuple[int | None, Diagnostic | None]:
    """Return the position that a `visible_from` claim means, and what is wrong with it.

    If it may mean several chapters, the last counts, so that nothing is shown too early.
    """
    text = without_link(claim)
    if fold_name(text) == "always":
        return ALWAYS, None
    if fold_name(text) == NEVER_TOLD:
        return None, None
    try:
        number = int(text)
    except ValueError:
        meant = chapters.meant(text, path)
    else:
        return (number, None) if abs(number) <= LARGEST_POSITION else (None, _unknown_claim(claim))
    if not meant:
        return None, _unknown_claim(claim)
    last = max(meant.values())
    return last, _ambiguous_claim(claim, meant) if len(set(meant.values())) > 1 else None


def _unknown_claim(claim: str) -> Diagnostic:
    return Diagnostic(
        "unknown-visible-from",
        f"visible_from: {claim!r} is no chapter, no place in reading order, not `always` and not "
        "`never`; what "
        "it applies to stays hidden under as_of.",
    )


def _ambiguous_claim(claim: str, meant: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        "ambiguous-visible-from",
        f"visible_from: {claim!r} may mean {' or '.join(map(repr, sorted(meant)))}; the last of "
        "them counts. Link to one of them by its path.",
    )


_NOTES_WITH_PLACE = select(*_PLACED).where(
    rows.in_vault(rows.note),
    rows.note.c.kind == "note",
    or_(
        rows.note.c.reading_order.is_not(None),
        rows.note.c.visible_claim.is_not(None),
        rows.note.c.has_claimed_sections,
        rows.note.c.position.is_not(None),
        rows.note.c.visible_from.is_not(None),
        rows.note.c.role == "manuscript",
        rows.note.c.role_told.is_not(None),
        rows.note.c.role_reason == DECIDED,
    ),
)
_NOTES_AT = select(*_PLACED).where(rows.in_vault(rows.note), rows.among(rows.note.c.path))
_CLAIMED_SECTIONS = (
    select(*(rows.chunk.c[name] for name in ("id", "note_id", "start", "visible_claim")))
    .add_columns(rows.chunk.c.visible_from)
    .join(rows.note, (rows.note.c.id == rows.chunk.c.note_id) & rows.in_vault(rows.note))
    .where(rows.in_vault(rows.chunk), rows.note.c.has_claimed_sections)
    .order_by(rows.chunk.c.note_id, rows.chunk.c.ordinal)
)


_MOVES = (
    update(rows.note)
    .where(rows.in_vault(rows.note), rows.note.c.id == bindparam("moved"))
    .values(position=bindparam("place"), visible_from=bindparam("seen"), detected=rows.TO_DETECT),
    *(
        update(table)
        .where(rows.in_vault(table), table.c.note_id == bindparam("moved"))
        .values(visible_from=bindparam("seen"))
        for table in (rows.chunk, rows.link, rows.proposal, rows.thread)
    ),
)
"""What gives a note and all its parts a place."""


class _Placer:
    """Reads the notes of one vault that have a place, and places them, within one transaction."""

    def __init__(self, index: VaultRows, touched: Touched) -> None:
        self._index = index
        self._connection = index.connection
        self._touched = touched

    def notes_with_place(self) -> list[Row]:
        """Return the notes that have a position or visibility, or claim one."""
        return list(self._index.execute(_NOTES_WITH_PLACE))

    def notes_at(self, paths: Iterable[str]) -> list[Row]:
        """Return the notes at these paths."""
        return list(self._index.all_among(_NOTES_AT, sorted(paths)))

    def lists(self) -> set[str]:
        """Return the paths of the notes that hold only links, whatever lists them."""
        note = rows.note
        only_links = (note.c.role == "index", note.c.role_confidence < NAMED)
        statement = select(note.c.path).where(*self._own(note), *only_links)
        return set(self._connection.scalars(statement))

    def all_paths(self) -> list[str]:
        """Return the paths of all notes."""
        note = rows.note
        statement = select(note.c.path).where(*self._own(note), note.c.kind == "note")
        return list(self._connection.scalars(statement))

    def claimed_sections(self) -> dict[int, list[Row]]:
        """Return the chunks of notes that have a section with its own `visible_from`."""
        found: dict[int, list[Row]] = defaultdict(list)
        for row in self._index.execute(_CLAIMED_SECTIONS):
            found[row.note_id].append(row)
        return found

    def place(self, note: Row, sections: Sequence[Row], found: _Place) -> None:
        """Give a note and its sections their places, and mark what depends on those that change."""
        first = found.first
        if (found.position, first) != (note.position, note.visible_from):
            self._move(note.id, found.position, first)
            if not self._touched.everything:
                self._touch_subjects(note.id)
        for section in sections:
            seen = found.of_section(section)
            if seen != section.visible_from or first != note.visible_from:
                self._touched.restated.add(note.id)
                self._touched.targets.add(note.id)
                self._show_chunk(note.id, section.id, seen)
        if sections:
            self._show_parts(note.id, sections, found)

    def tell_role(self, note: Row, role: Role) -> None:
        """Record what a note is, beside what it is by itself."""
        if (note.role, note.role_reason) != role[:2]:
            if not self._touched.everything:
                self._touch_subjects(note.id)
            told = _told_role(note)
            self._connection.execute(
                update(rows.note)
                .where(*self._own(rows.note), rows.note.c.id == note.id)
                .values(
                    role=role.name,
                    role_reason=role.reason,
                    role_confidence=role.confidence,
                    role_told=None if role == told else list(told),
                )
            )

    def _own(self, table: Table, note_id: int | None = None) -> list[ColumnElement[bool]]:
        """Return the conditions for the rows of the vault, or of one of its notes."""
        own = [self._index.owns(table)]
        return own if note_id is None else [*own, table.c.note_id == note_id]

    def _move(self, note_id: int, position: int | None, first: int | None) -> None:
        """Give a note and all its parts a place, and mark it for detection."""
        moved = {"moved": note_id, "place": position, "seen": first}
        for change in _MOVES:
            self._index.execute(change, moved)

    def _touch_subjects(self, note_id: int) -> None:
        """Mark a note, and whatever its mentions, links and proposed names are about."""
        link, proposal, mention, chunk = rows.link, rows.proposal, rows.mention, rows.chunk
        self._touched.notes.add(note_id)
        mentioned = (
            select(mention.c.entity_id)
            .join(chunk, (chunk.c.id == mention.c.chunk_id) & self._index.owns(chunk))
            .where(*self._own(mention), chunk.c.note_id == note_id)
        )
        self._touched.entities.update(self._connection.scalars(mentioned.distinct()))
        targets = select(link.c.target_note_id, link.c.target_key)
        for row in self._connection.execute(targets.where(*self._own(link, note_id))):
            self._touched.add_target(row.target_note_id, row.target_key)
        names = select(proposal.c.name_key).where(*self._own(proposal, note_id))
        self._touched.names.update(self._connection.scalars(names))

    def _show_chunk(self, note_id: int, chunk_id: int, seen: int | None) -> None:
        chunk = rows.chunk
        change = update(chunk).where(*self._own(chunk), chunk.c.id == chunk_id)
        self._connection.execute(change.values(visible_from=seen))
        note = rows.note
        marked = update(note).where(*self._own(note), note.c.id == note_id)
        self._connection.execute(marked.values(detected=rows.TO_DETECT))

    def _show_parts(self, note_id: int, sections: Sequence[Row], found: _Place) -> None:
        """Give the links and open threads of a note the visibility of their chunks.

        What is in no chunk has that of the note.
        """
        starts = [section.start for section in sections]
        for table in (rows.link, rows.thread):
            own = self._own(table, note_id)
            parts = select(table.c.ordinal, table.c.start, table.c.visible_from).where(*own)
            for row in self._connection.execute(parts).all():
                place = bisect_right(starts, row.start) - 1
                seen = found.of_section(sections[place]) if place >= 0 else found.own
                if seen != row.visible_from:
                    self._touched.restated.add(note_id)
                    change = update(table).where(*own, table.c.ordinal == row.ordinal)
                    self._connection.execute(change.values(visible_from=seen))
