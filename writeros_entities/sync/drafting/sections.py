"""Sections of a note that may be seen later, or earlier, than the note itself.

    ## The mask
    visible_from:: [[10 - Gloves]]

A field `visible_from` in a heading's section applies to that section and its subsections, unless
one of these has its own. Chunks are split at the borders of such sections.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from writeros_entities.properties import says_visibility
from writeros_entities.values import HIDDEN, MARK, ChunkSpan
from writeros_entities.vault.headings import Sections
from writeros_entities.vault.links import section_span

if TYPE_CHECKING:
    from writeros_entities.protocols import TokenCounter
    from writeros_entities.values import Note, Span

Section = tuple[int, int, str]
"""Start, end, and the claim as written: a position, a chapter, or `always`."""


def claimed_sections(note: Note) -> list[Section]:
    """Return the sections with a `visible_from` of their own, outer before inner."""
    sections = []
    for inline in note.fields:
        if not says_visibility(inline.key):
            continue
        above = [heading for heading in note.headings if heading.start <= inline.start]
        start, end = note.body_start, len(note.text)
        if above:
            span = section_span(note, above[-1])
            start, end = span.start, span.end
        sections.append((start, end, inline.value.strip()))
    return sorted(sections, key=lambda section: (section[0], -section[1]))


def without_sections(note: Note, sections: Sequence[Section]) -> Note:
    """Return a note with some sections blanked out; all other offsets stay the same.

    Anything derived from the note as a whole is taken from this, so that it cannot leak a section
    early.
    """
    if not sections:
        return note
    prose, text = note.prose, note.text
    for start, end, _ in sections:
        blank = "".join(HIDDEN if letter != "\n" else letter for letter in text[start:end])
        prose = prose[:start] + blank + prose[end:]
        text = text[:start] + blank + text[end:]

    def is_open(offset: int) -> bool:
        return claim_at(sections, offset) is None

    return replace(
        note,
        prose=prose,
        text=text,
        headings=tuple(each for each in note.headings if is_open(each.start)),
        blocks=tuple(each for each in note.blocks if is_open(each.start)),
        links=tuple(each for each in note.links if is_open(each.start)),
        tags=tuple(each for each in note.tags if is_open(each.start)),
        fields=tuple(each for each in note.fields if is_open(each.start)),
        callouts=tuple(each for each in note.callouts if is_open(each.start)),
        comments=tuple(each for each in note.comments if is_open(each.start)),
        block_ids=tuple(each for each in note.block_ids if is_open(each.start)),
    )


def cut_at_sections(
    spans: Sequence[ChunkSpan],
    sections: Sequence[Section],
    note: Note,
    counter: TokenCounter,
    *,
    apart: Iterable[Span] = (),
) -> list[tuple[ChunkSpan, str | None]]:
    """Return the chunks, split at the borders of sections, each with the claim for it.

    What is told `apart`, as of one person each, is split at its borders too.
    """
    borders = sorted(
        {border for start, end, _ in sections for border in (start, end)}
        | {border for one in apart for border in (one.start, one.end)}
    )
    if not borders:
        return [(span, None) for span in spans]
    headings = Sections(note)
    cut = []
    for span in spans:
        inside = [border for border in borders if span.start < border < span.end]
        starts, ends = [span.start, *inside], [*inside, span.end]
        for start, end in zip(starts, ends, strict=True):
            piece = _trimmed(span, start, end, note, counter, headings)
            if piece is not None:
                cut.append((piece, claim_at(sections, piece.start)))
    return cut


def _trimmed(
    span: ChunkSpan,
    start: int,
    end: int,
    note: Note,
    counter: TokenCounter,
    headings: Sections,
) -> ChunkSpan | None:
    if (start, end) == (span.start, span.end):
        return span
    text = note.text[start:end]
    end = start + len(text.rstrip())
    if not note.prose[start:end].replace(HIDDEN, "").replace(MARK, "").strip():
        return None
    (tokens,) = counter.count([note.text[start:end]])
    return ChunkSpan(start, end, tokens, headings.above_text(start, end))


def claim_at(sections: Sequence[Section], position: int) -> str | None:
    """Return the claim of the innermost section that contains an offset, or None."""
    holding = [claim for start, end, claim in sections if start <= position < end]
    return holding[-1] if holding else None
