"""Something about a note that its writer would want to know, as answers tell it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from writeros_entities.capabilities.answers import Answer

if TYPE_CHECKING:
    from writeros_entities.query.vault.status import Problem
    from writeros_entities.values import Diagnostic


class Trouble(Answer):
    """Something about a note that its writer would want to know."""

    severity: Literal["info", "warning", "error"]
    code: str
    path: str
    line: int | None
    message: str

    def as_text(self) -> str:
        """Return the trouble as one Markdown list item."""
        place = self.path or "vault"
        if self.line is not None:
            place += f":{self.line}"
        return f"- {place} — {self.message} ({self.code})"


def troubles(problems: Sequence[Problem]) -> list[Trouble]:
    """Return problems as answers tell them."""
    return [
        Trouble(
            severity=problem.severity,
            code=problem.code,
            path=problem.path,
            line=problem.line,
            message=problem.message,
        )
        for problem in problems
    ]


def failing_plugins(diagnostics: Sequence[Diagnostic]) -> list[Trouble]:
    """Return what was wrong with plugins over a text that is no note, as answers tell it."""
    return [
        Trouble(severity="warning", code=each.code, path="", line=None, message=each.message)
        for each in diagnostics
    ]
