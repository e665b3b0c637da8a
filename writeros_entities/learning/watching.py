"""Watch a vault: update its index on every change, and learn its relations beside it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from writeros_entities.errors import ModelError
from writeros_entities.learning.training import learn_relations
from writeros_entities.sync.background import BackgroundThread
from writeros_entities.sync.watch import Watcher

if TYPE_CHECKING:
    from writeros_entities.values import SyncOutcome
    from writeros_entities.workspace import Workspace

QUIET_SECONDS = 5.0
"""How long a watched vault must be unchanged before its relations are learned again."""


@dataclass
class LearningThread(BackgroundThread):
    """Trains beside a watched vault; a missing PyTorch is not reported as an error.

    A training notices late that it should stop: it is not waited for, and its result is discarded.
    """

    name = "learning"
    lower_priority = 15
    ends_soon = False

    quiet_seconds: float = QUIET_SECONDS

    def is_wanted(self) -> bool:
        """Say whether the settings enable it."""
        settings = self.workspace.settings
        return bool(settings.relation_model) and settings.learn_relations

    def work(self) -> Exception | None:
        """Train on the vault's assertions, if they have changed; return the error, if any."""
        try:
            learn_relations(self.workspace, is_interrupted=lambda: self.is_stopped)
        except ModelError as error:
            return None if error.is_missing else error
        return None


class VaultWatch:
    """Keeps the index up to date with the vault, in a thread, and learns its relations."""

    def __init__(
        self,
        workspace: Workspace,
        on_outcome: Callable[[SyncOutcome], None] = lambda outcome: None,
        on_trouble: Callable[[Exception], None] = lambda error: None,
        on_revision: Callable[[], None] = lambda: None,
    ) -> None:
        learning = LearningThread(workspace, on_trouble)
        self._watcher = Watcher(workspace, on_outcome, on_trouble, on_revision, [learning])
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)

    def start(self) -> Self:
        """Begin to watch."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """Stop after the note in hand."""
        self._watcher.stop()

    def wait(self, seconds: float | None = None) -> None:
        """Wait for the end; raise VaultError or BusyError if the watch could not begin."""
        self._thread.join(seconds)
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        try:
            self._watcher.run()
        except BaseException as error:
            self._error = error
