"""Notes and their parts with their locations, and the outcome of a sync."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

JSON: TypeAlias = "bool | int | float | str | list[JSON] | dict[str, JSON] | None"
"""A value as JSON has it, and as YAML is read."""

HIDDEN = "\0"
"""Replaces characters in `Note.prose` that are not prose; a name never spans it."""

MARK = "\x01"
"""Replaces formatting marks inside prose in `Note.prose`; a name may span it."""

UNSEEN = "\x02"
"""Replaces characters of comments and commands in a chunk's text, which only the author sees."""

LARGEST_POSITION = 2**31 - 1
"""The greatest reading position."""

ALWAYS = -LARGEST_POSITION - 1
"""The reading position of what is visible before the first page."""

HEADING_SEPARATOR = " › "
"""Separates the headings in a chunk's heading path."""


def note_name(path: str) -> str:
    """Return the name of a note at a path, without folders and extension."""
    return path.rpartition("/")[2].removesuffix(".md")


def latest(*positions: int | None) -> int | None:
    """Return the last of reading positions; None means never, and is after all."""
    known = [position for position in positions if position is not None]
    return max(known) if len(known) == len(positions) else None


LinkKind = Literal["wikilink", "embed", "markdown", "frontmatter", "canvas"]

BY_DECISION = "decision"
"""The method of a mention by a phrase of which the writer has decided whom it means."""

NAME_ALONE = "name"
"""The link kind of a name in a property that is not written as a link."""

FileKind = Literal["note", "template", "excluded", "conflict", "canvas", "attachment"]

ThreadKind = Literal["to-do", "question", "placeholder", "comment"]
"""What an open thread is; a `comment` is a to-do in one, which only the author sees."""

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
    """A problem of a note or a folder that its writer would want to know about.

    `code` is stable and machine-readable (`broken-frontmatter`); `line` counts from 1.
    """

    code: str
    message: str
    line: int | None = None

    def as_json(self) -> dict[str, JSON]:
        """Return the diagnostic as the index stores it."""
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
    """A link as written; an empty `target` means the same note.

    `target` is the path part only. `start`/`end` span `raw` in the file; `text_start`/`text_end`
    span the part that a reader sees (empty for an embed or a link in frontmatter). `field` is the
    frontmatter key path (`related.0`) or the Dataview key of the link. `heading` is the hierarchy
    as written (`A#B`).
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
    """A tag without its `#`, as written; `start` and `end` are 0 in frontmatter."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Property:
    """A property of the frontmatter: its key, and the span from the key to the end of its value."""

    key: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PropertyText:
    """A text in the frontmatter: its key path (`allies.0`), its value, and its span."""

    path: str
    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class InlineField:
    """A Dataview field: its canonical key (lower case, dashes), and its value with the span."""

    key: str
    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class BlockId:
    """A block identifier (`^id`, without the caret) and the span of its block."""

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


@dataclass(frozen=True, slots=True)
class WrittenThread:
    """An open thread that the writer noted herself: what is yet to do, to answer or to fill in.

    `text` is what there is to do as a reader of the note sees it; the span is what is no story.
    """

    kind: ThreadKind
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Note:
    """One `.md` file, parsed.

    `text` is the decoded file, with encoded data (pictures in the text) covered by `UNSEEN`.
    `prose` has the same length, with everything else than prose blanked out: code, comments,
    queries, template commands, link targets and frontmatter by `HIDDEN`, formatting marks inside
    prose by `MARK`. Detectors read `prose`, so their offsets are those of the file. `comments` are
    what only the author sees: comments, commands to plugins (queries, buttons, templates), and
    properties that say nothing of the subject (`tags`, `aliases`, those without a value).
    `threads` are the open threads that the writer noted; in notes that tell the story, they are
    covered as well.
    """

    path: str
    title: str
    text: str
    prose: str
    content_hash: str
    frontmatter: Mapping[str, JSON]
    properties: tuple[Property, ...] = ()
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
    threads: tuple[WrittenThread, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def has_covered_threads(self) -> bool:
        """Whether what is yet to do is covered in the text."""
        return any(self.text.startswith(UNSEEN, one.start) for one in self.threads)

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
        """The file's name without folders and extension, as in a wikilink."""
        return note_name(self.path)

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders above the note, outermost first."""
        return tuple(self.path.split("/")[:-1])


@dataclass(frozen=True, slots=True)
class ChunkSpan:
    """A chunk's span in its note, its number of tokens, and the headings above it."""

    start: int
    end: int
    tokens: int
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OrderClaim:
    """What a note says about the reading order.

    `key` is the note's own place (`(7,)` for chapter 7, `(2, 1)` for part 2, chapter 1). `sequence`
    is what an index note (Longform) says of others: their names in order, relative to `folder`.
    `book` sorts before the key or the sequence, whose numbers start again in each book: the numbers
    of the note's folders. `within` refers to the note of the chapter, by name, path or link, if the
    key is only the place in it; `chapter` is the place of the chapter, if the key is a scene's in
    it and begins with that. `source` names what made the claim, for diagnostics.

    `day` is when it was played, (year, month, day), and `thread` the letters before its number
    (`S04`). A key that `is_bare` is a number that may not be one (`7 Kingdoms`). `previous` and
    `next` are links to the notes read before and after it; `listed` are all links of an index note.
    A note that `is_told` is in the manuscript whatever orders it, behind all that has a place.

    `work` is the title of what the sequence is a draft of, and `draft` that draft's number: of
    several drafts of a work, only the last is read as the manuscript.
    """

    source: str
    key: tuple[int, ...] = ()
    sequence: tuple[str, ...] = ()
    folder: str = ""
    book: tuple[int, ...] = ()
    within: str = ""
    chapter: tuple[int, ...] = ()
    day: tuple[int, ...] = ()
    thread: str = ""
    is_bare: bool = False
    previous: str = ""
    next: str = ""
    listed: tuple[str, ...] = ()
    is_told: bool = False
    work: str = ""
    draft: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SyncOutcome:
    """What a sync did to the index; `revision` is the index's revision after it."""

    revision: int
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    moved: tuple[tuple[str, str], ...] = ()
    removed: tuple[str, ...] = ()
    redetected: int = 0
    diagnostics: Sequence[tuple[str, Diagnostic]] = ()
    seconds: float = 0.0
