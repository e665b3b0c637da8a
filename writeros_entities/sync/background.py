"""Background threads beside a watched vault: they work at low priority while nothing changes."""

from __future__ import annotations

import os
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from writeros_entities.errors import BusyError
from writeros_entities.sync.synchronizer import Synchronizer

if TYPE_CHECKING:
    from writeros_entities.workspace import Workspace


STOP_SECONDS = 2.0
"""How long to wait for a thread that stops: one of low priority may get no time to do so."""


@dataclass
class BackgroundThread(ABC):
    """A thread that works once it was woken and then left alone for `quiet_seconds`.

    `on_trouble` is called with each failure; the same failure in a row is reported once.
    """

    name: ClassVar[str]
    lower_priority: ClassVar[int]
    """Niceness of the thread (Linux only)."""

    ends_soon: ClassVar[bool] = True
    """Whether `work` checks `is_stopped` often, so that `stop` can wait for the thread."""

    workspace: Workspace
    on_trouble: Callable[[Exception], None]
    quiet_seconds: float
    _work: threading.Event = field(default_factory=threading.Event, init=False)
    _stop: threading.Event = field(default_factory=threading.Event, init=False)
    _thread: threading.Thread | None = field(default=None, init=False)
    _reported: str | None = field(default=None, init=False)

    @abstractmethod
    def is_wanted(self) -> bool:
        """Return whether there can be work for the thread at all."""

    @abstractmethod
    def work(self) -> Exception | None:
        """Do the waiting work; return what went wrong, if anything, or raise it."""

    @property
    def is_stopped(self) -> bool:
        """Whether the thread has been told to stop."""
        return self._stop.is_set()

    def start(self) -> None:
        """Start the thread, if it is wanted."""
        if self.is_wanted():
            self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
            self._thread.start()

    def wake(self) -> None:
        """Notify the thread that the index has changed, or may be idle again."""
        self._work.set()

    def stop(self) -> None:
        """Stop the thread after its current work; wait for it shortly if `ends_soon`."""
        self._stop.set()
        self._work.set()
        if self._thread is not None and self.ends_soon:
            self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        if sys.platform == "linux":  # elsewhere, a thread's id would be taken for a process's
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), self.lower_priority)
        while True:
            self._work.wait()
            self._work.clear()
            while not self.is_stopped and self._work.wait(self.quiet_seconds):
                self._work.clear()
            if self.is_stopped:
                return
            try:
                self._report(self.work())
            except Exception as error:
                self._report(error)

    def _report(self, trouble: Exception | None) -> None:
        text = str(trouble) if trouble is not None else None
        if trouble is not None and text != self._reported:
            self.on_trouble(trouble)
        self._reported = text


STEP_BYTES = 10_000
"""The most bytes of notes in a step, which may compete with the sync of a change."""

QUIET_SECONDS = 2.0
"""How long to wait after a change: another save is likely to follow."""


@dataclass
class CloseReadingThread(BackgroundThread):
    """Reads sentences beside a watched vault, pausing whenever something changes."""

    name = "close reading"
    lower_priority = 10

    quiet_seconds: float = QUIET_SECONDS
    is_busy: Callable[[], bool] = field(kw_only=True)

    def is_wanted(self) -> bool:
        """Return whether the settings want it; whether there is a parser shows at work."""
        return self.workspace.settings.close_reading

    def work(self) -> Exception | None:
        """Read until nothing waits or something changes."""
        try:
            Synchronizer(self.workspace).read_closely(
                is_interrupted=lambda: self.is_stopped or self.is_busy(),
                step_bytes=STEP_BYTES,
                progress=self.workspace.progress,
            )
        except BusyError:
            self.wake()  # the watch itself may be writing: read on after it
        return None
