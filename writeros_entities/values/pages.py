"""A page: what a careful reader marks in a note, whoever is in it.

    page.lines[3].label              # "Father", of the line `**Father:** [[Aldo]]`
    page.lines[3].value              # the span of `[[Aldo]]`
    page.lines[5].sentences[0].words # its words, with what each depends on, if a parser read them

A page is made from a note and a language alone; it knows no entities.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from writeros_entities.values.notes import Span

LineKind = Literal["heading", "paragraph", "item", "quote", "cell"]

WordClass = Literal[
    "noun",
    "name",
    "verb",
    "auxiliary",
    "adjective",
    "adverb",
    "pronoun",
    "determiner",
    "number",
    "adposition",
    "conjunction",
    "particle",
    "mark",
    "other",
]
"""What kind of word a word is."""

WordRole = Literal[
    "root",
    "subject",
    "passive subject",
    "object",
    "indirect object",
    "oblique",
    "agent",
    "complement",
    "apposition",
    "possessor",
    "part of name",
    "modifier",
    "determiner",
    "negation",
    "auxiliary",
    "passive auxiliary",
    "copula",
    "conjunct",
    "relative clause",
    "participle",
    "clause",
    "infinitive",
    "adverbial clause",
    "marker",
    "coordinator",
    "other",
]
"""What a word is to the one on which it depends.

An `oblique` has its preposition in `Word.case` ("in Vantry", "brother of Ann"); with an `agent`
that is the doer of a passive. A `complement` says what its subject is ("Ann is *mayor*"); a
`clause` is what is said, thought or asked; an `infinitive` what is wanted, tried or able to be.
"""

WordForm = Literal[
    "", "past", "present", "future", "past participle", "present participle", "infinitive"
]
"""The form of a verb; `future` is one that says in one word that something will or would be."""


class Word(NamedTuple):
    """One word of a sentence, or one name of several words.

    `start` and `end` are offsets in the note; `head` is the index of the word on which it depends,
    its own at the root. `lemma` is the dictionary form in lower case; `case` is the lemma of its
    preposition, or "".
    """

    start: int
    end: int
    lemma: str
    kind: WordClass
    role: WordRole
    head: int
    case: str = ""
    form: WordForm = ""


@dataclass(frozen=True)
class PageSentence:
    """One sentence of a line, or a fragment without a subject ("Works at the Temple").

    `words` is empty where no parser has read it. Before a fragment's words stands one for its
    missing subject, with an empty span: whose it is is decided where mentions meet the page.
    `asks` is set for a question; `speech` if it is between quotation marks.
    """

    start: int
    end: int
    words: tuple[Word, ...] = ()
    is_fragment: bool = False
    asks: bool = False
    is_speech: bool = False

    @cached_property
    def dependents(self) -> Sequence[Sequence[int]]:
        """The indices of the words that depend on each word, in order."""
        found: list[list[int]] = [[] for _ in self.words]
        for index, word in enumerate(self.words):
            if word.head != index:
                found[word.head].append(index)
        return found

    def of(self, index: int, *roles: WordRole) -> Iterator[int]:
        """Yield the dependents of a word in one of some roles."""
        return (one for one in self.dependents[index] if self.words[one].role in roles)


@dataclass(frozen=True)
class Line:
    """A line as a reader sees it: a paragraph, a list item, a heading, a cell of a table.

    `start` and `end` span its text in the note, without markers. `depth` is a heading's level, or a
    list item's indentation. `label` is the text before a colon or dash that says what follows
    ("Father"), `value` the span of what follows; `value` is None if there is no label. `header` is
    the text of the cell at the head of a table's column, `first` the index of the line of the first
    cell in its row.
    """

    kind: LineKind
    start: int
    end: int
    depth: int = 0
    label: str = ""
    value: Span | None = None
    header: str = ""
    first: int = -1
    sentences: tuple[PageSentence, ...] = field(default=())


@dataclass(frozen=True)
class Page:
    """The lines of a note, in order; `language` is the code of the language in which it was read.

    `has_clauses` says whether a parser has read the sentences.
    """

    language: str
    lines: tuple[Line, ...] = ()
    has_clauses: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """What a reader sees of a part of a note, on one line, and where in the file each piece stands.

    A piece has its first index in `text`, its offset in the file, and its length there.
    """

    text: str
    firsts: Sequence[int]
    starts: Sequence[int]
    sizes: Sequence[int]

    def offset(self, index: int) -> int:
        """Return where in the file a character of the text stands."""
        at = bisect_right(self.firsts, index) - 1
        return self.starts[at] + min(index - self.firsts[at], self.sizes[at] - 1)

    def behind(self, index: int) -> int:
        """Return where in the file the character before this one ends."""
        return self.offset(index - 1) + 1

    def index(self, offset: int) -> int:
        """Return how many characters of the text stand before an offset of the file."""
        at = bisect_right(self.starts, offset) - 1
        if at < 0:
            return 0
        return self.firsts[at] + min(offset - self.starts[at], self.sizes[at])
