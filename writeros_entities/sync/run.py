"""The state of one sync: its open transaction, its workers, and what it has touched and found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import delete, update

from writeros_entities.store import rows
from writeros_entities.store.rows import VaultRows
from writeros_entities.sync.collector import Collector
from writeros_entities.sync.drafting.detector import DetectionJob
from writeros_entities.sync.drafting.files import StoredNote
from writeros_entities.sync.drafting.pipeline import TOO_LARGE
from writeros_entities.sync.mentions import MentionWriter
from writeros_entities.sync.touched import Touched
from writeros_entities.sync.workers import Workers, count_workers
from writeros_entities.values import Diagnostic
from writeros_entities.vault.files.walk import inspect_path

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from writeros_entities.progress import Progress
    from writeros_entities.store.database import Database
    from writeros_entities.store.interruption import Interruption
    from writeros_entities.store.lease import Lease
    from writeros_entities.store.rows import Row
    from writeros_entities.sync.drafting.drafts import NoteDraft
    from writeros_entities.sync.drafting.pipeline import Pipeline
    from writeros_entities.sync.notes import NoteWriter
    from writeros_entities.sync.plan import Plan
    from writeros_entities.sync.relations.stating import RelationWriter
    from writeros_entities.vault.files.config import VaultConfig
    from writeros_entities.vault.files.walk import VaultFile

T = TypeVar("T")

NOTES_PER_TRANSACTION = 1_000

NOTES_PER_BATCH = 100
BYTES_PER_BATCH = 500_000
"""Limits of a batch that goes through a stage together, since all of it is in memory at once."""

LAST_BATCHES = 4
"""The notes of so many batches, at the end, go in batches of a quarter: who has nothing left to do
then waits only shortly for the others.
"""

MANY_NOTES = 100
"""From this many notes on, a sync spares the garbage collector, updates the planner's statistics
and runs `settle`.
"""

MUCH_NEW_TEXT = 32_768
"""From this many bytes of new files on, it updates the statistics too: without any, the planner
takes the tables for empty.
"""

BATCHES_WRITTEN = 5
"""Number of batches whose mentions are written together, so that the pages of the index and what
detection uses displace each other less often from the processor's caches.
"""

BATCHES_ASKED_FOR = 10
"""Number of batches whose chunks are read from the index in one query."""


@dataclass
class Run:
    """The state of one sync: its open transaction, and what it has touched and found so far.

    `drafted` has the paths of each batch of files that was drafted together.
    """

    database: Database
    vault_id: int
    lease: Lease
    clock: Callable[[], float]
    progress: Progress
    plan: Plan
    config: VaultConfig
    pipeline: Pipeline
    interruption: Interruption | None = None
    touched: Touched = field(default_factory=Touched)
    diagnostics: list[tuple[str, Diagnostic]] = field(default_factory=list)
    drafted: list[Sequence[str]] = field(default_factory=list)
    _spent: int = 0
    _unsettled: int = 0
    _writer: NoteWriter | None = None
    _workers: Workers | None = None
    _collector: Collector | None = None

    def __enter__(self) -> Run:
        self._begin()
        return self

    def __exit__(self, *error: Any) -> None:
        try:
            self._transaction.__exit__(*error)
        finally:
            if self._collector is not None:
                self._collector.restore()
            if self._workers is not None:
                self._workers.close()

    def _begin(self) -> None:
        """Open a transaction, renew the lease and mark the vault as unfinished.

        If another process has the lease, no transaction is left open.
        """
        with ExitStack() as opened:
            self.connection: Connection = opened.enter_context(
                self.database.write(self.interruption)
            )
            self.lease.renew(self.connection, self.clock(), unfinished=True)
            self._transaction = opened.pop_all()

    @property
    def index(self) -> VaultRows:
        """The rows of the vault, in the open transaction."""
        return VaultRows(self.connection, self.vault_id)

    def forget(self) -> None:
        """Delete all rows of the vault except its own; readers see the old rows until the commit.

        From then until the sync is finished, the vault counts as unread.
        """
        forgotten = update(rows.vault).where(rows.vault.c.id == self.vault_id)
        self.connection.execute(forgotten.values(synced_at=None, names=None))
        for table in (rows.entity, rows.note):
            self.connection.execute(delete(table).where(table.c.vault_id == self.vault_id))

    def spare_collector(self, notes: int) -> None:
        """Spare the garbage collector until the end, if so many notes are many.

        For few notes it is left alone: what is garbage at that moment would be exempt as well, and
        even counting exempted objects takes milliseconds.
        """
        if notes >= MANY_NOTES and self._collector is None:
            self._collector = Collector()

    def workers(self, volume: int) -> Workers:
        """Return the workers for this many bytes of notes: none but this process, or several."""
        count = count_workers(self.pipeline, volume)
        if self._workers is None or (count and not self._workers.count):
            self._workers = Workers(self.pipeline, count)
        return self._workers

    def find(self, root: Path, path: str) -> VaultFile | None:
        """Return the file at a path of the vault, from the plan or else from the disk."""
        if path in self._planned:
            return self._planned[path]
        return inspect_path(root, self.config, path)

    def stored_notes(self, root: Path, stale: Sequence[Row]) -> Iterator[list[StoredNote]]:
        """Yield batches of those notes among rows of `stale_notes` whose files can be read."""
        for part in self._as_drafted(stale):
            files = ((row, self.find(root, row.path)) for row in part)
            yield [
                StoredNote(row.id, row.path, file.disk_path, row.content_hash)
                for row, file in files
                if file is not None and not file.unavailable
            ]

    def detection_jobs(
        self, root: Path, stale: Sequence[Row], *, closely: bool = False
    ) -> Iterator[list[DetectionJob]]:
        """Yield batches of detection jobs for rows of `stale_notes`."""
        for together in rows.batches(self.stored_notes(root, stale), BATCHES_ASKED_FOR):
            chunks = self.mentions().chunks([note.note_id for part in together for note in part])
            for part in together:
                clauses = self.mentions().clauses(part) if closely else {}
                yield [
                    DetectionJob(note, chunks[note.note_id], closely, clauses.get(note.note_id))
                    for note in part
                ]

    def _as_drafted(self, stale: Sequence[Row]) -> Iterator[Sequence[Row]]:
        """Split notes into the batches in which they were drafted, for the workers' caches."""
        waiting = {row.path: row for row in stale}
        for paths in self.drafted:
            together = [waiting.pop(path) for path in paths if path in waiting]
            if together:
                yield together
        others = list(waiting.values())
        yield from parts(others, [row.size for row in others])

    @cached_property
    def _planned(self) -> dict[str, VaultFile]:
        plan = self.plan
        files = [*plan.added, *(move.file for move in plan.moved)]
        files += [file for _, file in (*plan.changed, *plan.restamped)]
        return {file.path: file for file in files}

    def notes(self) -> NoteWriter:
        """Return the note writer of the open transaction."""
        if self._writer is None:
            self._writer = self.notes_on(self.connection)
        return self._writer

    def notes_on(self, connection: Connection) -> NoteWriter:
        """Return a note writer for another transaction."""
        from writeros_entities.sync.notes import NoteWriter

        index = VaultRows(connection, self.vault_id)
        return NoteWriter(index, self.touched, self.pipeline.fingerprint_of, self.clock())

    def mentions(self) -> MentionWriter:
        """Return a mention writer for the open transaction."""
        return MentionWriter(self.index, self.touched)

    def relations(self) -> RelationWriter:
        """Return a relation writer for the open transaction."""
        from writeros_entities.sync.relations.stating import RelationWriter

        ontology = self.pipeline.plugins.ontology
        return RelationWriter(self.index, self.touched, ontology)

    def spend(self, notes: int) -> None:
        """Count written notes; commit after enough of them."""
        self._spent += notes
        self._unsettled += notes
        if self._collector is not None and self._unsettled >= NOTES_PER_BATCH:
            self._unsettled = 0
            self._collector.settle()
        if self._spent >= NOTES_PER_TRANSACTION:
            self.flush()
            self._transaction.close()
            self._spent = 0
            self._begin()

    def flush(self) -> None:
        """Write the rows that the note writer has buffered."""
        if self._writer is not None:
            self._writer.flush()
            self._writer = None

    def report(self, path: str, *diagnostics: Diagnostic) -> None:
        """Record diagnostics of a file for the outcome."""
        self.diagnostics += [(path, diagnostic) for diagnostic in diagnostics]

    def report_draft(
        self, file: VaultFile, draft: NoteDraft | Diagnostic | None
    ) -> tuple[VaultFile, NoteDraft | None]:
        """Report what is wrong with a file; one that cannot be read becomes unavailable."""
        if isinstance(draft, Diagnostic):
            self.report(file.path, draft)
            is_lost = draft.code == TOO_LARGE
            return replace(file, diagnostic=draft, unavailable=not is_lost), None
        if draft is not None:
            self.report(file.path, *draft.diagnostics)
        return file, draft


def parts(work: Sequence[T], sizes: Sequence[int]) -> Iterator[Sequence[T]]:
    """Split work into the batches that go through a stage together, the last ones smaller."""
    edge = len(work) - min(LAST_BATCHES * NOTES_PER_BATCH, len(work) // 2)
    small = -(-NOTES_PER_BATCH // 4)
    yield from rows.batches_within(work[:edge], sizes[:edge], NOTES_PER_BATCH, BYTES_PER_BATCH)
    yield from rows.batches_within(work[edge:], sizes[edge:], small, BYTES_PER_BATCH)
