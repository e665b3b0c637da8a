"""Problems of notes, as answers show them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from writeros_entities.capabilities.answers import Answer

if TYPE_CHECKING:
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


def as_warning(diagnostic: Diagnostic, path: str = "") -> ReportedProblem:
    """Return a diagnostic for an answer: of a note or, without a path, of any other text."""
    return ReportedProblem(
        severity="warning",
        code=diagnostic.code,
        path=path,
        line=diagnostic.line,
        message=diagnostic.message,
    )
