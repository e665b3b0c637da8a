"""Watch a vault: a moment after a change on disk, it is in the index.

Events are hints. They only name the paths to look at; what is there is read from the disk, with the
same plan as any sync. A full scan runs at the start, after a burst too large to follow, and at
regular intervals.
"""

from __future__ import annotations

import os
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.polling import PollingObserver

from writeros_entities.errors import BusyError, LimitError, StoreError, VaultError
from writeros_entities.store.interruption import InterruptedCallError, Interruption
from writeros_entities.store.migrations import BEFORE, MADE_ANEW
from writeros_entities.sync.background import BackgroundThread, CloseReadingThread
from writeros_entities.sync.embeddings import EmbeddingThread
from writeros_entities.sync.synchronizer import Synchronizer
from writeros_entities.vault.files.disk import shown_name

if TYPE_CHECKING:
    from pathlib import Path

    from watchdog.observers.api import BaseObserver

    from writeros_entities.values import SyncOutcome
    from writeros_entities.workspace import Workspace

MANY_PATHS = 2_000
"""With more paths than this at once, a full scan is faster."""

LONGEST_SETTLE = 10
"""A vault that keeps changing is synced after this many times the settling time."""

RETRY_SECONDS = 1.0
"""Delay before another attempt if the vault or index could not be read or written."""

POLL_SECONDS = 1.0

LOOK_SECONDS = 1.0
"""How often to check that the folder and the index have not been replaced by others."""

_WATCHED_TWICE = r"Callback with id .* already exists for watch"
"""A harmless warning of watchdog, when a folder is created inside one that was just created."""

_EVENTS: list[type[FileSystemEvent]] = [
    FileCreatedEvent,
    FileClosedEvent,
    FileMovedEvent,
    FileDeletedEvent,
    DirCreatedEvent,
    DirMovedEvent,
    DirDeletedEvent,
]


@dataclass
class ChangedPaths:
    """Paths named by events that no sync has handled yet."""

    _paths: set[str] = field(default_factory=set)
    _first: float = 0.0
    _last: float = 0.0
    _arrived: threading.Condition = field(default_factory=threading.Condition)

    def add(self, path: str) -> None:
        """Add a path; must be fast, since it blocks the thread that delivers events."""
        with self._arrived:
            self._last = time.monotonic()
            if not self._paths:
                self._first = self._last
            self._paths.add(path)
            self._arrived.notify_all()

    def are_waiting(self) -> bool:
        """Return whether there are any."""
        return bool(self._paths)

    def wake(self) -> None:
        """Wake the thread that waits in `take`, so that it checks its stop event."""
        with self._arrived:
            self._arrived.notify_all()

    def take(self, settle: float, timeout: float, stop: threading.Event) -> set[str]:
        """Wait until no path has been added for `settle` seconds; remove and return all.

        Returns an empty set if none come within `timeout` seconds. If `stop` is set, returns at
        once.
        """
        deadline = time.monotonic() + timeout
        with self._arrived:
            while not self._paths and not stop.is_set():
                left = deadline - time.monotonic()
                if left <= 0:
                    return set()
                self._arrived.wait(left)
            while not stop.is_set():
                now = time.monotonic()
                quiet = self._last + settle - now
                longest = self._first + settle * LONGEST_SETTLE - now
                if min(quiet, longest) <= 0:
                    break
                self._arrived.wait(min(quiet, longest))
            taken, self._paths = self._paths, set()
            return taken


class _Handler(FileSystemEventHandler):
    """Adds the paths of events, relative to the vault, to the changed paths; skips hidden ones."""

    def __init__(self, root: str, changed: ChangedPaths) -> None:
        self._root = root
        self._changed = changed

    def on_any_event(self, event: FileSystemEvent) -> None:
        for path in (event.src_path, event.dest_path):
            if path:
                self._add(os.fsdecode(path))

    def _add(self, path: str) -> None:
        relative = os.path.relpath(path, self._root).replace(os.sep, "/")
        if relative.startswith("..") or relative == ".":
            return
        if any(part.startswith(".") for part in relative.split("/")):
            return
        self._changed.add("/".join(shown_name(os.fsencode(part)) for part in relative.split("/")))


@dataclass
class Watcher:
    """Keeps an index up to date with its vault until stopped.

    `on_outcome` is called after each sync that changed something, `on_revision` after each that
    found the index changed, by itself or another process; `on_trouble` with each error, once
    however often the sync is retried. Embedding and each of the `companions` run in their own
    thread.
    """

    workspace: Workspace
    on_outcome: Callable[[SyncOutcome], None] = lambda outcome: None
    on_trouble: Callable[[Exception], None] = lambda error: None
    on_revision: Callable[[], None] = lambda: None
    companions: Sequence[BackgroundThread] = ()
    _stop: threading.Event = field(default_factory=threading.Event)
    _interruption: Interruption = field(default_factory=Interruption)
    _changed: ChangedPaths = field(default_factory=ChangedPaths)
    _is_syncing: bool = False
    _reported: str | None = None
    _revision: int | None = None
    _index: object = None
    _observer: BaseObserver | None = None
    _observed: tuple[int, int] | None = None

    def run(self) -> None:
        """Watch until `stop` is called from another thread.

        Raises VaultError if the vault cannot be read at the start.
        """
        with suppress(InterruptedCallError):
            self._run()

    def _run(self) -> None:
        settings = self.workspace.settings
        synchronizer = self._open_index()
        embedding = EmbeddingThread(self.workspace, self.on_trouble, is_busy=self._is_busy)
        reading = CloseReadingThread(self.workspace, self.on_trouble, is_busy=self._is_busy)
        companions = (reading, embedding, *self.companions)
        try:
            self._observe()
            self._report(synchronizer.sync(progress=self.workspace.progress, wait_seconds=60.0))
            synchronizer.warm_up()
            for one in companions:
                one.start()
            next_scan = time.monotonic() + settings.rescan_seconds
            while not self._stop.is_set():
                for one in companions:
                    one.wake()
                paths = self._wait_for_paths(synchronizer, next_scan)
                if self._stop.is_set():
                    break
                if self._is_replaced(synchronizer):
                    synchronizer, paths = self._renew(synchronizer), set()
                    if self._is_replaced(synchronizer):
                        continue
                scan = not paths or len(paths) > MANY_PATHS
                if self._try(synchronizer, None if scan else paths):
                    if scan:
                        next_scan = time.monotonic() + settings.rescan_seconds
                else:
                    next_scan = time.monotonic() + RETRY_SECONDS
        finally:
            self._end_observer()
            for one in companions:
                one.stop()

    def stop(self) -> None:
        """End `run` after the note in hand."""
        self._stop.set()
        self._changed.wake()
        self._interruption.set()

    def _is_busy(self) -> bool:
        return self._is_syncing or self._changed.are_waiting()

    def _try(self, synchronizer: Synchronizer, paths: set[str] | None) -> bool:
        self._is_syncing = True
        try:
            if self._observe() or paths is None:
                outcome = synchronizer.sync(wait_seconds=10.0)
            else:
                outcome = synchronizer.sync_paths(sorted(paths), wait_seconds=10.0)
        except (BusyError, LimitError, StoreError, VaultError, OSError) as error:
            self._report_trouble(error)
            return False
        finally:
            self._is_syncing = False
        self._reported = None
        self._report(outcome)
        return True

    def _open_index(self) -> Synchronizer:
        if self.workspace.migrate() == BEFORE:
            self._report_trouble(StoreError(MADE_ANEW))
        synchronizer = Synchronizer(self.workspace, interruption=self._interruption)
        self._index = synchronizer.database.identity
        return synchronizer

    def _is_replaced(self, synchronizer: Synchronizer) -> bool:
        """Return whether the index was replaced, for example because its file was deleted."""
        return synchronizer.database.identity != self._index

    def _renew(self, synchronizer: Synchronizer) -> Synchronizer:
        """Return a synchronizer for the index that is there now, or the old one if that fails."""
        label = synchronizer.database.label
        try:
            synchronizer = self._open_index()
        except (BusyError, StoreError) as error:
            self._report_trouble(error)
        else:
            self._report_trouble(
                StoreError(f"The index {label} was deleted or replaced. It is being rebuilt.")
            )
        return synchronizer

    def _report_trouble(self, trouble: Exception) -> None:
        if str(trouble) != self._reported:
            self._reported = str(trouble)
            self.on_trouble(trouble)

    def _report(self, outcome: SyncOutcome) -> None:
        if outcome.revision != self._revision:
            self._revision = outcome.revision
            self.on_revision()
        if outcome.added or outcome.changed or outcome.moved or outcome.removed:
            self.on_outcome(outcome)

    def _wait_for_paths(self, synchronizer: Synchronizer, next_scan: float) -> set[str]:
        """Return the changed paths; an empty set if it is time for a full scan."""
        settle = self.workspace.settings.settle_seconds
        while not self._stop.is_set():
            left = max(0.0, next_scan - time.monotonic())
            paths = self._changed.take(settle, min(left, LOOK_SECONDS), self._stop)
            is_over = left <= LOOK_SECONDS or self._is_replaced(synchronizer)
            if paths or is_over or not self._is_observed():
                return paths
        return set()

    def _observe(self) -> bool:
        """Observe the vault's folder, unless it is observed already; return whether it was not.

        After a drive is reconnected, or a folder restored from a backup, the path is the same, but
        the observer of the old folder receives no more events.
        """
        if self._observer is not None and self._is_observed():
            return False
        self._end_observer()
        self._observed = _identity(self.workspace.root)
        if self._observed is not None:
            self._observer = self._start_observer()
        return True

    def _is_observed(self) -> bool:
        """Return whether the folder is the one being observed, or is still missing.

        A new folder can have the inode of the old one; the observer has then ended by itself.
        """
        if _identity(self.workspace.root) != self._observed:
            return False
        return self._observer is None or all(each.is_alive() for each in self._observer.emitters)

    def _end_observer(self) -> None:
        if self._observer is not None:
            self._observer.stop()
            self._observer.join()
            self._observer = None

    def _start_observer(self) -> BaseObserver:
        root = str(self.workspace.root)
        handler = _Handler(root, self._changed)
        if self.workspace.settings.watch_method != "polling":
            warnings.filterwarnings("ignore", _WATCHED_TWICE, RuntimeWarning)
            observer: Any = Observer()
            try:
                observer.schedule(handler, root, recursive=True, event_filter=_EVENTS)
                observer.start()
            except OSError:
                if self.workspace.settings.watch_method == "events":
                    raise
            else:
                return observer  # type: ignore[no-any-return]  # the platform's observer
        polling = PollingObserver(timeout=POLL_SECONDS)
        polling.schedule(handler, root, recursive=True, event_filter=[*_EVENTS, FileModifiedEvent])
        polling.start()
        return polling


def _identity(root: Path) -> tuple[int, int] | None:
    """Return device and inode of a folder, or None if there is none."""
    try:
        found = root.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
