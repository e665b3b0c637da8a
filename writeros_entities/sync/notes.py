"""Notes into rows: a draft replaces what the index held of its file, keeping what is the same."""

from __future__ import annotations

import dataclasses
import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, insert, select, update

from writeros_entities.store import rows
from writeros_entities.store.rows import IdSequence
from writeros_entities.sync.plan import hash_content
from writeros_entities.vault.links import link_key

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from writeros_entities.sync.stages import NoteDraft
    from writeros_entities.sync.touched import Touched
    from writeros_entities.values import Diagnostic, Link
    from writeros_entities.vault.walk import VaultFile

SEPARATOR = " › "
"""Stands between the headings of a chunk's heading path."""

MANY_ROWS = 5_000
"""Rows that are held back at most, and then sent together."""

RACY_NS = 50_000_000
"""A file younger than this when it is read may change again without changing its timestamp."""


class NoteWriter:
    """Writes files and drafts into one vault's rows, within one transaction."""

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
        self._pending: dict[str, list[dict[str, Any]]] = defaultdict(list)

    def add(self, file: VaultFile, draft: NoteDraft | None, data: bytes | None) -> None:
        """Write a file that the index did not have."""
        note_id = self._note_ids.take()
        row = {"id": note_id, **self._describe(file, draft, data)}
        self._pending["note"].append(row)
        self._touched.files.add(row["link_key"])
        if draft is not None:
            self._add_content(note_id, row, draft)
        self._touch(note_id, row["reading_order"], row["visible_claim"])
        if sum(map(len, self._pending.values())) > MANY_ROWS:
            self.flush()

    def change(
        self, note_id: int, file: VaultFile, draft: NoteDraft | None, data: bytes | None
    ) -> None:
        """Write a file again that changed or moved; its id stays."""
        self.flush()
        before = self._connection.execute(
            select(rows.note).where(self._is(rows.note), rows.note.c.id == note_id)
        ).one()
        row = self._describe(file, draft, data)
        if file.path != before.path or file.kind != before.kind:
            self._touched.files |= {before.link_key, row["link_key"]}
        if row["reading_order"] != before.reading_order or file.path != before.path:
            self._touch(note_id, before.reading_order, None)
        row |= {"position": before.position, "visible_from": before.visible_from}
        self._connection.execute(
            update(rows.note).where(self._is(rows.note), rows.note.c.id == note_id).values(**row)
        )
        self._replace_content(note_id, row, draft)
        self._touch(note_id, row["reading_order"], row["visible_claim"] or before.visible_claim)

    def remove(self, note_id: int, path: str) -> None:
        """Delete a file's row and, by cascade, all that came from it."""
        self.flush()
        self._touched.files.add(link_key(path))
        order = self._connection.scalar(
            select(rows.note.c.reading_order).where(self._is(rows.note), rows.note.c.id == note_id)
        )
        self._touch(note_id, order, None)
        self._forget_content(note_id)
        self._connection.execute(
            delete(rows.note).where(self._is(rows.note), rows.note.c.id == note_id)
        )

    def touch(self, note_id: int, file: VaultFile) -> None:
        """Record a new size and timestamp of a file whose content is the same."""
        self._connection.execute(
            update(rows.note)
            .where(self._is(rows.note), rows.note.c.id == note_id)
            .values(size=file.size, mtime_ns=self._trusted_mtime(file))
        )

    def flush(self) -> None:
        """Send what is pending to the database."""
        for name in ("note", "chunk", "link", "proposal"):
            if self._pending[name]:
                table = rows.vault.metadata.tables[name]
                self._connection.execute(insert(table), self._pending[name])
                self._pending[name] = []

    def _is(self, table: Any) -> Any:
        return table.c.vault_id == self._vault_id

    def _touch(self, note_id: int, order: object, visible_claim: object) -> None:
        self._touched.notes.add(note_id)
        self._touched.order |= order is not None
        if visible_claim is not None:
            self._touched.visibility.add(note_id)

    def _trusted_mtime(self, file: VaultFile) -> int:
        age = int(self._now * 1e9) - file.mtime_ns
        return 0 if age < RACY_NS else file.mtime_ns

    def _describe(
        self, file: VaultFile, draft: NoteDraft | None, data: bytes | None
    ) -> dict[str, Any]:
        diagnostics: list[Diagnostic] = list(draft.diagnostics) if draft else []
        if file.diagnostic is not None:
            diagnostics.append(file.diagnostic)
        has_content = data is not None or not file.unavailable
        row: dict[str, Any] = {
            "vault_id": self._vault_id,
            "path": file.path,
            "title": draft.note.title if draft else _stem(file.path),
            "link_key": link_key(file.path),
            "kind": file.kind,
            "size": file.size,
            "mtime_ns": self._trusted_mtime(file),
            "content_hash": hash_content(data) if data is not None else None,
            "position": None,
            "visible_from": None,
            "marks_inside_words": False,
            "visible_claim": None,
            "frontmatter": None,
            "declaration": None,
            "reading_order": None,
            "fingerprint": self._fingerprint if has_content else None,
            "detected": None,
            "diagnostics": [dataclasses.asdict(item) for item in diagnostics] or None,
        }
        if draft is not None:
            row["marks_inside_words"] = draft.marks_inside_words
            row["visible_claim"] = draft.visible_claim
            row["frontmatter"] = dict(draft.note.frontmatter) or None
            row["declaration"] = _as_json(draft.declaration)
            row["reading_order"] = _as_json(draft.order)
        return row

    def _add_content(self, note_id: int, row: Mapping[str, Any], draft: NoteDraft) -> None:
        for new in self._chunk_rows(note_id, row, draft):
            self._pending["chunk"].append(new | {"id": self._chunk_ids.take(), "usage_count": 0})
        self._pending["link"] += self._link_rows(note_id, row, draft)
        self._pending["proposal"] += self._proposal_rows(note_id, row, draft)
        self._touched.names |= draft.proposals.keys()

    def _replace_content(
        self, note_id: int, row: Mapping[str, Any], draft: NoteDraft | None
    ) -> None:
        self._replace_chunks(self._chunk_rows(note_id, row, draft) if draft else [], note_id)
        self._replace_links(note_id, self._link_rows(note_id, row, draft) if draft else [])
        self._replace_proposals(note_id, self._proposal_rows(note_id, row, draft) if draft else [])

    def _replace_links(self, note_id: int, new_rows: list[dict[str, Any]]) -> None:
        link = rows.link
        old_rows = self._connection.execute(
            select(link).where(self._is(link), link.c.note_id == note_id).order_by(link.c.ordinal)
        ).all()
        if [tuple(getattr(row, name) for name in _LINK) for row in old_rows] == [
            tuple(row[name] for name in _LINK) for row in new_rows
        ]:
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
                        link.c.note_id == note_id,
                        link.c.ordinal == bindparam("b_ordinal"),
                    )
                    .values(start=bindparam("start"), end=bindparam("end")),
                    places,
                )
            return
        self._forget_links(note_id)
        self._pending["link"] += new_rows

    def _replace_proposals(self, note_id: int, new_rows: list[dict[str, Any]]) -> None:
        proposal = rows.proposal
        condition = [self._is(proposal), proposal.c.note_id == note_id]
        found = self._connection.execute(select(proposal).where(*condition)).mappings()
        old = {row["name_key"]: dict(row) for row in found}
        new = {row["name_key"]: row for row in new_rows}
        changed = {key for key in old.keys() | new.keys() if old.get(key) != new.get(key)}
        self._touched.names |= changed
        for batch in rows.batches(sorted(changed & old.keys())):
            self._connection.execute(
                delete(proposal).where(*condition, proposal.c.name_key.in_(batch))
            )
        self._pending["proposal"] += [new[key] for key in sorted(changed & new.keys())]

    def _replace_chunks(self, new_rows: Sequence[dict[str, Any]], note_id: int) -> None:
        chunk = rows.chunk
        old: dict[str, list[Any]] = defaultdict(list)
        found = self._connection.execute(
            select(chunk)
            .where(self._is(chunk), chunk.c.note_id == note_id)
            .order_by(chunk.c.ordinal.desc())
        )
        for row in found:
            old[row.content_hash].append(row)
        kept: list[dict[str, Any]] = []
        for new in new_rows:
            same = old.get(new["content_hash"])
            if same:
                before = same.pop()
                moved = any(getattr(before, name) != new[name] for name in _PLACE)
                if moved:
                    kept.append({"chunk_id": before.id} | {name: new[name] for name in _PLACE})
            else:
                self._pending["chunk"].append(
                    new | {"id": self._chunk_ids.take(), "usage_count": 0}
                )
        for batch in rows.batches(row.id for same in old.values() for row in same):
            self._connection.execute(delete(chunk).where(self._is(chunk), chunk.c.id.in_(batch)))
        if kept:
            statement = (
                update(chunk)
                .where(self._is(chunk), chunk.c.id == bindparam("chunk_id"))
                .values({name: bindparam(name) for name in _PLACE})
            )
            self._connection.execute(statement, kept)

    def _chunk_rows(
        self, note_id: int, row: Mapping[str, Any], draft: NoteDraft
    ) -> list[dict[str, Any]]:
        note = draft.note
        made = []
        for ordinal, span in enumerate(draft.chunks):
            text = note.text[span.start : span.end]
            made.append(
                {
                    "vault_id": self._vault_id,
                    "note_id": note_id,
                    "ordinal": ordinal,
                    "heading": SEPARATOR.join(span.headings),
                    "text": text,
                    "start": span.start,
                    "end": span.end,
                    "line": note.locate(span.start)[0],
                    "tokens": span.tokens,
                    "content_hash": hashlib.blake2b(text.encode(), digest_size=12).hexdigest(),
                    "visible_from": row["visible_from"],
                    "indexed_at": self._now,
                }
            )
        return made

    def _link_rows(
        self, note_id: int, row: Mapping[str, Any], draft: NoteDraft
    ) -> list[dict[str, Any]]:
        return [
            self._link_row(note_id, ordinal, row, link)
            for ordinal, link in enumerate(draft.note.links)
        ]

    def _proposal_rows(
        self, note_id: int, row: Mapping[str, Any], draft: NoteDraft
    ) -> list[dict[str, Any]]:
        fixed = {
            "vault_id": self._vault_id,
            "note_id": note_id,
            "visible_from": row["visible_from"],
        }
        return [
            fixed | {"name_key": name_key} | dataclasses.asdict(proposal)
            for name_key, proposal in draft.proposals.items()
        ]

    def _link_row(
        self, note_id: int, ordinal: int, row: Mapping[str, Any], link: Link
    ) -> dict[str, Any]:
        return {
            "vault_id": self._vault_id,
            "note_id": note_id,
            "ordinal": ordinal,
            "kind": link.kind,
            "raw": link.raw,
            "target": link.target,
            "target_key": link_key(link.target) if link.target else row["link_key"],
            "heading": link.heading,
            "block": link.block,
            "display": link.display,
            "field": link.field,
            "start": link.start,
            "end": link.end,
            "status": "pending",
            "target_note_id": None,
            "visible_from": row["visible_from"],
        }

    def _forget_content(self, note_id: int) -> None:
        self._forget_links(note_id)
        proposal, mention, chunk = rows.proposal, rows.mention, rows.chunk
        self._touched.names.update(
            self._connection.scalars(
                select(proposal.c.name_key).where(self._is(proposal), proposal.c.note_id == note_id)
            )
        )
        mentioned = (
            select(mention.c.entity_id)
            .join(chunk, (chunk.c.id == mention.c.chunk_id) & self._is(chunk))
            .where(self._is(mention), chunk.c.note_id == note_id)
            .distinct()
        )
        self._touched.entities.update(self._connection.scalars(mentioned))

    def _forget_links(self, note_id: int) -> None:
        link = rows.link
        condition = [self._is(link), link.c.note_id == note_id]
        for row in self._connection.execute(
            select(link.c.target_key, link.c.target_note_id).where(*condition)
        ):
            if row.target_note_id is not None:
                self._touched.targets.add(row.target_note_id)
            else:
                self._touched.unresolved.add(row.target_key)
        self._connection.execute(delete(link).where(*condition))


_LINK = ("kind", "raw", "field", "target_key")
_PLACE = ("ordinal", "heading", "start", "end", "line", "tokens", "visible_from")


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0] or name


def _as_json(value: Any) -> dict[str, Any] | None:
    return None if value is None else dataclasses.asdict(value)
