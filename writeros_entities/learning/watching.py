"""Watching a vault: its index follows every change, and its relations are learned beside it."""

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
"""How long nothing must have changed in a watched vault before relations are learned anew."""


@dataclass
class LearningThread(BackgroundThread):
    """Learns beside a watched vault; a missing PyTorch is no trouble.

    A training hears late that it is to stop: it is not waited for, and what it finds is not kept.
    """

    name = "learning"
    lower_priority = 15
    ends_soon = False

    quiet_seconds: float = QUIET_SECONDS

    def is_wanted(self) -> bool:
        """Say whether the settings want it."""
        settings = self.workspace.settings
        return bool(settings.relation_model) and settings.learn_relations

    def work(self) -> Exception | None:
        """Learn what the vault asserts, if that has changed."""
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
    """Keep the index at the state of the vault until interrupted, and learn from its relations."""
    learning = LearningThread(workspace, on_trouble)
    Watcher(workspace, on_outcome, on_trouble, [learning]).run()
