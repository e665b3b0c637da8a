"""Read the sentences of changed notes beside a watched vault, when nothing else happens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from writeros_entities.errors import BusyError
from writeros_entities.sync.background import BackgroundThread
from writeros_entities.sync.synchronizer import Synchronizer

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
                is_interrupted=lambda: self.is_stopped or self.is_busy(), step_bytes=STEP_BYTES
            )
        except BusyError:
            self.wake()  # the watch itself may be writing: read on after it
        return None
