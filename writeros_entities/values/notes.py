"""What a vault's files say: notes and their parts, where each stands, and what a sync has done."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

JSON: TypeAlias = "bool | int | float | str | list[JSON] | dict[str, JSON] | None"

HIDDEN = "\0"
"""Stands in `Note.prose` for a character that is not prose; a name never spans it."""

MARK = "\x01"
"""Stands in `Note.prose` for a formatting mark inside prose; a name may span it."""

UNSEEN = "\x02"
"""Stands in a chunk's text for a character of a comment, which only the author sees."""

LARGEST_POSITION = 2**31 - 1
"""No reading position is larger."""

ALWAYS = -LARGEST_POSITION - 1
"""The reading position of what is visible from before the first page."""

HEADING_SEPARATOR = " › "
"""Stands between the headings of a chunk's heading path."""

LinkKind = Literal["wikilink", "embed", "markdown", "frontmatter", "canvas"]

NAME_ALONE = "name"
"""Kept as a link of this kind: what a property may name without one."""

FileKind = Literal["note", "template", "excluded", "conflict", "canvas", "attachment"]

BlockKind = Literal[
    "frontmatter",
    "heading",
    "paragraph",
    "list",
    "quote",
    "callout",
    "table",
    "code",
    "math",
    "html",
    "comment",
    "rule",
]


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of code points."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something about a note or a folder that its writer would want to know.

    `code` is stable and machine-readable (`broken-frontmatter`); `line` counts from 1.
    """

    code: str
    message: str
    line: int | None = None

    def as_json(self) -> dict[str, JSON]:
        """Return the diagnostic as the index keeps it."""
        return {"code": self.code, "message": self.message, "line": self.line}


@dataclass(frozen=True, slots=True)
class Heading:
    """An ATX or setext heading: its level (1-6), its plain text, and the span of its lines."""

    level: int
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Block:
    """A block of the note's body, in order; blocks never overlap and `start` is a line start."""

    kind: BlockKind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Link:
    """A link as written. `target` is the path part alone; an empty one means this same note.

    `start`/`end` span `raw` in the file; `text_start`/`text_end` span what a reader sees of it
    (equal where a reader sees nothing: an embed, a link in frontmatter). `field` is the
    frontmatter key path (`related.0`) or the Dataview key that the link stands under. `heading`
    keeps the hierarchy as written (`A#B`).
    """

    kind: LinkKind
    raw: str
    target: str
    start: int
    end: int
    heading: str | None = None
    block: str | None = None
    display: str | None = None
    text_start: int = 0
    text_end: int = 0
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag without its `#`, spelled as written; `start`/`end` are 0 for one in frontmatter."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PropertyText:
    """A text in the frontmatter: its key path (`allies.0`), its value, and where that stands."""

    path: str
    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class InlineField:
    """A Dataview field: canonical key (lower case, dashes), and its value's text and span."""

    key: str
    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class BlockId:
    """A block identifier (`^id`, without the caret) and the span of the block it names."""

    id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Callout:
    """A callout: lower-case type, title as written, fold mark, and the span of the whole quote."""

    type: str
    title: str
    fold: Literal["", "+", "-"]
    start: int
    end: int


@dataclass(frozen=True)
class Note:
    """One `.md` file, parsed.

    `text` is the decoded file, `prose` a string of the same length in which all that is not
    prose is blanked: code, comments, queries, template commands, link targets, frontmatter by
    `HIDDEN`; formatting marks inside prose by `MARK`. A detector reads `prose`, so that its
    offsets are the file's.
    """

    path: str
    title: str
    text: str
    prose: str
    content_hash: str
    frontmatter: Mapping[str, JSON]
    property_texts: tuple[PropertyText, ...] = ()
    aliases: tuple[str, ...] = ()
    body_start: int = 0
    headings: tuple[Heading, ...] = ()
    blocks: tuple[Block, ...] = ()
    links: tuple[Link, ...] = ()
    tags: tuple[Tag, ...] = ()
    fields: tuple[InlineField, ...] = ()
    block_ids: tuple[BlockId, ...] = ()
    callouts: tuple[Callout, ...] = ()
    comments: tuple[Span, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """The offset at which each line begins."""
        starts = [0]
        position = self.text.find("\n")
        while position != -1:
            starts.append(position + 1)
            position = self.text.find("\n", position + 1)
        return tuple(starts)

    def locate(self, offset: int) -> tuple[int, int]:
        """Return the line and column, both counted from 1, of an offset."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    @property
    def name(self) -> str:
        """The file's name without folders and extension: what a wikilink calls it."""
        return self.path.rpartition("/")[2].removesuffix(".md")

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders above the note, outermost first."""
        return tuple(self.path.split("/")[:-1])


@dataclass(frozen=True, slots=True)
class ChunkSpan:
    """Where a chunk lies in its note, how many tokens it holds, and the headings above it."""

    start: int
    end: int
    tokens: int
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OrderClaim:
    """What a note says of reading order.

    `key` is the note's own place (`(7,)` for chapter 7, `(2, 1)` for part 2, chapter 1).
    `sequence` is what an index note (Longform) says of others: their names in order, looked up
    below `folder`. `book` is what counts before the key, or the sequence, where the numbers begin
    anew: those of the folders that the note lies in. `source` names what made the claim, for
    diagnostics.
    """

    source: str
    key: tuple[int, ...] = ()
    sequence: tuple[str, ...] = ()
    folder: str = ""
    book: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SyncOutcome:
    """What one sync did to the index; `revision` is the index's own, after it."""

    revision: int
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    moved: tuple[tuple[str, str], ...] = ()
    removed: tuple[str, ...] = ()
    redetected: int = 0
    diagnostics: Sequence[tuple[str, Diagnostic]] = ()
    seconds: float = 0.0
