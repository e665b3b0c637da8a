"""Watching a vault: its index follows every change, and its relations are learned beside it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from writeros_entities.errors import ModelError
from writeros_entities.learning.training import learn_relations
from writeros_entities.sync.watch import Watcher

if TYPE_CHECKING:
    from writeros_entities.values import SyncOutcome
    from writeros_entities.workspace import Workspace

QUIET_SECONDS = 5.0
"""How long nothing must have changed in a watched vault before relations are learned anew."""

LOWER_PRIORITY = 15
"""By how much the thread beside a watched vault steps back, where threads have a priority."""


@dataclass
class LearningThread:
    """Learns beside a watched vault, when nothing has changed for a while.

    `on_trouble` hears of what fails, once for each different trouble; a missing PyTorch is none.
    """

    workspace: Workspace
    on_trouble: Callable[[Exception], None]
    quiet_seconds: float = QUIET_SECONDS
    _work: threading.Event = field(default_factory=threading.Event)
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None
    _told: str | None = None

    def start(self) -> None:
        """Start the thread, if the settings want it."""
        settings = self.workspace.settings
        if settings.relation_model and settings.learn_relations:
            self._thread = threading.Thread(target=self._run, name="learning", daemon=True)
            self._thread.start()

    def wake(self) -> None:
        """Say that the index has changed, or is at rest again."""
        self._work.set()

    def stop(self) -> None:
        """End the thread; what a training under way finds is not kept."""
        self._stop.set()
        self._work.set()

    def _run(self) -> None:
        with suppress(AttributeError, OSError):  # a thread's own priority is a matter of Linux
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LOWER_PRIORITY)
        while True:
            self._work.wait()
            self._work.clear()
            while not self._stop.is_set() and self._work.wait(self.quiet_seconds):
                self._work.clear()
            if self._stop.is_set():
                return
            try:
                learn_relations(self.workspace, is_interrupted=self._stop.is_set)
            except ModelError as error:
                self._tell(error if not error.is_missing else None)
            except Exception as error:
                self._tell(error)

    def _tell(self, trouble: Exception | None) -> None:
        text = str(trouble) if trouble is not None else None
        if trouble is not None and text != self._told:
            self.on_trouble(trouble)
        self._told = text


def watch(
    workspace: Workspace,
    on_outcome: Callable[[SyncOutcome], None] = lambda outcome: None,
    on_trouble: Callable[[Exception], None] = lambda error: None,
) -> None:
    """Keep the index at the state of the vault until interrupted, and learn from its relations."""
    learning = LearningThread(workspace, on_trouble)
    Watcher(workspace, on_outcome, on_trouble, [learning]).run()
