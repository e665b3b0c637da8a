"""The draft of one file's rows, as plain tuples that are cheap to pass between processes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from writeros_entities.embedding import hash_text
from writeros_entities.names import MAX_NAME, fold_name
from writeros_entities.sync.drafting.order_claims import store_order_claim
from writeros_entities.sync.drafting.statements import note_statements
from writeros_entities.values import (
    HEADING_SEPARATOR,
    LARGEST_POSITION,
    MARK,
    NAME_ALONE,
    Diagnostic,
)
from writeros_entities.vault.comments import cover_comments
from writeros_entities.vault.headings import Sections
from writeros_entities.vault.links import link_key

if TYPE_CHECKING:
    from writeros_entities.ontology import Ontology
    from writeros_entities.sync.drafting.declarations import Declaration
    from writeros_entities.sync.drafting.named_values import NamedValue
    from writeros_entities.values import ChunkSpan, Note, OrderClaim, ProposedName

CHUNK = (
    *("ordinal", "heading", "text", "start", "end", "line", "tokens", "content_hash"),
    *("visible_claim", "shown", "sections"),
)
LINK = (
    *("ordinal", "kind", "raw", "target", "target_key", "heading", "block", "display", "field"),
    *("start", "end"),
)
MENTION = (
    *("chunk_id", "start", "end", "entity_id", "since", "visible_from", "visible_until"),
    *("form", "confidence", "method", "reason"),
)
"""The columns of a mention row as detection produces it."""

NEVER = LARGEST_POSITION
"""Stands in a key for a null position: never visible under `as_of`."""

TOPIC = ("name", "confidence")
PROPOSAL = ("name_key", "name", "type", "count", "needed", "confidence")

Row = tuple[Any, ...]

_MARK_INSIDE_WORD = re.compile(rf"{MARK}(?<=\w{MARK}){MARK}*\w")
"""Starts with a literal, so that the regex engine can skip to the first candidate."""


class NoteDraft(NamedTuple):
    """What one note's file says, before it is related to the rest of the vault.

    A NamedTuple, since instances of a dataclass take longer to send between processes.

    `chunks`, `links` and `proposals` are rows of the columns `CHUNK`, `LINK` and `PROPOSAL`.
    `has_claimed_sections` says that some chunks have another `visible_from` than the note.
    `statements` is what the note states through links (see `statements`). `marks_inside_words`
    says that formatting marks split words, which full text therefore cannot find.
    """

    title: str
    content_hash: str
    diagnostics: tuple[Diagnostic, ...]
    links: Sequence[Row]
    chunks: Sequence[Row] = ()
    proposals: Sequence[Row] = ()
    frontmatter: Mapping[str, Any] | None = None
    declaration: Mapping[str, Any] | None = None
    order: Mapping[str, Any] | None = None
    visible_claim: str | None = None
    has_claimed_sections: bool = False
    statements: Sequence[Sequence[Any]] | None = None
    marks_inside_words: bool = False


def draft_note(
    note: Note,
    chunks: Sequence[tuple[ChunkSpan, str | None]],
    proposals: Mapping[str, ProposedName],
    *,
    declaration: Declaration,
    named: Sequence[NamedValue],
    ontology: Ontology,
    order: OrderClaim | None,
    visible_claim: str | None,
    diagnostics: tuple[Diagnostic, ...],
) -> NoteDraft:
    """Return the draft of a note's rows."""
    has_claimed_sections = any(claim is not None for _, claim in chunks)
    return NoteDraft(
        title=note.title,
        content_hash=note.content_hash,
        diagnostics=diagnostics,
        links=link_rows(note, named),
        chunks=_chunk_rows(note, chunks),
        proposals=[
            (key, item.name, item.type, item.count, item.needed, item.confidence)
            for key, item in proposals.items()
            if len(item.name) <= MAX_NAME
        ],
        frontmatter=dict(note.frontmatter) or None,
        declaration={
            "type": declaration.type,
            "aliases": list(declaration.aliases),
            "revealed": [list(alias) for alias in declaration.revealed],
            "fields": dict(declaration.fields),
            "is_entity": declaration.is_entity,
            "gender": declaration.gender,
        },
        order=None if order is None else store_order_claim(order),
        visible_claim=visible_claim,
        has_claimed_sections=has_claimed_sections,
        statements=note_statements(
            note,
            named,
            ontology,
            has_visible_parts=has_claimed_sections or visible_claim is not None,
        )
        if declaration.is_entity
        else None,
        marks_inside_words=_MARK_INSIDE_WORD.search(note.prose) is not None,
    )


def link_rows(note: Note, named: Iterable[NamedValue] = ()) -> list[Row]:
    """Return rows for a note's links, followed by its property values that may name an entity.

    A link without a target points to the note itself.
    """
    rows: list[Row] = [
        (
            ordinal,
            link.kind,
            link.raw,
            link.target,
            link_key(link.target or note.path),
            link.heading,
            link.block,
            link.display,
            link.field,
            link.start,
            link.end,
        )
        for ordinal, link in enumerate(note.links)
    ]
    for ordinal, one in enumerate(named, start=len(rows)):
        key, place = fold_name(one.name), (one.field, one.start, one.end)
        rows.append((ordinal, NAME_ALONE, one.name, one.name, key, None, None, None, *place))
    return rows


def _chunk_rows(note: Note, chunks: Sequence[tuple[ChunkSpan, str | None]]) -> list[Row]:
    """Return rows of the columns `CHUNK`; those of properties have negative ordinals."""
    made = []
    seen, sections = cover_comments(note), Sections(note)
    before_body = bisect_left([span.start for span, _ in chunks], note.body_start)
    for ordinal, (span, claim) in enumerate(chunks, start=-before_body):
        heading = HEADING_SEPARATOR.join(span.headings)
        text, shown = note.text[span.start : span.end], seen[span.start : span.end]
        made.append(
            (
                ordinal,
                heading,
                text,
                span.start,
                span.end,
                note.locate(span.start)[0],
                span.tokens,
                hash_text(text) if shown == text else hash_text(shown + text),
                claim,
                None if shown == text else shown,
                sections.between(span.start, span.end, heading),
            )
        )
    return made
