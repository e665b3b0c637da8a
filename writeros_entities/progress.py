"""The interface by which slow capabilities report progress.

    for done, note in enumerate(notes):
        progress.update("reading notes", done, len(notes))

A terminal draws a bar, an MCP client gets notifications, other programs get nothing by default.
Reporting is cheap enough for every note; listeners throttle it.
"""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """A listener to the progress of a slow capability."""

    def update(self, stage: str, done: int, total: int | None) -> None:
        """Receive that `done` of `total` steps (None: unknown) of a stage are finished."""
        ...


class SilentProgress:
    """A listener that ignores everything."""

    def update(self, stage: str, done: int, total: int | None) -> None:
        """Do nothing."""
