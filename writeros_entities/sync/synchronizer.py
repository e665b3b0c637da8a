"""A sync from beginning to end: plan, notes, links, positions, entities, mentions, counts.

A small sync is one transaction. A large one is many bounded ones, with the vault marked
`unfinished` from the first to the last: killed in between, the next sync derives everything again
from the rows it finds, and detects what is still marked.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, or_, select, update

from writeros_entities.errors import VaultError
from writeros_entities.progress import Progress, SilentProgress
from writeros_entities.store import rows
from writeros_entities.store.lease import Lease, hold_lease
from writeros_entities.store.lexicon import load_lexicon
from writeros_entities.store.view import View
from writeros_entities.sync.counts import refresh_counts
from writeros_entities.sync.entities import Deriver, Knowledge
from writeros_entities.sync.lexicon import mark_affected, update_entities
from writeros_entities.sync.links import resolve_links
from writeros_entities.sync.mentions import MentionWriter, stale_notes
from writeros_entities.sync.notes import NoteWriter
from writeros_entities.sync.files import read_file
from writeros_entities.sync.plan import READ_KINDS, KnownFile, Plan, hash_content, make_plan
from writeros_entities.sync.positions import place_notes
from writeros_entities.sync.stages import NoteDraft, Pipeline
from writeros_entities.sync.touched import Touched
from writeros_entities.values import Diagnostic, Lexicon, Note, SyncOutcome
from writeros_entities.vault.config import read_config
from writeros_entities.vault.notes import parse_note
from writeros_entities.vault.walk import VaultFile, find_below, inspect_path, walk_vault

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from writeros_entities.store.database import Database
    from writeros_entities.workspace import Workspace

NOTES_PER_TRANSACTION = 500
NOTES_PER_DETECTION = 50
KEPT_CHARACTERS = 48_000_000
"""Text of parsed notes kept from reading to detection, so that they are parsed once."""

LONG_NOTE = 200_000
"""A note of more characters is not kept, but parsed again: it weighs more than it saves."""

BYTES_PER_DETECTION = 4_000_000
"""Notes are detected together up to this size, but always at least one."""

TOO_LARGE = "too-large"


class Synchronizer:
    """Syncs one vault, again and again: it keeps the lexicon between two syncs."""

    def __init__(self, workspace: Workspace, *, clock: Callable[[], float] = time.time) -> None:
        self._root = workspace.root
        self._vault_id = workspace.vault_id
        self._database = workspace.database
        self._plugins = workspace.plugins
        self._settings = workspace.settings
        self._clock = clock
        self._pipeline = Pipeline(workspace.plugins, workspace.settings)
        self._lexicon: Lexicon | None = None
        self._lexicon_revision = -1

    def sync(
        self,
        *,
        progress: Progress | None = None,
        wait_seconds: float = 0.0,
        allow_empty: bool = False,
    ) -> SyncOutcome:
        """Bring the index to the state of the whole vault.

        Raises VaultError where the vault cannot be read, or is empty although the index is not
        (an unmounted drive looks like that) and `allow_empty` is not given; BusyError where
        another process is writing.
        """
        started = time.monotonic()
        config = read_config(self._root)
        walk = walk_vault(self._root, config, follow_symlinks=self._settings.follow_symlinks)
        with hold_lease(self._database, self._vault_id, wait_seconds=wait_seconds) as lease:
            known = self._known_files()
            if known and not walk.files and not allow_empty and not any(self._root.iterdir()):
                raise VaultError(
                    f"{self._root} is empty, but its index holds {len(known)} files. If they are "
                    "meant to be gone, sync with allow_empty; else check that the drive is there."
                )
            plan = self._plan(walk.files, known, config, walk.unreadable_folders)
            found = [(config.config_folder, item) for item in config.diagnostics]
            found += walk.diagnostics
            found += [(file.path, file.diagnostic) for file in walk.files if file.diagnostic]
            return self._apply(plan, lease, progress, started, found)

    def sync_paths(
        self,
        paths: Iterable[str],
        *,
        progress: Progress | None = None,
        wait_seconds: float = 0.0,
    ) -> SyncOutcome:
        """Bring the index to the state of these paths, given relative to the vault's root."""
        started = time.monotonic()
        config = read_config(self._root)
        files: dict[str, VaultFile] = {}
        unreadable: list[str] = []
        with hold_lease(self._database, self._vault_id, wait_seconds=wait_seconds) as lease:
            known = self._known_files(sorted(set(paths)))
            for path in paths:
                if (self._root / path).is_dir():
                    below = find_below(self._root, config, path)
                    files |= {file.path: file for file in below.files}
                    unreadable += below.unreadable_folders
                else:
                    file = inspect_path(self._root, config, path)
                    if file is not None:
                        files[file.path] = file
            plan = self._plan(files.values(), known, config, unreadable)
            return self._apply(plan, lease, progress, started, None)

    def check_vault(self) -> None:
        """Raise VaultError where the vault cannot be read, before anything is forgotten."""
        walk_vault(self._root, read_config(self._root))

    def forget(self, *, wait_seconds: float = 0.0) -> None:
        """Delete every row of the vault but its own, for a rebuild from the files."""
        with (
            hold_lease(self._database, self._vault_id, wait_seconds=wait_seconds) as lease,
            self._database.write() as connection,
        ):
            lease.renew(connection, self._clock())
            for table in (rows.entity, rows.note):
                connection.execute(delete(table).where(table.c.vault_id == self._vault_id))
            self._mark(connection, unfinished=True)
        self._lexicon = None

    def _known_files(self, paths: Sequence[str] | None = None) -> list[KnownFile]:
        note = rows.note
        statement = select(
            note.c.id,
            note.c.path,
            note.c.kind,
            note.c.size,
            note.c.mtime_ns,
            note.c.content_hash,
            note.c.fingerprint,
        ).where(note.c.vault_id == self._vault_id)
        with self._database.read() as connection:
            if paths is None:
                return [KnownFile(*row) for row in connection.execute(statement)]
            found = {}
            for path in paths:
                inside = note.c.path.between(path + "/", path + "0")
                for row in connection.execute(statement.where(or_(note.c.path == path, inside))):
                    found[row.path] = KnownFile(*row)
            return list(found.values())

    def _plan(
        self,
        files: Iterable[VaultFile],
        known: Sequence[KnownFile],
        config: Any,
        unreadable: Sequence[str],
    ) -> Plan:
        def is_gone(path: str) -> bool:
            if any(path.startswith(folder + "/") or not folder for folder in unreadable):
                return False
            return inspect_path(self._root, config, path) is None

        return make_plan(
            files, known, fingerprint=self._pipeline.fingerprint, read=self._read, is_gone=is_gone
        )

    def _read(self, file: VaultFile) -> bytes | None:
        if file.unavailable or file.size > self._settings.max_note_bytes:
            return None
        return read_file(file.disk_path, self._settings.max_note_bytes + 1)

    def _apply(
        self,
        plan: Plan,
        lease: Lease,
        progress: Progress | None,
        started: float,
        walked: Sequence[tuple[str, Diagnostic]] | None,
    ) -> SyncOutcome:
        run = _Run(
            self._database,
            self._vault_id,
            lease,
            self._clock,
            progress or SilentProgress(),
            plan,
        )
        with self._database.read() as connection:
            state = self._vault_state(connection)
            changed_names = state.lexicon_identity != self._pipeline.lexicon_identity
            stale = stale_notes(connection, self._vault_id, self._pipeline.detection_identity)
            walk_rows = None if walked is None else _diagnostic_rows("walk", walked)
        same_walk = walk_rows is None or walk_rows == _of_source(state.diagnostics, "walk")
        if plan.is_empty and not (state.unfinished or changed_names or stale) and same_walk:
            return SyncOutcome(state.revision, seconds=time.monotonic() - started)
        run.touched.everything = state.unfinished or changed_names
        with run:
            self._write_notes(run)
            changed, diagnostics = self._derive(run)
            redetected = self._write_mentions(run, changed)
            revision = self._finish(run, walk_rows, diagnostics)
        outcome = SyncOutcome(
            revision,
            added=tuple(file.path for file in plan.added),
            changed=tuple(file.path for _, file in plan.changed),
            moved=tuple((move.known.path, move.file.path) for move in plan.moved),
            removed=tuple(row.path for row in plan.removed),
            redetected=redetected,
            diagnostics=tuple(dict.fromkeys([*run.diagnostics, *(walked or ())])),
            seconds=time.monotonic() - started,
        )
        self._plugins.notify("note_synced", outcome=outcome)
        return outcome

    def _vault_state(self, connection: Connection) -> Any:
        return connection.execute(select(rows.vault).where(rows.vault.c.id == self._vault_id)).one()

    def _mark(self, connection: Connection, **values: Any) -> None:
        connection.execute(
            update(rows.vault).where(rows.vault.c.id == self._vault_id).values(**values)
        )

    def _write_notes(self, run: _Run) -> None:
        plan = run.plan
        for row in plan.removed:
            run.notes(self._pipeline.fingerprint).remove(row.id, row.path)
            run.spend(1)
        work: list[tuple[int | None, VaultFile]] = [
            *((move.known.id, move.file) for move in plan.moved),
            *((row.id, file) for row, file in plan.changed),
            *((None, file) for file in plan.added),
        ]
        for done, (note_id, file) in enumerate(work):
            file, data, draft = self._draft(run, file)
            writer = run.notes(self._pipeline.fingerprint)
            if note_id is None:
                writer.add(file, draft, data)
            elif not file.unavailable:
                writer.change(note_id, file, draft, data)
            run.spend(1)
            run.progress.update("reading notes", done + 1, len(work))
        for row, file in plan.touched:
            run.notes(self._pipeline.fingerprint).touch(row.id, file)

    def _draft(
        self, run: _Run, file: VaultFile
    ) -> tuple[VaultFile, bytes | None, NoteDraft | None]:
        """Read a file; one that cannot be read comes back with a diagnostic that says so."""
        if file.kind not in READ_KINDS:
            return file, None, None
        data = run.plan.contents.get(file.path) or self._read(file)
        if data is None or len(data) > self._settings.max_note_bytes:
            if not file.unavailable:
                file = self._explain_unread(file, data)
            if file.diagnostic is not None:
                run.report(file.path, file.diagnostic)
            return file, None, None
        if file.kind == "canvas":
            draft = self._pipeline.draft_canvas(file.path, data)
        else:
            draft = self._pipeline.draft(file.path, data)
            run.keep(draft.note)
        for diagnostic in draft.diagnostics:
            run.report(file.path, diagnostic)
        return file, data, draft

    def _explain_unread(self, file: VaultFile, data: bytes | None) -> VaultFile:
        limit = self._settings.max_note_bytes
        if file.size > limit or data is not None:
            message = f"It has {file.size:,} bytes, more than max_note_bytes ({limit:,})."
            return dataclasses.replace(file, diagnostic=Diagnostic(TOO_LARGE, message))
        diagnostic = Diagnostic("unreadable", "The file could not be read.")
        return dataclasses.replace(file, diagnostic=diagnostic, unavailable=True)

    def _derive(self, run: _Run) -> tuple[set[str], list[tuple[str, Diagnostic]] | None]:
        run.flush()
        connection = run.connection
        diagnostics = place_notes(connection, self._vault_id, run.touched)
        resolve_links(connection, self._vault_id, run.touched)
        bases = self._plugins.knowledge_bases(self._settings.knowledge_bases)
        knowledge = Knowledge(entity for base in bases for entity in base.entities())
        deriver = Deriver(connection, self._vault_id, self._plugins, self._settings, knowledge)
        changed = update_entities(connection, self._vault_id, deriver, run.touched)
        mark_affected(connection, self._vault_id, changed)
        return changed, diagnostics

    def _write_mentions(self, run: _Run, changed: set[str]) -> int:
        identity = self._pipeline.detection_identity
        stale = stale_notes(run.connection, self._vault_id, identity)
        if not stale:
            return 0
        lexicon = self._current_lexicon(run.connection, changed)
        writer: MentionWriter | None = None
        done = 0
        for batch in _bounded(stale):
            notes = [
                (row.id, row.visible_from, note)
                for row in batch
                if (note := self._parsed(run, row)) is not None
            ]
            if writer is None or run.spend(len(batch)):
                writer = MentionWriter(
                    run.connection, self._vault_id, self._plugins, lexicon, run.touched
                )
            for path, diagnostic in writer.replace(notes, identity):
                run.report(path, diagnostic)
            done += len(batch)
            run.progress.update("finding mentions", done, len(stale))
        return len(stale)

    def _parsed(self, run: _Run, row: Any) -> Note | None:
        kept = run.parsed.pop(row.path, None)
        if kept is not None:
            return kept
        config = read_config(self._root)
        file = inspect_path(self._root, config, row.path)
        data = self._read(file) if file is not None else None
        if data is None or hash_content(data) != row.content_hash:
            return None
        return parse_note(row.path, data, max_links=self._settings.max_note_links)

    def _current_lexicon(self, connection: Connection, changed: set[str]) -> Lexicon:
        revision = self._vault_state(connection).revision
        if self._lexicon is None or changed or revision != self._lexicon_revision:
            self._lexicon = load_lexicon(View(connection, self._vault_id))
        return self._lexicon

    def _finish(
        self,
        run: _Run,
        walk_rows: list[dict[str, Any]] | None,
        order: list[tuple[str, Diagnostic]] | None,
    ) -> int:
        connection = run.connection
        refresh_counts(connection, self._vault_id, run.touched)
        state = self._vault_state(connection)
        kept = list(state.diagnostics or [])
        if walk_rows is not None:
            kept = [row for row in kept if row["source"] != "walk"] + walk_rows
        if order is not None:
            kept = [row for row in kept if row["source"] != "order"]
            kept += _diagnostic_rows("order", order)
        self._mark(
            connection,
            unfinished=False,
            revision=state.revision + 1,
            lexicon_identity=self._pipeline.lexicon_identity,
            diagnostics=kept or None,
            synced_at=self._clock(),
        )
        self._lexicon_revision = state.revision + 1
        return int(state.revision + 1)


@dataclass
class _Run:
    """One sync under way: its open transaction, and what it has touched and found so far."""

    database: Database
    vault_id: int
    lease: Lease
    clock: Callable[[], float]
    progress: Progress
    plan: Plan
    touched: Touched = field(default_factory=Touched)
    parsed: dict[str, Note] = field(default_factory=dict)
    diagnostics: list[tuple[str, Diagnostic]] = field(default_factory=list)
    _kept: int = 0
    _spent: int = 0
    _writer: NoteWriter | None = None

    def __enter__(self) -> _Run:
        self._begin()
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: Any) -> None:
        if kind is None:
            self.flush()
        self._transaction.__exit__(kind, *error)

    def _begin(self) -> None:
        self._transaction = self.database.write()
        self.connection: Connection = self._transaction.__enter__()
        self.lease.renew(self.connection, self.clock())
        self.connection.execute(
            update(rows.vault).where(rows.vault.c.id == self.vault_id).values(unfinished=True)
        )

    def notes(self, fingerprint: str) -> NoteWriter:
        """Return the writer of notes for the open transaction."""
        if self._writer is None:
            self._writer = NoteWriter(
                self.connection, self.vault_id, self.touched, fingerprint, self.clock()
            )
        return self._writer

    def spend(self, notes: int) -> bool:
        """Count notes written; begin a new transaction once there are enough, and say so."""
        self._spent += notes
        if self._spent < NOTES_PER_TRANSACTION:
            return False
        self.flush()
        self._transaction.__exit__(None, None, None)
        self._spent = 0
        self._begin()
        return True

    def flush(self) -> None:
        """Send what the writer of notes holds back."""
        if self._writer is not None:
            self._writer.flush()
            self._writer = None

    def keep(self, note: Note) -> None:
        """Keep a parsed note for detection, within bounds."""
        if len(note.text) < LONG_NOTE and self._kept < KEPT_CHARACTERS:
            self._kept += len(note.text)
            self.parsed[note.path] = note

    def report(self, path: str, diagnostic: Diagnostic) -> None:
        """Record a diagnostic for the outcome."""
        self.diagnostics.append((path, diagnostic))


def _bounded(notes: Iterable[Any]) -> Iterator[list[Any]]:
    """Cut rows of notes into lists of bounded length and bounded size of the notes together."""
    batch: list[Any] = []
    size = 0
    for row in notes:
        if batch and (len(batch) == NOTES_PER_DETECTION or size + row.size > BYTES_PER_DETECTION):
            yield batch
            batch, size = [], 0
        batch.append(row)
        size += row.size
    if batch:
        yield batch


def _diagnostic_rows(source: str, found: Iterable[tuple[str, Diagnostic]]) -> list[dict[str, Any]]:
    return [
        {"source": source, "path": path, **dataclasses.asdict(diagnostic)}
        for path, diagnostic in found
    ]


def _of_source(diagnostics: Sequence[dict[str, Any]] | None, source: str) -> list[dict[str, Any]]:
    return [row for row in diagnostics or () if row["source"] == source]
