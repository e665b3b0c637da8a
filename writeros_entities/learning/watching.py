"""Watch a vault: update its index on every change, and learn its relations beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

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


def watch(
    workspace: Workspace,
    on_outcome: Callable[[SyncOutcome], None] = lambda outcome: None,
    on_trouble: Callable[[Exception], None] = lambda error: None,
) -> None:
    """Keep the index up to date with the vault until interrupted, and learn its relations."""
    learning = LearningThread(workspace, on_trouble)
    Watcher(workspace, on_outcome, on_trouble, [learning]).run()
