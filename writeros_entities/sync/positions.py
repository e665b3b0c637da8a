"""Assign reading positions and visibility to notes, and to the rows that came from them."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from sqlalchemy import or_, select, update

from writeros_entities.names import fold_name
from writeros_entities.store import rows
from writeros_entities.store.chapters import ChapterNote, PlaceOf, starts_by_number
from writeros_entities.sync.topics import show_topics
from writeros_entities.values import ALWAYS, LARGEST_POSITION, Diagnostic, OrderClaim
from writeros_entities.vault.order.chapters import Chapters, without_link
from writeros_entities.vault.order.reading_order import assign_positions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Connection

    from writeros_entities.sync.touched import Touched

_PLACED = (
    *(rows.note.c.id, rows.note.c.path, rows.note.c.title),
    *(rows.note.c.position, rows.note.c.visible_from),
    *(rows.note.c.reading_order, rows.note.c.visible_claim),
)
"""The columns read of notes that have a position or visibility, or claim one."""


def place_notes(
    connection: Connection,
    vault_id: int,
    touched: Touched,
    precedence: Sequence[str],
    place_of: PlaceOf,
) -> list[tuple[str, Diagnostic]] | None:
    """Assign each manuscript note its position, and each note its visibility.

    `precedence` names the reading orders; if two claim a note, the first wins. `place_of` reads the
    number of a chapter in words, by which a `visible_from` may refer to it. Returns the
    conflicts between claims, by path; or None, without doing anything, if no claim and no file name
    has changed. Notes whose position or visibility changed are marked for detection.
    """
    if not (touched.everything or touched.order or touched.visibility or touched.files):
        return None
    note = rows.note
    found: list[Any] = list(
        connection.execute(
            select(*_PLACED).where(
                note.c.vault_id == vault_id,
                note.c.kind == "note",
                or_(
                    note.c.reading_order.is_not(None),
                    note.c.visible_claim.is_not(None),
                    note.c.has_claimed_sections,
                    note.c.position.is_not(None),
                    note.c.visible_from.is_not(None),
                ),
            )
        )
    )
    claims = {
        row.path: OrderClaim(
            row.reading_order["source"],
            tuple(row.reading_order["key"]),
            tuple(row.reading_order["sequence"]),
            row.reading_order["folder"],
            tuple(row.reading_order.get("book", ())),
            row.reading_order.get("within", ""),
            tuple(row.reading_order.get("chapter", ())),
            row.reading_order.get("work", ""),
            tuple(row.reading_order.get("draft", ())),
        )
        for row in found
        if row.reading_order is not None
    }
    paths = None
    if any(claim.sequence for claim in claims.values()):
        statement = select(note.c.path).where(note.c.vault_id == vault_id, note.c.kind == "note")
        paths = list(connection.scalars(statement))
    positions, diagnostics = assign_positions(claims, paths, precedence=precedence)
    unclaimed = positions.keys() - {row.path for row in found}
    found += _notes_at(connection, vault_id, unclaimed)
    chapters = _Manuscript(positions, found, place_of)
    sections = _claimed_sections(connection, vault_id)
    shown: dict[int, int | None] = {}
    for row in found:
        position = positions.get(row.path)
        claims_of_note = [row.visible_claim, *(part.visible_claim for part in sections[row.id])]
        seen: dict[str | None, int | None] = dict.fromkeys((None, *claims_of_note), position)
        if position is None:
            for claim in [one for one in seen if one is not None]:
                seen[claim], problem = _read_claim(claim, chapters, row.path)
                diagnostics += [(row.path, problem)] if problem else []
        own = shown[row.id] = seen[row.visible_claim]
        first = min((place for place in seen.values() if place is not None), default=None)
        if (position, first) != (row.position, row.visible_from):
            _move(connection, vault_id, row.id, position, first)
            _touch_subjects(connection, vault_id, row.id, touched)
        for part in sections[row.id]:
            wanted = own if part.visible_claim is None else seen[part.visible_claim]
            if wanted != part.visible_from or first != row.visible_from:
                touched.restated.add(row.id)
                touched.targets.add(row.id)
                _show_chunk(connection, vault_id, row.id, part.id, wanted)
        if sections[row.id]:
            places = [
                (part.start, own if part.visible_claim is None else seen[part.visible_claim])
                for part in sections[row.id]
            ]
            if _show_links(connection, vault_id, row.id, own, places):
                touched.restated.add(row.id)
    show_topics(connection, vault_id, shown)
    return diagnostics


def _notes_at(connection: Connection, vault_id: int, paths: set[str]) -> list[Any]:
    note = rows.note
    statement = select(*_PLACED).where(note.c.vault_id == vault_id)
    return list(rows.all_among(connection, statement, note.c.path, sorted(paths)))


class _Manuscript:
    """The notes of the manuscript, by what a `visible_from` may call them."""

    def __init__(
        self, positions: Mapping[str, int], found: Iterable[Any], place_of: PlaceOf
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


def _read_claim(
    claim: str, chapters: _Manuscript, path: str
) -> tuple[int | None, Diagnostic | None]:
    """Return the position that a `visible_from` claim means, and what is wrong with it.

    If it may mean several chapters, the last counts, so that nothing is shown too early.
    """
    text = without_link(claim)
    if fold_name(text) == "always":
        return ALWAYS, None
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


def _claimed_sections(connection: Connection, vault_id: int) -> dict[int, list[Any]]:
    """Return the chunks of notes that have a section with its own `visible_from`."""
    note, chunk = rows.note, rows.chunk
    found: dict[int, list[Any]] = defaultdict(list)
    for row in connection.execute(
        select(
            chunk.c.id,
            chunk.c.note_id,
            chunk.c.start,
            chunk.c.visible_claim,
            chunk.c.visible_from,
        )
        .join(note, (note.c.id == chunk.c.note_id) & (note.c.vault_id == vault_id))
        .where(chunk.c.vault_id == vault_id, note.c.has_claimed_sections)
        .order_by(chunk.c.note_id, chunk.c.ordinal)
    ):
        found[row.note_id].append(row)
    return found


def _show_chunk(
    connection: Connection, vault_id: int, note_id: int, chunk_id: int, seen: int | None
) -> None:
    note, chunk = rows.note, rows.chunk
    connection.execute(
        update(chunk)
        .where(chunk.c.vault_id == vault_id, chunk.c.id == chunk_id)
        .values(visible_from=seen)
    )
    connection.execute(
        update(note)
        .where(note.c.vault_id == vault_id, note.c.id == note_id)
        .values(detected=rows.TO_DETECT)
    )


def _show_links(
    connection: Connection,
    vault_id: int,
    note_id: int,
    own: int | None,
    places: Sequence[tuple[int, int | None]],
) -> bool:
    """Give each link of a note the `visible_from` of its chunk, or of the note if it is in none.

    Returns whether any link has changed.
    """
    is_changed = False
    link = rows.link
    condition = [link.c.vault_id == vault_id, link.c.note_id == note_id]
    starts = [start for start, _ in places]
    for row in connection.execute(
        select(link.c.ordinal, link.c.start, link.c.visible_from).where(*condition)
    ).all():
        place = bisect_right(starts, row.start) - 1
        seen = places[place][1] if place >= 0 else own
        if seen != row.visible_from:
            is_changed = True
            connection.execute(
                update(link)
                .where(*condition, link.c.ordinal == row.ordinal)
                .values(visible_from=seen)
            )
    return is_changed


def _unknown_claim(claim: str) -> Diagnostic:
    return Diagnostic(
        "unknown-visible-from",
        f"visible_from: {claim!r} is not a reading position, a chapter or `always`; what it "
        "applies to stays hidden under as_of.",
    )


def _ambiguous_claim(claim: str, meant: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        "ambiguous-visible-from",
        f"visible_from: {claim!r} may mean {' or '.join(map(repr, sorted(meant)))}; the last of "
        "them counts. Link to one of them by its path.",
    )


def _move(
    connection: Connection, vault_id: int, note_id: int, position: int | None, seen: int | None
) -> None:
    note = rows.note
    connection.execute(
        update(note)
        .where(note.c.vault_id == vault_id, note.c.id == note_id)
        .values(position=position, visible_from=seen, detected=rows.TO_DETECT)
    )
    for table in (rows.chunk, rows.link, rows.proposal):
        connection.execute(
            update(table)
            .where(table.c.vault_id == vault_id, table.c.note_id == note_id)
            .values(visible_from=seen)
        )


def _touch_subjects(connection: Connection, vault_id: int, note_id: int, touched: Touched) -> None:
    link, proposal, mention, chunk = rows.link, rows.proposal, rows.mention, rows.chunk
    touched.notes.add(note_id)
    touched.entities.update(
        connection.scalars(
            select(mention.c.entity_id)
            .join(chunk, (chunk.c.id == mention.c.chunk_id) & (chunk.c.vault_id == vault_id))
            .where(mention.c.vault_id == vault_id, chunk.c.note_id == note_id)
            .distinct()
        )
    )
    for row in connection.execute(
        select(link.c.target_note_id, link.c.target_key).where(
            link.c.vault_id == vault_id, link.c.note_id == note_id
        )
    ):
        if row.target_note_id is None:
            touched.unresolved.add(row.target_key)
        else:
            touched.targets.add(row.target_note_id)
    touched.names.update(
        connection.scalars(
            select(proposal.c.name_key).where(
                proposal.c.vault_id == vault_id, proposal.c.note_id == note_id
            )
        )
    )
