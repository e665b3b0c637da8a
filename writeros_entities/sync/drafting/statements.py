"""What a file states through links, ready for its row: properties, inline fields, canvas edges.

Which relation that makes is known only once the links are resolved; so the note's row keeps the
statements, each with the place of its links among the note's links and with the span that says it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any, Literal

from writeros_entities.sync.drafting.mappings import last_word, mapping_of, relation_word

if TYPE_CHECKING:
    from writeros_entities.ontology import Ontology
    from writeros_entities.sync.drafting.named_values import NamedValue
    from writeros_entities.values import InlineField, Link, Note
    from writeros_entities.vault.canvas import Canvas

Form = Literal["frontmatter", "field", "canvas", "property"]

_MARGIN = re.compile(r"[ \t]*(-[ \t]+)*")

LONGEST_SPAN = 300
"""Characters of a line that are quoted; of a longer one, the link alone."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A key and a link: that of `target`, and, in a canvas, `source` (else the note itself).

    `source` and `target` are ordinals of links. A `property` has neither, but a `value`; that of
    `frontmatter` is the word for the relation that stands beside the link, if there is one. `quote`
    is the text of the span, null where a chunk of the note holds it.
    """

    form: Form
    key: str
    source: int | None
    target: int | None
    start: int
    end: int
    line: int
    quote: str | None = None
    value: str | None = None


def note_statements(
    note: Note, named: Sequence[NamedValue], ontology: Ontology, *, has_visible_parts: bool
) -> list[list[Any]]:
    """Return what a note states, as JSON; its plain properties only where a reader gets to them,
    but for those that may name somebody.
    """
    found = [*_linked(note, ontology), *_named_without_link(note, named)]
    if has_visible_parts:
        found += _properties(note)
    return [list(astuple(statement)) for statement in found]


def canvas_statements(canvas: Canvas, text: str) -> list[list[Any]]:
    """Return what the labelled edges of a canvas state between its file cards, as JSON.

    An edge whose only arrow points to where it begins is read from its end.
    """
    cards = [node.id for node in canvas.nodes if node.type == "file" and node.file]
    ordinals = {card: ordinal for ordinal, card in enumerate(cards)}
    found = []
    line, counted = 1, 0
    for edge in canvas.edges:
        source, target = ordinals.get(edge.from_node), ordinals.get(edge.to_node)
        if not edge.label.strip() or source is None or target is None:
            continue
        if edge.from_arrow and not edge.to_arrow:
            source, target = target, source
        line += text.count("\n", counted, edge.start)
        counted = edge.start
        quote = text[edge.start : edge.end]
        found.append(
            Statement(
                "canvas", edge.label.strip(), source, target, edge.start, edge.end, line, quote
            )
        )
    return [list(astuple(statement)) for statement in found]


def read_statements(stored: Sequence[Sequence[Any]] | None) -> list[Statement]:
    """Return the statements that a note's row keeps."""
    return [Statement(*values) for values in stored or ()]


def _linked(note: Note, ontology: Ontology) -> Iterator[Statement]:
    fields = [inline for inline in note.fields if "[" in inline.value]
    starts = [inline.start for inline in fields]
    words = _words(note, ontology)
    for ordinal, link in enumerate(note.links):
        if link.field is None or link.kind == "embed":
            continue
        if link.kind == "frontmatter":
            word = words.get(mapping_of(link.field))
            start, end = _line(note, _own(link)) if word is None else _item(note, _own(link))
            line, _ = note.locate(start)
            quote = note.text[start:end]
            key = last_word(link.field)
            yield Statement("frontmatter", key, None, ordinal, start, end, line, quote, word)
        else:
            place = bisect_right(starts, link.start) - 1
            own = _own(link)
            start, end = _field(note, own, fields[place]) if place >= 0 else own
            line, _ = note.locate(start)
            yield Statement("field", link.field, None, ordinal, start, end, line)


def _named_without_link(note: Note, named: Sequence[NamedValue]) -> Iterator[Statement]:
    for ordinal, one in enumerate(named, start=len(note.links)):
        own = one.start, one.end
        if one.inline is not None:
            start, end = _field(note, own, one.inline)
            line, _ = note.locate(start)
            yield Statement("field", one.field, None, ordinal, start, end, line)
            continue
        start, end = _line(note, own) if one.word is None else _item(note, own)
        line, _ = note.locate(start)
        quote = note.text[start:end]
        key = last_word(one.field)
        yield Statement("frontmatter", key, None, ordinal, start, end, line, quote, one.word)


def _words(note: Note, ontology: Ontology) -> dict[tuple[str, ...], str]:
    """Return the word for the relation in each mapping that links under one key, by its path."""
    keys: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for link in note.links:
        if link.kind == "frontmatter" and link.field:
            keys[mapping_of(link.field)].add(last_word(link.field))
    words = {
        path: relation_word(note.frontmatter, path, linking, ontology)
        for path, linking in keys.items()
    }
    return {path: word for path, word in words.items() if word is not None}


def _properties(note: Note) -> Iterator[Statement]:
    """Yield the inline fields that are more than links to others."""
    links = [(link.start, link.end) for link in note.links if link.field is not None]
    starts = [start for start, _ in links]
    for inline in note.fields:
        inside = links[bisect_left(starts, inline.start) : bisect_left(starts, inline.end)]
        if inside and sum(end - start for start, end in inside) >= len(inline.value):
            continue
        line, _ = note.locate(inline.start)
        value = inline.value
        yield Statement(
            "property", inline.key, None, None, inline.start, inline.end, line, None, value
        )


def _own(link: Link) -> tuple[int, int]:
    return link.start, link.end


def _line(note: Note, own: tuple[int, int]) -> tuple[int, int]:
    """Return the span of the line that a link, with a span of its own, stands in."""
    line, _ = note.locate(own[0])
    start = note.line_starts[line - 1]
    end = note.text.find("\n", own[1], start + LONGEST_SPAN)
    return _trimmed(note.text, start, end if end != -1 else start + LONGEST_SPAN + 1, own)


def _item(note: Note, own: tuple[int, int]) -> tuple[int, int]:
    """Return the span of the lines of the mapping with a link; of one in braces, of its line."""
    text, starts = note.text, note.line_starts
    line, _ = note.locate(own[0])
    before = text[starts[line - 1] : own[0]]
    if before.count("{") > before.count("}"):
        return _line(note, own)
    column, _ = _margin(text, starts[line - 1])
    first, last = line - 1, line
    while first and _margin(text, starts[first]) != (column, True):
        if _margin(text, starts[first - 1])[0] < column:
            break
        first -= 1
    while last < len(starts) and _margin(text, starts[last])[0] >= column:
        if _margin(text, starts[last]) == (column, True):
            break
        last += 1
    end = starts[last] if last < len(starts) else len(text)
    return _trimmed(text, starts[first], end, own)


def _margin(text: str, start: int) -> tuple[int, bool]:
    """Return where the words of a line of YAML begin, and whether a dash stands before them."""
    found = _MARGIN.match(text, start)
    return (0, False) if found is None else (found.end() - start, found[1] is not None)


def _field(note: Note, own: tuple[int, int], inline: InlineField) -> tuple[int, int]:
    """Return the span of a whole field, its key and its brackets included."""
    if own[0] >= inline.end:
        return own
    text = note.text
    line, _ = note.locate(inline.start)
    start = note.line_starts[line - 1]
    if text[inline.end : inline.end + 1] in ("]", ")"):
        near = max(start, inline.start - LONGEST_SPAN)
        bracket = max(text.rfind(mark, near, inline.start) for mark in "[(")
        if bracket != -1:
            return _trimmed(text, bracket, inline.end + 1, own)
    return _trimmed(text, start, inline.end, own)


def _trimmed(text: str, start: int, end: int, own: tuple[int, int]) -> tuple[int, int]:
    """Return a span without the space around it, or that of the link where it is too long."""
    if end - start > LONGEST_SPAN:
        return own
    start += len(text[start:end]) - len(text[start:end].lstrip())
    return start, start + len(text[start:end].rstrip())
