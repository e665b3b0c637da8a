"""Problems of notes, as answers show them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from writeros_entities.capabilities.answers import Answer

if TYPE_CHECKING:
    from writeros_entities.query.vault.status import Problem
    from writeros_entities.values import Diagnostic


class ReportedProblem(Answer):
    """A problem of a note that its writer should know of."""

    severity: Literal["info", "warning", "error"]
    code: str
    path: str
    line: int | None
    message: str

    def as_text(self) -> str:
        """Return the problem as one Markdown list item."""
        place = self.path or "vault"
        if self.line is not None:
            place += f":{self.line}"
        return f"- {place} — {self.message} ({self.code})"


def to_reported_problems(problems: Sequence[Problem]) -> list[ReportedProblem]:
    """Return problems for an answer."""
    return [
        ReportedProblem(
            severity=problem.severity,
            code=problem.code,
            path=problem.path,
            line=problem.line,
            message=problem.message,
        )
        for problem in problems
    ]


def failing_plugins(diagnostics: Sequence[Diagnostic]) -> list[ReportedProblem]:
    """Return the failures of plugins on a text that is not a note, for an answer."""
    return [
        ReportedProblem(
            severity="warning", code=each.code, path="", line=None, message=each.message
        )
        for each in diagnostics
    ]
