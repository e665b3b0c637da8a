"""A sync from start to end: plan, notes, positions, links, entities, topics, mentions, counts.

Most syncs find nothing new: what writes the stages is imported when there is something to write.

A small sync is one transaction. A large one is many of limited size; from the first to the last the
vault is marked `unfinished`. If it is interrupted, the next sync derives everything again from the
rows that it finds, and detects the notes that are still marked.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select, update

from writeros_entities.errors import VaultError
from writeros_entities.plugins import describe_failures
from writeros_entities.progress import Progress, SilentProgress
from writeros_entities.store import rows
from writeros_entities.store.compiled import VaultLexicon
from writeros_entities.store.engine import engine_of
from writeros_entities.store.lease import Lease, hold_lease
from writeros_entities.store.rows import VaultRows
from writeros_entities.sync.decided import read_data, read_decisions
from writeros_entities.sync.diagnostics import (
    keep_diagnostics,
    rows_of_source,
    vault_rows,
    with_source,
)
from writeros_entities.sync.drafting.pipeline import Pipeline
from writeros_entities.sync.freshness import read_known_files
from writeros_entities.sync.mentions import CLOSELY, notes_to_read_closely, stale_notes
from writeros_entities.sync.plan import READ_KINDS, KnownFile, Plan, make_plan
from writeros_entities.sync.run import (
    BATCHES_WRITTEN,
    MANY_NOTES,
    MUCH_NEW_TEXT,
    Run,
    parts,
)
from writeros_entities.values import Diagnostic, SyncOutcome
from writeros_entities.vault.files.config import CONFIG_FOLDER, read_config
from writeros_entities.vault.files.walk import VaultFile, find_below, inspect_path, walk_vault
from writeros_entities.vault.notes import plain_note

if TYPE_CHECKING:
    from writeros_entities.store.interruption import Interruption
    from writeros_entities.store.rows import Row
    from writeros_entities.sync.drafting.detector import Detected
    from writeros_entities.sync.drafting.drafts import NoteDraft
    from writeros_entities.sync.drafting.pipeline import FoundTopics
    from writeros_entities.sync.entities.deriving import Deriver
    from writeros_entities.values import JSON
    from writeros_entities.vault.files.config import VaultConfig
    from writeros_entities.workspace import Workspace


CLOSE_STEP = 100_000
NOTES_PER_STEP = 100
"""Most bytes, and most notes, whose sentences are read in one step: some seconds' work, which bound
the loss by an interruption.
"""


_VAULT = select(rows.vault).where(rows.vault.c.id == bindparam("vault"))
_MARKED = update(rows.vault).where(rows.vault.c.id == bindparam("vault"))


class Synchronizer:
    """Syncs one vault repeatedly, keeping the names between two syncs.

    An interruption, by default the workspace's, ends a sync after the note in hand: what is in the
    open transaction is undone, and the next sync does it again.
    """

    def __init__(
        self,
        workspace: Workspace,
        *,
        interruption: Interruption | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._root = workspace.root
        self._vault_id = workspace.vault_id
        self.database = workspace.database
        self._plugins = workspace.plugins
        self._settings = workspace.settings
        self._clock = clock
        self._interruption = interruption or workspace.interruption
        self._lease = partial(
            hold_lease,
            workspace.database,
            workspace.vault_id,
            interruption=self._interruption,
        )
        self._pipeline = self._new_pipeline()
        self._naming = workspace.naming
        self._names: tuple[int, VaultLexicon] | None = None

    def sync(
        self,
        *,
        progress: Progress | None = None,
        wait_seconds: float = 0.0,
        allow_empty: bool = False,
        anew: bool = False,
    ) -> SyncOutcome:
        """Bring the index up to date with the whole vault; `anew` rebuilds it from nothing.

        Raises VaultError if the vault cannot be read, or if it is empty although the index is not
        (an unmounted drive looks like that), unless `allow_empty`; BusyError if another process is
        writing.
        """
        started = time.monotonic()
        config = read_config(self._root)
        with self._lease(wait_seconds=wait_seconds, progress=progress) as lease:
            self._renew_decisions()
            walk = walk_vault(self._root, config, follow_symlinks=self._settings.follow_symlinks)
            known = self._known_files()
            if known and not walk.files and not allow_empty and not any(self._root.iterdir()):
                raise VaultError(
                    f"{self._root} is empty, but its index holds {len(known)} files. If they are "
                    "meant to be gone, sync with `allow_empty`; else check that the drive is there."
                )
            plan = self._plan(walk.files, () if anew else known, config, walk.unreadable_folders)
            run = self._run(plan, config, lease, progress)
            found = [(CONFIG_FOLDER, item) for item in config.diagnostics]
            found += walk.diagnostics
            found += [(file.path, file.diagnostic) for file in walk.files if file.diagnostic]
            return self._apply(run, started, found, anew=anew)

    def sync_paths(self, paths: Iterable[str], *, wait_seconds: float = 0.0) -> SyncOutcome:
        """Bring the index up to date with these paths, relative to the vault's root.

        If the writer has decided something, the whole vault is looked through for what it concerns.
        """
        if self._renew_decisions():
            return self.sync(wait_seconds=wait_seconds)
        started = time.monotonic()
        config = read_config(self._root)
        files: dict[str, VaultFile] = {}
        unreadable: list[str] = []
        with self._lease(wait_seconds=wait_seconds) as lease:
            known = self._known_files(sorted(set(paths)))
            for path in paths:
                file = inspect_path(self._root, config, path)
                if file is not None:
                    files[file.path] = file
                else:
                    below = find_below(self._root, config, path)
                    files |= {file.path: file for file in below.files}
                    unreadable += below.unreadable_folders
            plan = self._plan(files.values(), known, config, unreadable)
            return self._apply(self._run(plan, config, lease), started, None)

    def _new_pipeline(self) -> Pipeline:
        self._decided = read_data(self._root, self._settings)
        decisions = read_decisions(self._root, self._plugins, self._settings)
        pipeline = Pipeline(self._plugins, self._settings, decisions)
        if self._interruption is not None:
            pipeline.before_note = self._interruption.check
        return pipeline

    def _renew_decisions(self) -> bool:
        """Read the writer's decisions again; return whether they have changed."""
        if read_data(self._root, self._settings) == self._decided:
            return False
        before, pipeline = self._pipeline, self._new_pipeline()
        if pipeline.decisions == before.decisions:
            return False
        self._pipeline = pipeline
        return True

    def read_closely(
        self,
        *,
        progress: Progress | None = None,
        is_interrupted: Callable[[], bool] = lambda: False,
        step_bytes: int = CLOSE_STEP,
        wait_seconds: float = 0.0,
    ) -> int:
        """Read the sentences of notes by grammar, as far as they are not; return how many notes.

        It goes in steps, each complete in itself and with a lease of its own, so that it can be
        interrupted at any time, by `is_interrupted` between two. Without a parser nothing is done.

        Raises BusyError if another process is writing.
        """
        done = 0
        if self.why_not_closely() is not None:
            return done
        while not is_interrupted():
            with self._lease(wait_seconds=wait_seconds) as lease:
                step, waiting = self._next_close_step(step_bytes)
                if not step:
                    break
                self._read_step(self._run(Plan(), read_config(self._root), lease), step)
            done += len(step)
            if progress is not None:
                progress.update("reading sentences", done, done + waiting)
        return done

    def why_not_closely(self) -> str | None:
        """Return why sentences are not read by grammar; "" if nobody wants it, None if they are."""
        return self._pipeline.pages.why_not()

    def _next_close_step(self, step_bytes: int) -> tuple[Sequence[Row], int]:
        """Return the notes of the next step, and how many wait behind them."""
        with self.database.read() as connection:
            index = VaultRows(connection, self._vault_id)
            if _vault_state(index).unfinished:
                return (), 0
            identity = self._pipeline.detection_identity
            found = notes_to_read_closely(index, identity)
        step = next(
            rows.batches_within(found, [row.size for row in found], NOTES_PER_STEP, step_bytes), ()
        )
        return step, len(found) - len(step)

    def _read_step(self, run: Run, step: Sequence[Row]) -> None:
        with run:
            state = _vault_state(run.index)
            names = self._names_at(run.index, state.revision)
            stages = run.workers(0)
            stages.learn(names)
            jobs = run.detection_jobs(self._root, step, closely=True)
            self._write_mentions(run, stages.detect(jobs), len(step), closely=True)
            revision = self._finish(run, state, None, None, names)
        self._names = revision, names

    def warm_up(self) -> None:
        """Load what the first detection needs, so that it need not wait."""
        from writeros_entities.detection import detect_mentions

        with self.database.read() as connection:
            index = VaultRows(connection, self._vault_id)
            revision = _vault_state(index).revision
            self._names = revision, self._names_at(index, revision)
        detect_mentions(self._plugins, plain_note(""), self._names[1])

    def _known_files(self, paths: Sequence[str] | None = None) -> list[KnownFile]:
        with self.database.read() as connection:
            return read_known_files(VaultRows(connection, self._vault_id), paths)

    def _plan(
        self,
        files: Iterable[VaultFile],
        known: Sequence[KnownFile],
        config: VaultConfig,
        unreadable: Sequence[str],
    ) -> Plan:
        def is_gone(path: str) -> bool:
            if any(path.startswith(folder + "/") or not folder for folder in unreadable):
                return False
            return inspect_path(self._root, config, path) is None

        return make_plan(
            files,
            known,
            fingerprint=self._pipeline.fingerprint_of,
            read=self._pipeline.read,
            is_gone=is_gone,
        )

    def _run(
        self, plan: Plan, config: VaultConfig, lease: Lease, progress: Progress | None = None
    ) -> Run:
        return Run(
            self.database,
            self._vault_id,
            lease,
            self._clock,
            progress or SilentProgress(),
            plan,
            config,
            self._pipeline,
            self._interruption,
        )

    def _apply(
        self,
        run: Run,
        started: float,
        walked: Sequence[tuple[str, Diagnostic]] | None,
        *,
        anew: bool = False,
    ) -> SyncOutcome:
        """Carry out the plan; `walked` are the diagnostics of a walk of the whole vault."""
        plan = run.plan
        with self.database.read() as connection:
            index = VaultRows(connection, self._vault_id)
            state = _vault_state(index)
            names = self._names_at(index, state.revision)
            changed_names = state.lexicon_identity != self._pipeline.lexicon_identity
            stale = stale_notes(index, self._pipeline.detection_identity)
            walk_rows = None if walked is None else vault_rows("walk", walked)
        same_walk = walk_rows is None or walk_rows == rows_of_source(state.diagnostics, "walk")
        is_settled = plan.is_empty and not (state.unfinished or changed_names or stale)
        if is_settled and same_walk and not anew:
            self._keep_timestamps(run)
            return SyncOutcome(state.revision, seconds=time.monotonic() - started)
        run.touched.everything = state.unfinished or changed_names or anew
        self._names = None
        with run:
            run.spare_collector(len(plan.added) + len(plan.changed) + len(plan.moved))
            if anew:
                run.forget()
            self._write_notes(run)
            topics = self._find_topics(run)
            diagnostics, names = self._derive(run, names)
            redetected = self._write_found(run, topics, names)
            revision = self._finish(run, state, walk_rows, diagnostics, names)
        self._names = revision, names
        if len(run.touched.notes) >= MANY_NOTES:
            self.database.settle(anew=anew or state.synced_at is None)
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
        failures = self._plugins.notify("note_synced", outcome=outcome)
        failed = tuple(("", diagnostic) for diagnostic in describe_failures(failures))
        return dataclasses.replace(outcome, diagnostics=(*outcome.diagnostics, *failed))

    def _keep_timestamps(self, run: Run) -> None:
        if run.plan.restamped:
            with self.database.write() as connection:
                writer = run.notes_on(connection)
                for row, file in run.plan.restamped:
                    writer.restamp(row.id, file)

    def _write_notes(self, run: Run) -> None:
        plan = run.plan
        run.relations().evidence.touch_named(move.known.id for move in plan.moved)
        run.relations().evidence.forget(row.id for row in plan.removed)
        for row in plan.removed:
            run.notes().remove(row.id, row.path)
            run.spend(1)
        work: list[tuple[int | None, VaultFile]] = [
            *((move.known.id, move.file) for move in plan.moved),
            *((row.id, file) for row, file in plan.changed),
            *((None, file) for file in plan.added),
        ]
        unread = sum(file.size for _, file in work if file.kind in READ_KINDS)
        done = 0
        for part in self._drafts(run, work, unread):
            read = [note_id for note_id, file, _ in part if note_id and not file.unavailable]
            run.relations().evidence.forget(read)
            for note_id, file, draft in part:
                if note_id is None:
                    run.notes().add(file, draft)
                elif not file.unavailable:
                    run.notes().change(note_id, file, draft)
                run.spend(1)
                done += 1
                run.progress.update("reading notes", done, len(work))
        for row, file in plan.restamped:
            run.notes().restamp(row.id, file)

    def _drafts(
        self, run: Run, work: Sequence[tuple[int | None, VaultFile]], unread: int
    ) -> Iterator[list[tuple[int | None, VaultFile, NoteDraft | None]]]:
        """Yield the files of each batch with their drafts; one that cannot be read has none."""
        contents = run.plan.contents
        cut = list(parts(work, [file.size for _, file in work]))
        batches = ([(file, contents.get(file.path)) for _, file in part] for part in cut)
        run.drafted = [[file.path for _, file in part] for part in cut]
        drafted = run.workers(unread).draft(batches)
        for part, drafts in zip(cut, drafted, strict=True):
            yield [
                (note_id, *run.report_draft(file, draft))
                for (note_id, file), draft in zip(part, drafts, strict=True)
            ]

    def _find_topics(self, run: Run) -> Iterator[list[FoundTopics | None]]:
        """Begin to find the topics of the notes that were read, and of those that an earlier sync
        has left; workers do so while this process derives the names.

        Notes that were left are placed again, since topics may be seen from where their note may.
        """
        run.flush()
        stale = stale_notes(run.index, self._pipeline.detection_identity)
        marked = [row for row in stale if row.detected == rows.TO_DETECT]
        run.touched.visibility |= any(row.id not in run.touched.notes for row in marked)
        workers = run.workers(sum(row.size for row in marked))
        return workers.find_topics(run.stored_notes(self._root, marked))

    def _derive(
        self, run: Run, before: VaultLexicon
    ) -> tuple[list[tuple[str, Diagnostic]] | None, VaultLexicon]:
        from writeros_entities.sync.entities.deriving import Deriver, Knowledge
        from writeros_entities.sync.entities.lexicon import mark_affected, update_entities
        from writeros_entities.sync.links import resolve_links
        from writeros_entities.sync.positions import place_notes

        index = run.index
        diagnostics = place_notes(
            *(index, run.touched, self._settings.reading_orders),
            self._plugins.place_of,
            self._pipeline.decisions,
        )
        if diagnostics is not None and self._pipeline.decisions.has_later_names:
            run.touched.everything = True
        resolve_links(index, run.touched)
        knowledge = Knowledge(self._plugins.known_entities(self._settings.knowledge_bases))
        deriver = Deriver(index, self._naming, knowledge, self._pipeline.decisions)
        if run.touched.everything:
            before = VaultLexicon()
        changed, names = update_entities(index, deriver, run.touched, before)
        if names is not before:
            names = self._naming.save(index, names)
        self._report_unnamed(run, deriver)
        decisions = self._pipeline.decisions
        mark_affected(index, changed, run.touched, decisions)
        run.relations().state_links(changed)
        return diagnostics, names

    def _report_unnamed(self, run: Run, deriver: Deriver) -> None:
        """Report the notes from whose names a plugin failed to derive others.

        A failure for a name without a note is not stored as a diagnostic of the note that uses it.
        """
        from writeros_entities.sync.entities.deriving import NAMING_FAILED

        touched = run.touched
        derived = (
            None if touched.everything else (touched.notes | touched.targets) - touched.written
        )
        found = {note: diagnostics for note, (_, diagnostics) in deriver.failed.items()}
        keep_diagnostics(run.index, NAMING_FAILED, derived, found)
        for path, diagnostics in (*deriver.failed.values(), *deriver.failed_suggestions.items()):
            run.report(path, *diagnostics)

    def _write_found(
        self, run: Run, topics: Iterable[list[FoundTopics | None]], names: VaultLexicon
    ) -> int:
        """Write the topics and mentions of the notes marked; return how many notes these are.

        Workers are told the names before the topics are written, so that they need not wait.
        """
        stale = stale_notes(run.index, self._pipeline.detection_identity)
        if not stale:
            return 0
        workers = run.workers(sum(row.size for row in stale))
        workers.learn(names)
        run.spare_collector(len(stale))
        self._write_topics(run, topics)
        jobs = run.detection_jobs(self._root, stale)
        self._write_mentions(run, workers.detect(jobs), len(stale))
        return len(stale)

    def _write_topics(self, run: Run, topics: Iterable[list[FoundTopics | None]]) -> None:
        from writeros_entities.sync.topics import replace_topics

        for batch in topics:
            found = [item for item in batch if item is not None]
            replace_topics(run.index, run.touched, found)
            for item in found:
                run.report(item.path, *item.diagnostics)
            run.spend(len(batch))

    def _write_mentions(
        self,
        run: Run,
        detected: Iterable[list[Detected | None]],
        total: int,
        *,
        closely: bool = False,
    ) -> None:
        identity = self._pipeline.detection_identity + (CLOSELY if closely else "")
        done = 0
        for batches in rows.batches(detected, BATCHES_WRITTEN):
            batch = [item for one in batches for item in one]
            found = [item for item in batch if item is not None]
            run.mentions().replace(found, identity)
            run.relations().state_prose(found)
            for item in found:
                run.report(item.path, *item.diagnostics)
            run.spend(len(batch))
            done += len(batch)
            if not closely:
                run.progress.update("finding mentions", done, total)

    def _names_at(self, index: VaultRows, revision: int) -> VaultLexicon:
        """Return the names at the index's current revision."""
        if self._names is not None and self._names[0] == revision:
            return self._names[1]
        return self._naming.load(index)

    def _finish(
        self,
        run: Run,
        state: Row,
        walk_rows: list[dict[str, JSON]] | None,
        order: list[tuple[str, Diagnostic]] | None,
        names: VaultLexicon,
    ) -> int:
        from writeros_entities.sync.changes import refresh_changes
        from writeros_entities.sync.entities.counts import refresh_counts
        from writeros_entities.sync.relations.aggregation import aggregate_relations

        index = run.index
        new_text = sum(file.size for file in run.plan.added)
        if len(run.touched.notes) >= MANY_NOTES or new_text >= MUCH_NEW_TEXT:
            engine_of(run.connection).refresh_statistics(run.connection)
        refresh_counts(index, run.touched, names)
        aggregate_relations(index, run.touched)
        refresh_changes(index, run.touched, self._plugins.ontology)
        revision = int(state.revision) + 1
        kept = with_source(state.diagnostics or (), "walk", walk_rows)
        kept = with_source(kept, "order", None if order is None else vault_rows("order", order))
        marks = {
            "unfinished": False,
            "revision": revision,
            "lexicon_identity": self._pipeline.lexicon_identity,
            "diagnostics": kept or None,
            "synced_at": self._clock(),
        }
        index.execute(_MARKED, marks)
        return revision


def _vault_state(index: VaultRows) -> Row:
    return index.execute(_VAULT).one()
