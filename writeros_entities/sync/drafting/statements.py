"""What a file states through links, in properties, inline fields and canvas edges, as stored.

Which relation a statement makes is known only once links are resolved. The note's row therefore
stores the statements, each with the ordinals of its links and the span that states it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from writeros_entities.sync.drafting.property_values import last_word, mapping_of, relation_word
from writeros_entities.vault.markdown.plain_text import seen_value

if TYPE_CHECKING:
    from writeros_entities.ontology import Ontology
    from writeros_entities.sync.drafting.property_values import NamedValue
    from writeros_entities.values import JSON, ChunkSpan, InlineField, Link, Note
    from writeros_entities.vault.canvas import Canvas

Form = Literal["frontmatter", "field", "canvas", "property"]

_ROW = re.compile(r"[ \t>|]*")
_WORD = r"(?P<word>[^\W\d_][\w /'’-]{0,39}?)"
_BEFORE = re.compile(rf"""["']{_WORD}[ \t]*:[ \t]*\Z""")
_AFTER = re.compile(rf"""[ \t]*(?:\(|[-–—:,][ \t]+){_WORD}\)?["']""")
_MARGIN = re.compile(r"[ \t]*(-[ \t]+)*")

LONGEST_SPAN = 300
"""Longest span to quote, in characters; of a longer line only the link is quoted."""


LONGEST_WORD = 60
"""Longest text before a link in which to look for a word for the relation."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A key and a link `target`, stated by the note itself or, in a canvas, by a link `source`.

    `source` and `target` are ordinals of links. A `property` has neither, but a `value`. For
    `frontmatter`, `value` is the word for the relation beside the link, if any. `quote` is the text
    of the span, or None if a chunk of the note contains it.
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
    note: Note,
    named: Sequence[NamedValue],
    ontology: Ontology,
    told: Sequence[ChunkSpan],
    *,
    has_visible_parts: bool,
) -> list[list[JSON]]:
    """Return what a note states, as JSON; `told` are the chunks of its properties.

    Plain properties are included if they may name an entity, or if parts of the note become visible
    at a position of their own (`has_visible_parts`).
    """
    found = [*_linked(note, ontology), *_named_without_link(note, named)]
    if has_visible_parts:
        found += _properties(note)
    return [_store(one, told) for one in found]


def _store(statement: Statement, told: Iterable[ChunkSpan] = ()) -> list[JSON]:
    """Return a statement as JSON, without a quote that a chunk contains, and cut after the last
    thing that it has.
    """
    if any(one.start <= statement.start and statement.end <= one.end for one in told):
        statement = replace(statement, quote=None)
    values: list[JSON] = list(astuple(statement))
    while values[-1] is None:
        values.pop()
    return values


def canvas_statements(canvas: Canvas, text: str) -> list[list[JSON]]:
    """Return what labelled edges between the file cards of a canvas state, as JSON.

    An edge with an arrowhead only at its start is read backwards.
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
        quote = seen_value(text[edge.start : edge.end])
        found.append(
            Statement(
                "canvas", edge.label.strip(), source, target, edge.start, edge.end, line, quote
            )
        )
    return list(map(_store, found))


def read_statements(stored: Sequence[Sequence[Any]] | None) -> list[Statement]:
    """Return the statements stored with a note."""
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
            word = word or _word_beside(note.text, link, ontology)
            line, _ = note.locate(start)
            quote = seen_value(note.text[start:end])
            key = last_word(link.field)
            yield Statement("frontmatter", key, None, ordinal, start, end, line, quote, word)
        else:
            place = bisect_right(starts, link.start) - 1
            own = _own(link)
            start, end = _field(note, own, fields[place]) if place >= 0 else own
            line, _ = note.locate(start)
            yield Statement("field", link.field, None, ordinal, start, end, line)


def _word_beside(text: str, link: Link, ontology: Ontology) -> str | None:
    """Return the word for the relation in the same text as a link: `"rival: [[Ann]] — cousin"`.

    A word after the link is the more precise one.
    """
    after = _AFTER.match(text, link.end)
    before = _BEFORE.search(text[max(0, link.start - LONGEST_WORD) : link.start])
    words = [found["word"] for found in (after, before) if found is not None]
    return next((word for word in words if ontology.knows_word(word)), None)


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
        quote = seen_value(note.text[start:end])
        key = last_word(one.field)
        yield Statement("frontmatter", key, None, ordinal, start, end, line, quote, one.word)


def _words(note: Note, ontology: Ontology) -> dict[tuple[str, ...], str]:
    """Return the word for the relation in each mapping with a link, by the path of the mapping."""
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
    """Yield the inline fields with text besides links."""
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
    """Return the span of the line that contains a link."""
    line, _ = note.locate(own[0])
    start = note.line_starts[line - 1]
    end = note.text.find("\n", own[1], start + LONGEST_SPAN)
    return _trimmed(note.text, start, end if end != -1 else start + LONGEST_SPAN + 1, own)


def _item(note: Note, own: tuple[int, int]) -> tuple[int, int]:
    """Return the span of the lines of the YAML mapping that contains a link.

    For a mapping in braces, that is the line of the link.
    """
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
    """Return the column where the text of a YAML line starts, and whether a dash precedes it."""
    found = _MARGIN.match(text, start)
    return (0, False) if found is None else (found.end() - start, found[1] is not None)


def _field(note: Note, own: tuple[int, int], inline: InlineField) -> tuple[int, int]:
    """Return the span of a whole inline field, with its key and brackets."""
    if own[0] >= inline.end:
        return own
    text = note.text
    line, _ = note.locate(inline.start)
    row = _ROW.match(text, note.line_starts[line - 1], inline.start)
    start = row.end() if row else inline.start
    if text[inline.end : inline.end + 1] in ("]", ")"):
        near = max(start, inline.start - LONGEST_SPAN)
        bracket = max(text.rfind(mark, near, inline.start) for mark in "[(")
        if bracket != -1:
            return _trimmed(text, bracket, inline.end + 1, own)
    return _trimmed(text, start, inline.end, own)


def _trimmed(text: str, start: int, end: int, own: tuple[int, int]) -> tuple[int, int]:
    """Return a span without surrounding whitespace, or the link's own span if it is too long."""
    if end - start > LONGEST_SPAN:
        return own
    start += len(text[start:end]) - len(text[start:end].lstrip())
    return start, start + len(text[start:end].rstrip())
