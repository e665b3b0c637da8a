"""What the layout of a page states, and whom its lines are about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from writeros_entities import (
    HIDDEN,
    MARK,
    DecidedMention,
    InferredRelation,
    Lexicon,
    Line,
    Note,
    Ontology,
    Page,
    Words,
)

from ..english import COMMON_WORDS
from .sentences import SentenceReader
from .sides import Context, Mentions, Side, Sides

LABELLED = 0.85
LISTED = 0.8
BESIDE = 0.75
"""The confidence in a label's value, in an item under a heading, in the word beside a name."""

SPOKEN = 0.8
"""The factor on the confidence in what direct speech states."""

_PLURAL = re.compile(r"(?:/e?s|\(e?s\))\Z", re.IGNORECASE)
_APART = re.compile(r"[,;/&+]")
_SIGN = re.compile(r"\s*(?:::?|[–—]|-{1,2}|=|,|\()\s*")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_ROLE_BESIDE = re.compile(
    r"\s*(?:\(|[–—:-]|,)\s*(?P<role>[^\W\d_][\w'’-]*(?: [\w'’-]+){0,4})\s*(?:[),;.]|\Z)"
)
_UNTYPED = "unknown"
_GUESSED = frozenset({"linked", "suggested"})


def with_known_types(
    mentions: Sequence[DecidedMention], lexicon: Lexicon
) -> Sequence[DecidedMention]:
    """Return mentions whose types are those that the writer gave; a guessed type says nothing."""
    return [
        replace(one, type=_UNTYPED)
        if (entity := lexicon.entities.get(one.entity)) is None or entity.status in _GUESSED
        else one
        for one in mentions
    ]


@dataclass(frozen=True, slots=True)
class _Heading:
    """A heading above a line; `named` is the entity that it names, if any."""

    depth: int
    title: str
    named: DecidedMention | None
    is_about_another: bool


@dataclass(frozen=True, slots=True)
class _Item:
    """A list item around a line; `label` is what it says of the items in it."""

    depth: int
    named: DecidedMention | None
    label: str
    is_about_another: bool


@dataclass(slots=True)
class _Around:
    """What stands around a line: the headings above it, the items around it, its row's name."""

    headings: list[_Heading] = field(default_factory=list)
    items: list[_Item] = field(default_factory=list)
    row: DecidedMention | None = None


class PageReader:
    """Reads the lines of one page."""

    def __init__(
        self,
        note: Note,
        page: Page,
        words: Words | None,
        mentions: Sequence[DecidedMention],
        subject: DecidedMention | None,
        ontology: Ontology,
    ) -> None:
        self._note = note
        self._page = page
        self._words = words or Words()
        self._mentions = Mentions(mentions)
        self._subject = subject
        self._ontology = ontology
        self._title = frozenset(word.lower() for word in _WORD.findall(note.title))
        self._fields = [(one.start, one.end) for one in note.fields]

    def read(self) -> Iterator[InferredRelation]:
        """Yield what the page states."""
        around = _Around()
        for line in self._page.lines:
            if line.kind == "heading":
                yield from self._heading(line, around)
            elif line.kind == "cell":
                yield from self._cell(line, around)
            else:
                yield from self._line(line, around)

    def _heading(self, line: Line, around: _Around) -> Iterator[InferredRelation]:
        while around.headings and around.headings[-1].depth >= line.depth:
            around.headings.pop()
        around.items = []
        outer, named = self._about(around), self._caption(line)
        title = self._seen(line.start, line.end)
        is_another = named is not None or self._may_be_name(title)
        around.headings.append(_Heading(line.depth, title, named, is_another))
        if named is not None:
            yield from self._said(line, named, outer)

    def _line(self, line: Line, around: _Around) -> Iterator[InferredRelation]:
        while around.items and (line.kind != "item" or around.items[-1].depth >= line.depth):
            around.items.pop()
        about, caption = self._about(around), self._caption(line)
        label = "" if line.value is None or caption is not None else line.label
        if label and about is not None and line.value is not None:
            yield from self._keyed(label, line.value.start, line.value.end, line.start, about)
        heading = self._list_heading(around)
        if heading and not label and about is not None and caption is not None:
            yield from self._listed(line, heading, caption, about)
        if line.kind == "item":
            has_value = line.value is not None and line.value.end > line.value.start
            text = self._seen(line.start, line.end)
            is_another = caption is not None or (not label and self._may_be_name(text[:40]))
            around.items.append(_Item(line.depth, caption, "" if has_value else label, is_another))
        yield from self._said(line, caption or about, about)

    def _cell(self, line: Line, around: _Around) -> Iterator[InferredRelation]:
        if line.first == -1:
            around.row = self._caption(line)
        elif around.row is not None and line.header:
            yield from self._keyed(line.header, line.start, line.end, line.start, around.row)

    # -- Whom a line is about ----------------------------------------------------------------------

    def _about(self, around: _Around) -> DecidedMention | None:
        above: list[_Item | _Heading] = [*around.headings, *around.items]
        for over in reversed(above):
            if over.named is not None or over.is_about_another:
                return over.named
        return self._subject

    def _caption(self, line: Line) -> DecidedMention | None:
        """Return the name with which a line begins, if a sign or nothing follows it."""
        begin, end = line.start, line.end
        while begin < end and self._note.prose[begin] in f"{MARK}{HIDDEN} [":
            begin += 1
        named = [one for one in self._mentions.within(begin, end) if one.start == begin]
        if not named:
            return None
        rest = self._visible(named[0].end, end)
        return named[0] if not rest.strip() or _SIGN.match(rest) else None

    def _may_be_name(self, title: str) -> bool:
        """Say whether a heading or an item may begin with a name: then it is about another."""
        words = _WORD.findall(title)
        return not self._is_known(title) and any(
            word[0].isupper() and word.lower() not in COMMON_WORDS and not self._is_known(word)
            for word in words
        )

    def _is_known(self, label: str) -> bool:
        plain = _plain(label)
        return (
            plain.casefold() in self._words.vague_headings
            or self._ontology.knows_key(plain)
            or self._ontology.read_role(plain, "person", "person") is not None
        )

    # -- Labels and lists --------------------------------------------------------------------------

    def _keyed(
        self, label: str, begin: int, end: int, start: int, about: DecidedMention
    ) -> Iterator[InferredRelation]:
        """Yield what a label says of the names with which its value, or a part of it, begins."""
        key = self._key(label)
        if key is None or any(a < end and start < b for a, b in self._fields):
            return
        for other in self._mentions.within(begin, end):
            if self._begins_part(begin, other):
                yield from self._told(key, about, other, start, max(end, other.end), LABELLED)

    def _listed(
        self, line: Line, heading: str, named: DecidedMention, about: DecidedMention
    ) -> Iterator[InferredRelation]:
        key = self._key(heading)
        if key is not None:
            yield from self._told(key, about, named, line.start, line.end, LISTED)

    def _told(
        self,
        key: str,
        about: DecidedMention,
        other: DecidedMention,
        start: int,
        end: int,
        confidence: float,
    ) -> Iterator[InferredRelation]:
        if other.entity == about.entity:
            return
        reading = self._ontology.read_key(key, about.type, other.type)
        if reading is not None and self._ontology.fits(reading, about.type, other.type):
            source, target = (other, about) if reading.is_inverse else (about, other)
            rule = f"label: {key}"
            yield InferredRelation(source, reading.kind, target, start, end, confidence, rule)

    def _key(self, label: str) -> str | None:
        """Return a label without its first words that say nothing of a relation: "Current Ruler".

        Returns None if no kind of relation has it.
        """
        words = _plain(label).split()
        tails = (" ".join(words[at:]) for at in range(len(words)))
        key = next(filter(self._ontology.knows_key, tails), None)
        return None if key is None or key.casefold() in self._words.vague_headings else key

    def _begins_part(self, begin: int, other: DecidedMention) -> bool:
        before = _APART.split(self._visible(begin, other.start))[-1]
        words = [word.lower() for word in _WORD.findall(before)]
        while words and words[-1] in self._words.leading:
            words.pop()
        return not words or words[-1] in self._words.joining

    def _list_heading(self, around: _Around) -> str:
        for item in reversed(around.items):
            if item.label or item.is_about_another:
                return item.label
        if not around.headings or around.headings[-1].named is not None:
            return ""
        return around.headings[-1].title

    # -- Sentences ---------------------------------------------------------------------------------

    def _said(
        self, line: Line, about: DecidedMention | None, whose: DecidedMention | None
    ) -> Iterator[InferredRelation]:
        """Yield what a line's sentences state, and the word beside the name that it begins with."""
        topic = [] if about is None else [Side(about, 0.85)]
        title = self._title if about is self._subject else frozenset()
        for sentence in line.sentences if self._page.has_clauses else ():
            context = Context(about, tuple(topic), title)
            sides = Sides(sentence, self._mentions, context, self._words)
            sureness = SPOKEN if sentence.is_speech else 1.0
            for one in SentenceReader(sides, self._ontology, self._words).read():
                yield replace(one, confidence=one.confidence * sureness)
            subject = sides.subject()
            topic = topic if subject is None else subject
        if about is not None and whose is not None and about.entity != whose.entity:
            yield from self._beside(line, about, whose)

    def _beside(
        self, line: Line, about: DecidedMention, whose: DecidedMention
    ) -> Iterator[InferredRelation]:
        """Yield the role that the word beside a name gives it: `- Ruth (mother)`."""
        found = _ROLE_BESIDE.match(self._visible(about.end, line.end))
        if found is None:
            return
        said = found["role"].split()
        if said[0].lower() in self._words.leading:
            said = said[1:]
        if not said:
            return
        role, last = " ".join(said), said[-1]
        for name in (role, last) if last.islower() else (role,):
            reading = self._ontology.read_role(name, about.type, whose.type)
            if reading is not None and self._ontology.fits(reading, about.type, whose.type):
                source, target = (whose, about) if reading.is_inverse else (about, whose)
                rule = f"beside: {name}"
                yield InferredRelation(
                    source, reading.kind, target, about.start, line.end, BESIDE, rule
                )
                return

    def _visible(self, start: int, end: int) -> str:
        return self._note.prose[start:end].replace(MARK, "").replace(HIDDEN, "")

    def _seen(self, start: int, end: int) -> str:
        return " ".join(self._visible(start, end).split())


def _plain(label: str) -> str:
    """Return a label without signs around it, and without the mark of a plural: "Faction(s)"."""
    said = _PLURAL.sub("", label.strip(" *_:"))
    letters = [at for at, one in enumerate(said) if one.isalnum()]
    if not letters:
        return ""
    return " ".join(said[letters[0] : letters[-1] + 1].lstrip("0123456789 .)").split())
