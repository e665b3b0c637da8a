"""Write notes: a draft replaces the rows of its file, and rows that are the same are kept."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from sqlalchemy import bindparam, delete, select, update

from writeros_entities.store import rows
from writeros_entities.store.rows import IdSequence, VaultRows
from writeros_entities.sync.drafting.drafts import (
    ChunkRow,
    LinkRow,
    PageRow,
    ProposalRow,
    ThreadRow,
)
from writeros_entities.sync.touched import Counted
from writeros_entities.vault.links import link_key
from writeros_entities.vault.roles import NOTHING_SAID

if TYPE_CHECKING:
    from sqlalchemy import Table

    from writeros_entities.store.rows import Statement
    from writeros_entities.sync.drafting.drafts import NoteDraft
    from writeros_entities.sync.touched import Touched
    from writeros_entities.values import JSON, Diagnostic
    from writeros_entities.vault.files.walk import VaultFile

T = TypeVar("T")

MANY_CHUNKS = 5_000
"""Most chunks to buffer before they are written."""

RACY_NS = 50_000_000
"""A file younger than this when it is read may change again without a new timestamp."""


TOGETHER = {"note": 1_000, "chunk": 1_000}
"""Rows per INSERT statement, for the tables with full-text triggers."""

_same_link = attrgetter("kind", "raw", "field", "target_key", "heading", "block")


class NoteRow(NamedTuple):
    """A file as it is stored."""

    id: int
    path: str
    title: str
    link_key: str
    kind: str
    size: int
    mtime_ns: int
    content_hash: str | None
    position: int | None
    visible_from: int | None
    marks_inside_words: bool
    visible_claim: str | None
    has_claimed_sections: bool
    frontmatter: Mapping[str, JSON] | None
    declaration: Mapping[str, JSON] | None
    role: str
    role_reason: str
    role_confidence: float
    role_told: Sequence[JSON] | None
    reading_order: Mapping[str, JSON] | None
    statements: Sequence[JSON] | None
    fingerprint: str | None
    detected: str | None
    diagnostics: Sequence[JSON] | None


class _LinkPlace(NamedTuple):
    """Where one of a note's links is."""

    ordinal: int
    start: int
    end: int


class _Pending(NamedTuple):
    """Rows that are written together, each table before those that refer to it."""

    note: list[NoteRow]
    chunk: list[ChunkRow]
    page: list[PageRow]
    link: list[LinkRow]
    proposal: list[ProposalRow]
    thread: list[ThreadRow]


_OWN: Any = bindparam("own")
_BEFORE = select(rows.note).where(rows.in_vault(rows.note), rows.note.c.id == _OWN)
_STORED: Mapping[type, Statement] = {
    kind: rows.select_as(kind, table).where(table.c.note_id == _OWN).order_by(*order)
    for kind, table, order in (
        (ChunkRow, rows.chunk, [rows.chunk.c.ordinal]),
        (LinkRow, rows.link, [rows.link.c.ordinal]),
        (ProposalRow, rows.proposal, []),
        (ThreadRow, rows.thread, [rows.thread.c.ordinal]),
    )
}
_DELETIONS = {
    column.table.name: delete(column.table).where(rows.in_vault(column.table), column == _OWN)
    for column in (
        *(rows.note.c.id, rows.page.c.note_id, rows.link.c.note_id, rows.proposal.c.note_id),
        *(rows.thread.c.note_id, rows.topic.c.note_id),
    )
}
_LOST = rows.select_as(Counted, rows.mention).where(rows.among(rows.mention.c.chunk_id))
_LOST_CHUNKS = delete(rows.chunk).where(rows.in_vault(rows.chunk), rows.among(rows.chunk.c.id))


class NoteWriter:
    """Writes files and their drafts for one vault, within one transaction."""

    def __init__(
        self,
        index: VaultRows,
        touched: Touched,
        fingerprint_of: Callable[[str], str],
        now: float,
    ) -> None:
        self._index = index
        self._connection = index.connection
        self._touched = touched
        self._fingerprint_of = fingerprint_of
        self._now = now
        self._note_ids = IdSequence(index, rows.note)
        self._chunk_ids = IdSequence(index, rows.chunk)
        self._pending = _Pending([], [], [], [], [], [])

    def add(self, file: VaultFile, draft: NoteDraft | None) -> None:
        """Add a file that is not in the index."""
        note_id = self._note_ids.take()
        row = self._describe(note_id, file, draft)
        self._pending.note.append(row)
        self._touched.notes.add(note_id)
        self._touched.written.add(note_id)
        self._touched.added.add(note_id)
        self._touched.files.add(row.link_key)
        if not self._touched.everything:
            self._touched.linking.add(note_id)
        if draft is None:
            return
        self._touched.order |= draft.order is not None
        self._touched.visibility |= draft.visible_claim is not None or draft.has_claimed_sections
        self._pending.chunk.extend(self._new_chunk(row, chunk) for chunk in draft.chunks)
        self._add_page(row, draft)
        self._pending.link.extend(_new_link(row, link) for link in draft.links)
        self._pending.proposal.extend(_new_proposal(row, each) for each in draft.proposals)
        self._pending.thread.extend(_new_thread(row, one) for one in draft.threads)
        if not self._touched.everything:
            self._touched.names.update([proposal.name_key for proposal in draft.proposals])
        if len(self._pending.chunk) > MANY_CHUNKS:
            self.flush()

    def change(self, note_id: int, file: VaultFile, draft: NoteDraft | None) -> None:
        """Update a file that changed or moved; its id stays the same."""
        self.flush()
        before = self._index.execute(_BEFORE, {"own": note_id}).one()
        row = self._describe(note_id, file, draft)
        self._touched.notes.add(note_id)
        self._touched.written.add(note_id)
        if (file.path, file.kind) != (before.path, before.kind):
            self._touched.files |= {before.link_key, row.link_key}
            self._touched.moved.add(note_id)
            self._touched.linking.add(note_id)
        self._touched.order |= row.reading_order != before.reading_order
        self._touched.order |= row.role != before.role or before.role_told is not None
        self._touched.visibility |= (
            row.visible_claim != before.visible_claim
            or row.has_claimed_sections
            or before.has_claimed_sections
        )
        if file.kind == "note":
            row = row._replace(position=before.position, visible_from=before.visible_from)
        self._index.update(rows.note, [row], by=("id",))
        self._replace_page(row, draft, before.content_hash)
        self._replace_chunks(row, draft.chunks if draft else ())
        self._replace_links(row, draft.links if draft else ())
        self._replace_proposals(row, draft.proposals if draft else ())
        self._replace_threads(row, draft.threads if draft else ())
        if row.detected is None:  # else its topics are found again
            self._delete(rows.topic, note_id)

    def remove(self, note_id: int, path: str) -> None:
        """Delete a file's row and, by cascade, everything that came from it."""
        self.flush()
        self._touched.notes.add(note_id)
        self._touched.files.add(link_key(path))
        order = self._connection.scalar(
            select(rows.note.c.reading_order).where(
                self._index.owns(rows.note), rows.note.c.id == note_id
            )
        )
        self._touched.order |= order is not None
        self._forget_content(note_id)
        self._delete(rows.note, note_id)

    def restamp(self, note_id: int, file: VaultFile) -> None:
        """Record the new size and timestamp of a file with unchanged content."""
        self._connection.execute(
            update(rows.note)
            .where(self._index.owns(rows.note), rows.note.c.id == note_id)
            .values(size=file.size, mtime_ns=self._trusted_mtime(file))
        )

    def flush(self) -> None:
        """Write the buffered rows."""
        for name, values in self._pending._asdict().items():
            together = TOGETHER.get(name, 1)
            table = rows.vault.metadata.tables[name]
            self._index.insert(table, values, together=together)
        self._pending = _Pending([], [], [], [], [], [])

    def _add_page(self, note: NoteRow, draft: NoteDraft | None) -> None:
        if draft is not None and draft.page is not None:
            self._pending.page.append(draft.page._replace(note_id=note.id))

    def _replace_page(self, note: NoteRow, draft: NoteDraft | None, before: str | None) -> None:
        """Replace what was read of a note; the clauses of the same content are kept."""
        page = rows.page
        if draft is not None and draft.page is not None and draft.page.content == before:
            own = self._index.owns(page), page.c.note_id == note.id
            same = update(page).where(*own, page.c.content == draft.page.content)
            if self._connection.execute(same.values(marks=draft.page.marks)).rowcount:
                return
        self._delete(page, note.id)
        self._add_page(note, draft)

    def _stored(self, kind: type[T], note_id: int) -> list[T]:
        """Return the rows of a note, in order."""
        return self._index.fetch(kind, _STORED[kind], {"own": note_id})

    def _delete(self, table: Table, note_id: int) -> None:
        """Delete a note, or its rows in another table."""
        self._index.execute(_DELETIONS[table.name], {"own": note_id})

    def _trusted_mtime(self, file: VaultFile) -> int:
        age = int(self._now * 1e9) - file.mtime_ns
        return -file.mtime_ns if age < RACY_NS else file.mtime_ns

    def _describe(self, note_id: int, file: VaultFile, draft: NoteDraft | None) -> NoteRow:
        diagnostics: list[Diagnostic] = list(draft.diagnostics) if draft else []
        if file.diagnostic is not None:
            diagnostics.append(file.diagnostic)
        has_content = draft is not None or not file.unavailable
        role = draft.role if draft else NOTHING_SAID
        return NoteRow(
            id=note_id,
            path=file.path,
            title=draft.title if draft else _stem(file.path),
            link_key=link_key(file.path),
            kind=file.kind,
            size=file.size,
            mtime_ns=self._trusted_mtime(file),
            content_hash=draft.content_hash if draft else None,
            position=None,
            visible_from=None,
            marks_inside_words=draft.marks_inside_words if draft else False,
            visible_claim=draft.visible_claim if draft else None,
            has_claimed_sections=draft.has_claimed_sections if draft else False,
            frontmatter=draft.frontmatter if draft else None,
            declaration=draft.declaration if draft else None,
            role=role.name,
            role_reason=role.reason,
            role_confidence=role.confidence,
            role_told=None,
            reading_order=draft.order if draft else None,
            statements=(draft.statements or None) if draft else None,
            fingerprint=self._fingerprint_of(file.path) if has_content else None,
            detected=rows.TO_DETECT if draft and file.kind == "note" else None,
            diagnostics=[item.as_json() for item in diagnostics] or None,
        )

    def _new_chunk(self, note: NoteRow, chunk: ChunkRow) -> ChunkRow:
        own = self._chunk_ids.take()
        return chunk._replace(id=own, note_id=note.id, visible_from=note.visible_from)

    def _replace_chunks(self, note: NoteRow, new: Sequence[ChunkRow]) -> None:
        """Replace a note's chunks; those with the same text keep their rows and mentions."""
        chunk = rows.chunk
        old: dict[str, list[ChunkRow]] = defaultdict(list)
        for row in reversed(self._stored(ChunkRow, note.id)):
            old[row.content_hash].append(row)
        moved: list[ChunkRow] = []
        for values in new:
            same = old.get(values.content_hash)
            if not same:
                self._pending.chunk.append(self._new_chunk(note, values))
                continue
            before = same.pop()
            after = values._replace(id=before.id, note_id=note.id, visible_from=note.visible_from)
            if after != before:
                moved.append(after)
        self._remove_chunks(note.id, [row.id for same in old.values() for row in same])
        self._index.update(chunk, moved, by=("id",))

    def _remove_chunks(self, note_id: int, chunk_ids: Sequence[int]) -> None:
        """Delete chunks, recording the mentions that are lost with them."""
        lost = self._index.fetch_among(Counted, _LOST, chunk_ids)
        self._touched.lost[note_id] = Counter(lost)
        self._index.change_among(_LOST_CHUNKS, chunk_ids)

    def _replace_links(self, note: NoteRow, new: Sequence[LinkRow]) -> None:
        old = self._stored(LinkRow, note.id)
        is_same = list(map(_same_link, old)) == list(map(_same_link, new))
        if not is_same or any(row.visible_from != note.visible_from for row in old):
            self._forget_links(note.id)
            self._touched.linking.add(note.id)
            self._pending.link.extend(_new_link(note, values) for values in new)
            return
        moved = [
            _LinkPlace(after.ordinal, after.start, after.end)
            for before, after in zip(old, new, strict=True)
            if (before.start, before.end) != (after.start, after.end)
        ]
        self._index.update(rows.link, moved, by=("ordinal",), note_id=note.id)

    def _replace_proposals(self, note: NoteRow, new: Sequence[ProposalRow]) -> None:
        old = {row.name_key: row for row in self._stored(ProposalRow, note.id)}
        fresh = {row.name_key: _new_proposal(note, row) for row in new}
        changed = {key for key in old.keys() | fresh.keys() if old.get(key) != fresh.get(key)}
        self._touched.names |= changed
        gone = sorted(changed & old.keys())
        deletion = _DELETIONS["proposal"].where(rows.proposal.c.name_key.in_(gone))
        if gone:
            self._index.execute(deletion, {"own": note.id})
        self._pending.proposal.extend(fresh[key] for key in sorted(changed & fresh.keys()))

    def _replace_threads(self, note: NoteRow, new: Sequence[ThreadRow]) -> None:
        fresh = [_new_thread(note, one) for one in new]
        if self._stored(ThreadRow, note.id) != fresh:
            self._delete(rows.thread, note.id)
            self._pending.thread.extend(fresh)

    def _forget_content(self, note_id: int) -> None:
        proposal, chunk = rows.proposal, rows.chunk
        self._forget_links(note_id)
        names = select(proposal.c.name_key).where(
            self._index.owns(proposal), proposal.c.note_id == note_id
        )
        self._touched.names.update(self._connection.scalars(names))
        chunks = select(chunk.c.id).where(self._index.owns(chunk), chunk.c.note_id == note_id)
        self._remove_chunks(note_id, list(self._connection.scalars(chunks)))

    def _forget_links(self, note_id: int) -> None:
        link = rows.link
        condition = [self._index.owns(link), link.c.note_id == note_id]
        for row in self._connection.execute(
            select(link.c.target_key, link.c.target_note_id).where(*condition)
        ):
            self._touched.add_target(row.target_note_id, row.target_key)
        self._delete(link, note_id)


def _new_link(note: NoteRow, link: LinkRow) -> LinkRow:
    return link._replace(note_id=note.id, visible_from=note.visible_from)


def _new_proposal(note: NoteRow, proposal: ProposalRow) -> ProposalRow:
    return proposal._replace(note_id=note.id, visible_from=note.visible_from)


def _new_thread(note: NoteRow, thread: ThreadRow) -> ThreadRow:
    return thread._replace(note_id=note.id, visible_from=note.visible_from)


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0] or name
