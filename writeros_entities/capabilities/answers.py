"""What answers of several capabilities share: entities, quotes, and their text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import BaseModel, ConfigDict, Field


class Answer(BaseModel):
    """A part of an answer."""

    model_config = ConfigDict(frozen=True)


class EntityRef(Answer):
    """An entity, as every answer names it: by an id that survives renames, and a name to show."""

    id: str = Field(description="Identifies the entity in further calls.")
    name: str
    type: str
    status: str = Field(description="noted, linked, known or suggested.")


class Quote(Answer):
    """A span of a note with the text around it: the proof of a statement.

    Offsets are code points into the file as stored, lines and columns count from 1.
    """

    path: str
    heading: str
    position: int | None = Field(description="Reading position of the note.")
    line: int
    column: int
    start: int
    end: int
    surface: str = Field(description="The span itself.")
    text: str = Field(description="The passage around it.")

    def as_text(self) -> str:
        """Return the quote as one Markdown list item."""
        place = f"{self.path}:{self.line}"
        marked = self.text.replace(self.surface, f"**{self.surface}**", 1)
        return f"- {place} — {marked}"


class Alternative(Answer):
    """Another entity that a span may name, and what speaks for it."""

    entity: EntityRef
    confidence: float
    reason: str


def table(headers: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a Markdown table."""
    lines: list[Iterable[object]] = [headers, ["---"] * len(headers), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def omitted(shown: int, total: int, what: str) -> str:
    """Return the line that says how many of a list are not shown, or nothing."""
    return f"\n{total - shown} more {what} not shown (limit, offset)." if total > shown else ""


def _cell(value: object) -> str:
    return "" if value is None else str(value).replace("|", "\\|").replace("\n", " ")
