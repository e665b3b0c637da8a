"""Write notes: a draft replaces the rows of its file, and rows that are the same are kept."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, func, select, update

from writeros_entities.store import rows
from writeros_entities.store.rows import IdSequence
from writeros_entities.sync.drafting.drafts import CHUNK, LINK, PROPOSAL, Row
from writeros_entities.sync.touched import COUNTED
from writeros_entities.vault.links import link_key

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from writeros_entities.sync.drafting.drafts import NoteDraft
    from writeros_entities.sync.touched import Touched
    from writeros_entities.values import Diagnostic
    from writeros_entities.vault.files.walk import VaultFile

MANY_CHUNKS = 5_000
"""Most chunks to buffer before they are written."""

RACY_NS = 50_000_000
"""A file younger than this when it is read may change again without a new timestamp."""


TOGETHER = {"note": 1_000, "chunk": 1_000}
"""Rows per INSERT statement, for the tables with full-text triggers."""

NOTE = (
    *("id", "vault_id", "path", "title", "link_key", "kind", "size", "mtime_ns", "content_hash"),
    *("position", "visible_from", "marks_inside_words", "visible_claim"),
    *("has_claimed_sections", "frontmatter"),
    *("declaration", "reading_order", "statements", "fingerprint", "detected", "diagnostics"),
)
_note_row = itemgetter(*NOTE)
_OWNED = ("vault_id", "note_id", "visible_from")
_INSERTED = {
    "note": NOTE,
    "chunk": ("id", *_OWNED, *CHUNK),
    "link": ("status", *_OWNED, *LINK),
    "proposal": (*_OWNED, *PROPOSAL),
}
"""The columns of new rows by table, in the order of their values."""

_SAME_LINK = ("kind", "raw", "field", "target_key", "heading", "block")
_PLACE = (
    "ordinal",
    "heading",
    "start",
    "end",
    "line",
    "tokens",
    "visible_claim",
    "shown",
    "sections",
)


class NoteWriter:
    """Writes files and their drafts for one vault, within one transaction."""

    def __init__(
        self, connection: Connection, vault_id: int, touched: Touched, fingerprint: str, now: float
    ) -> None:
        self._connection = connection
        self._vault_id = vault_id
        self._touched = touched
        self._fingerprint = fingerprint
        self._now = now
        self._note_ids = IdSequence(connection, rows.note, vault_id)
        self._chunk_ids = IdSequence(connection, rows.chunk, vault_id)
        self._pending: dict[str, list[Row]] = {name: [] for name in _INSERTED}

    def add(self, file: VaultFile, draft: NoteDraft | None) -> None:
        """Add a file that is not in the index."""
        note_id = self._note_ids.take()
        row = self._describe(note_id, file, draft)
        self._pending["note"].append(_note_row(row))
        self._touched.notes.add(note_id)
        self._touched.added.add(note_id)
        self._touched.files.add(row["link_key"])
        if draft is None:
            return
        self._touched.order |= draft.order is not None
        self._touched.visibility |= draft.visible_claim is not None or draft.has_claimed_sections
        owned = (self._vault_id, note_id, None)
        self._pending["chunk"] += [self._new_chunk(owned, chunk) for chunk in draft.chunks]
        self._pending["link"] += [("pending", *owned, *link) for link in draft.links]
        self._pending["proposal"] += [owned + proposal for proposal in draft.proposals]
        self._touched.names.update([proposal[0] for proposal in draft.proposals])
        if len(self._pending["chunk"]) > MANY_CHUNKS:
            self.flush()

    def change(self, note_id: int, file: VaultFile, draft: NoteDraft | None) -> None:
        """Update a file that changed or moved; its id stays the same."""
        self.flush()
        before = self._connection.execute(
            select(rows.note).where(self._is(rows.note), rows.note.c.id == note_id)
        ).one()
        row = self._describe(note_id, file, draft)
        self._touched.notes.add(note_id)
        if (file.path, file.kind) != (before.path, before.kind):
            self._touched.files |= {before.link_key, row["link_key"]}
        self._touched.order |= row["reading_order"] != before.reading_order
        self._touched.visibility |= (
            row["visible_claim"] != before.visible_claim
            or row["has_claimed_sections"]
            or before.has_claimed_sections
        )
        if file.kind == "note":
            row |= {"position": before.position, "visible_from": before.visible_from}
        self._connection.execute(
            update(rows.note).where(self._is(rows.note), rows.note.c.id == note_id).values(**row)
        )
        owned = (self._vault_id, note_id, row["visible_from"])
        self._replace_chunks(owned, draft.chunks if draft else ())
        self._replace_links(owned, draft.links if draft else ())
        self._replace_proposals(owned, draft.proposals if draft else ())
        if row["detected"] is None:  # else its topics are found again
            topic = rows.topic
            self._connection.execute(
                delete(topic).where(self._is(topic), topic.c.note_id == note_id)
            )

    def remove(self, note_id: int, path: str) -> None:
        """Delete a file's row and, by cascade, everything that came from it."""
        self.flush()
        self._touched.notes.add(note_id)
        self._touched.files.add(link_key(path))
        order = self._connection.scalar(
            select(rows.note.c.reading_order).where(self._is(rows.note), rows.note.c.id == note_id)
        )
        self._touched.order |= order is not None
        self._forget_content(note_id)
        self._connection.execute(
            delete(rows.note).where(self._is(rows.note), rows.note.c.id == note_id)
        )

    def restamp(self, note_id: int, file: VaultFile) -> None:
        """Record the new size and timestamp of a file with unchanged content."""
        self._connection.execute(
            update(rows.note)
            .where(self._is(rows.note), rows.note.c.id == note_id)
            .values(size=file.size, mtime_ns=self._trusted_mtime(file))
        )

    def flush(self) -> None:
        """Write the buffered rows."""
        for name, columns in _INSERTED.items():
            if self._pending[name]:
                table = rows.vault.metadata.tables[name]
                together = TOGETHER.get(name, 1)
                rows.insert_rows(
                    self._connection, table, columns, self._pending[name], together=together
                )
                self._pending[name] = []

    def _is(self, table: Any) -> Any:
        return table.c.vault_id == self._vault_id

    def _trusted_mtime(self, file: VaultFile) -> int:
        age = int(self._now * 1e9) - file.mtime_ns
        return -file.mtime_ns if age < RACY_NS else file.mtime_ns

    def _describe(self, note_id: int, file: VaultFile, draft: NoteDraft | None) -> dict[str, Any]:
        diagnostics: list[Diagnostic] = list(draft.diagnostics) if draft else []
        if file.diagnostic is not None:
            diagnostics.append(file.diagnostic)
        has_content = draft is not None or not file.unavailable
        return {
            "id": note_id,
            "vault_id": self._vault_id,
            "path": file.path,
            "title": draft.title if draft else _stem(file.path),
            "link_key": link_key(file.path),
            "kind": file.kind,
            "size": file.size,
            "mtime_ns": self._trusted_mtime(file),
            "content_hash": draft.content_hash if draft else None,
            "position": None,
            "visible_from": None,
            "marks_inside_words": draft.marks_inside_words if draft else False,
            "visible_claim": draft.visible_claim if draft else None,
            "has_claimed_sections": draft.has_claimed_sections if draft else False,
            "frontmatter": draft.frontmatter if draft else None,
            "declaration": draft.declaration if draft else None,
            "reading_order": draft.order if draft else None,
            "statements": (draft.statements or None) if draft else None,
            "fingerprint": self._fingerprint if has_content else None,
            "detected": rows.TO_DETECT if draft and file.kind == "note" else None,
            "diagnostics": [item.as_json() for item in diagnostics] or None,
        }

    def _new_chunk(self, owned: Row, chunk: Row) -> Row:
        return (self._chunk_ids.take(), *owned, *chunk)

    def _replace_chunks(self, owned: Row, new: Sequence[Row]) -> None:
        """Replace a note's chunks; those with the same text keep their rows and mentions."""
        chunk = rows.chunk
        old: dict[str, list[Any]] = defaultdict(list)
        found = self._connection.execute(
            select(chunk.c.id, *(chunk.c[name] for name in (*CHUNK, "visible_from")))
            .where(self._is(chunk), chunk.c.note_id == owned[1])
            .order_by(chunk.c.ordinal.desc())
        )
        for row in found:
            old[row.content_hash].append(row)
        kept: list[dict[str, Any]] = []
        for values in new:
            columns = dict(zip(CHUNK, values, strict=True))
            same = old.get(columns["content_hash"])
            if not same:
                self._pending["chunk"].append(self._new_chunk(owned, values))
                continue
            before = same.pop()
            place = {name: columns[name] for name in _PLACE} | {"visible_from": owned[2]}
            if any(getattr(before, name) != value for name, value in place.items()):
                kept.append({"chunk_id": before.id} | place)
        self._remove_chunks(owned[1], [row.id for same in old.values() for row in same])
        if kept:
            statement = (
                update(chunk)
                .where(self._is(chunk), chunk.c.id == bindparam("chunk_id"))
                .values({name: bindparam(name) for name in (*_PLACE, "visible_from")})
            )
            self._connection.execute(statement, kept)

    def _remove_chunks(self, note_id: int, chunk_ids: Sequence[int]) -> None:
        """Delete chunks, recording the mentions that are lost with them."""
        chunk, mention = rows.chunk, rows.mention
        columns = [mention.c[name] for name in COUNTED]
        counted: Counter[Row] = Counter()
        for batch in rows.batches(chunk_ids):
            for *values, number in self._connection.execute(
                select(*columns, func.count())
                .where(self._is(mention), mention.c.chunk_id.in_(batch))
                .group_by(*columns)
            ):
                counted[tuple(values)] += number
            self._connection.execute(delete(chunk).where(self._is(chunk), chunk.c.id.in_(batch)))
        self._touched.lost[note_id] = counted

    def _replace_links(self, owned: Row, new: Sequence[Row]) -> None:
        link = rows.link
        new_rows = [dict(zip(LINK, values, strict=True)) for values in new]
        old_rows = self._connection.execute(
            select(link).where(self._is(link), link.c.note_id == owned[1]).order_by(link.c.ordinal)
        ).all()
        is_same = [tuple(getattr(row, name) for name in _SAME_LINK) for row in old_rows] == [
            tuple(row[name] for name in _SAME_LINK) for row in new_rows
        ]
        if not is_same or any(row.visible_from != owned[2] for row in old_rows):
            self._forget_links(owned[1])
            self._pending["link"] += [("pending", *owned, *values) for values in new]
            return
        places = [
            {"b_ordinal": new["ordinal"], "start": new["start"], "end": new["end"]}
            for old, new in zip(old_rows, new_rows, strict=True)
            if (old.start, old.end) != (new["start"], new["end"])
        ]
        if places:
            self._connection.execute(
                update(link)
                .where(
                    self._is(link),
                    link.c.note_id == owned[1],
                    link.c.ordinal == bindparam("b_ordinal"),
                )
                .values(start=bindparam("start"), end=bindparam("end")),
                places,
            )

    def _replace_proposals(self, owned: Row, new: Sequence[Row]) -> None:
        proposal = rows.proposal
        condition = [self._is(proposal), proposal.c.note_id == owned[1]]
        columns = [proposal.c[name] for name in (*_OWNED, *PROPOSAL)]
        found = self._connection.execute(select(*columns).where(*condition))
        old = {row.name_key: tuple(row) for row in found}
        fresh = {values[0]: owned + values for values in new}
        changed = {key for key in old.keys() | fresh.keys() if old.get(key) != fresh.get(key)}
        self._touched.names |= changed
        deletion = delete(proposal).where(*condition)
        gone = sorted(changed & old.keys())
        rows.change_among(self._connection, deletion, proposal.c.name_key, gone)
        self._pending["proposal"] += [fresh[key] for key in sorted(changed & fresh.keys())]

    def _forget_content(self, note_id: int) -> None:
        proposal, chunk = rows.proposal, rows.chunk
        self._forget_links(note_id)
        names = select(proposal.c.name_key).where(self._is(proposal), proposal.c.note_id == note_id)
        self._touched.names.update(self._connection.scalars(names))
        chunks = select(chunk.c.id).where(self._is(chunk), chunk.c.note_id == note_id)
        self._remove_chunks(note_id, list(self._connection.scalars(chunks)))

    def _forget_links(self, note_id: int) -> None:
        link = rows.link
        condition = [self._is(link), link.c.note_id == note_id]
        for row in self._connection.execute(
            select(link.c.target_key, link.c.target_note_id).where(*condition)
        ):
            self._touched.add_target(row.target_note_id, row.target_key)
        self._connection.execute(delete(link).where(*condition))


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0] or name
