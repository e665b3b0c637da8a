"""Parts of answers that several capabilities share: entities, quotes, and their text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field

Level = Literal["knows", "may know"]

How = Literal["speaks of it", "is told", "hears it", "sees it", "is there", "noted"]
"""How somebody knows of a matter."""

UseKind = Literal[
    "note",
    "file",
    "folder",
    "link",
    "embed",
    "link_text",
    "other_link",
    "alias",
    "property",
    "tag",
    "heading",
    "mention",
    "text",
    "canvas_card",
    "canvas_text",
    "base",
    "code",
    "comment",
]
"""What a name is written as; `text` is prose in which it is not read as this entity."""


class Answer(BaseModel):
    """A part of an answer."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    @classmethod
    def of(cls, value: object) -> Self:
        """Create a part of an answer from any object with the same fields."""
        return cls.model_validate(value, from_attributes=True)


class EntityRef(Answer):
    """An entity as every answer names it: an id that survives renames, and a name to show."""

    id: str = Field(description="Identifies the entity in further calls.")
    name: str
    type: str
    status: str = Field(description="noted, linked, known or suggested.")


class Alternative(Answer):
    """Another entity that words may name, and why."""

    entity: EntityRef
    confidence: float
    reason: str


def or_others(alternatives: Sequence[Alternative], said: str | None) -> str:
    """Return who else may be meant, to stand behind a name or a quote: ` *(or Ann, Bo)*`.

    One whose name is just what is `said` there is told apart by type and id.
    """
    names = ", ".join(
        other.name if other.name != said else f"{other.name} ({other.type}, id {other.id})"
        for other in (one.entity for one in alternatives)
    )
    return f" *(or {names})*" if names else ""


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
    surface: str = Field(description="The span as the file has it, on one line.")
    text: str = Field(description="The sentence around it, as a reader sees it.")
    text_start: int = Field(description="Offset of the span in `text`.")
    text_end: int
    alternatives: list[Alternative] = Field(
        default_factory=list, description="Others that the span may name, nearly as surely."
    )

    def marked(self) -> str:
        """Return the sentence with the span in bold, and who else may be meant."""
        sentence = in_bold(self.text, self.text_start, self.text_end)
        return sentence + or_others(self.alternatives, self.surface)

    def as_text(self) -> str:
        """Return the quote as one Markdown list item."""
        return f"- {self.path}:{self.line} — {self.marked()}"


class Proof(Answer):
    """The stored text that a statement rests on: a span of a note or canvas.

    Offsets are code points into the file, lines count from 1.
    """

    path: str
    heading: str
    position: int | None = Field(description="Place in reading order.")
    line: int
    start: int
    end: int
    quote: str

    def words(self) -> str:
        """Return the quote as a reader sees it: a link, even if cut, is its displayed words."""
        from writeros_entities.vault.plain_links import with_plain_links

        whole = self.quote
        for start, end, rest in (("[[", "]]", ""), ("[", "](", ".)")):
            before, is_ended, _ = whole.partition(end)
            _, is_begun, after = whole.rpartition(start)
            begins_inside = is_ended and start not in before
            ends_inside = is_begun and end[0] not in after
            whole = f"{start if begins_inside else ''}{whole}{end + rest if ends_inside else ''}"
        return " ".join(with_plain_links(whole).split())


def table(headers: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table; numeric columns are right-aligned."""
    cells = list(rows)
    rules = [
        "---:" if all(isinstance(row[column], int | float | None) for row in cells) else "---"
        for column in range(len(headers))
    ]
    lines = [headers, rules, *cells]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 mention`, `1,200 mentions`."""
    if number != 1:
        noun = (
            f"{noun[:-1]}ies"
            if noun.endswith("y")
            else f"{noun}{'es' if noun.endswith('ch') else 's'}"
        )
    return f"{number:,} {noun}"


def part_of(shown: int, total: int, noun: str) -> str:
    """Return how many items are shown, and of how many: `4 of 57 mentions`, `57 mentions`."""
    return f"{shown:,} of {counted(total, noun)}" if shown < total else counted(total, noun)


def in_bold(text: str, start: int, end: int) -> str:
    """Return a text with a span of it in bold, as Markdown has it."""
    return f"{text[:start]}**{text[start:end]}**{text[end:]}"


def omitted(shown: int, total: int, noun: str, how: str = "limit, offset") -> str:
    """Return a paragraph that says how many items are shown, and which parameter shows others."""
    return f"\n\n{part_of(shown, total, noun)} shown ({how})." if shown < total else ""


def empty_page(total: int, noun: str, nothing: str) -> str:
    """Return what an answer without items says: `nothing` if there are none at all.

    Otherwise the page begins beyond the last item.
    """
    if total == 0:
        return nothing
    return f"Nothing on this page: there {'is' if total == 1 else 'are'} {counted(total, noun)}."


def as_block_quote(text: str) -> str:
    """Return text of a note as a Markdown block quote, with links as their displayed words."""
    from writeros_entities.vault.plain_links import with_plain_links

    return "\n".join(f"> {line}".rstrip() for line in with_plain_links(text).splitlines())


def _cell(value: object) -> str:
    return "" if value is None else str(value).replace("|", "\\|").replace("\n", " ")
