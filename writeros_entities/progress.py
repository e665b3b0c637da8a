"""How a slow capability says how far it has come.

    for done, note in enumerate(notes):
        progress.update("reading notes", done, len(notes))

A terminal draws a bar, an MCP client gets notifications, a program that asks for neither hears
nothing. Reporting is cheap enough to do for every note; whoever listens thins it out.
"""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Someone who wants to know how far a slow capability has come."""

    def update(self, stage: str, done: int, total: int | None) -> None:
        """Learn that `done` of `total` (None: nobody knows) steps of a stage are behind us."""
        ...


class SilentProgress:
    """Hears everything and says nothing."""

    def update(self, stage: str, done: int, total: int | None) -> None:
        """Do nothing."""
