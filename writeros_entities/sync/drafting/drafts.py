"""The draft of one file's rows, as tuples that are cheap to pass between processes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from writeros_entities.embedding import hash_text
from writeros_entities.language.marking import mark_note
from writeros_entities.names import MAX_NAME, fold_name, storable
from writeros_entities.sync.drafting.statements import note_statements
from writeros_entities.values import (
    HEADING_SEPARATOR,
    LARGEST_POSITION,
    MARK,
    NAME_ALONE,
    Diagnostic,
    OrderClaim,
)
from writeros_entities.vault.comments import cover_comments
from writeros_entities.vault.headings import Sections
from writeros_entities.vault.links import link_key, plain_link
from writeros_entities.vault.roles import NOTHING_SAID, STATED, Role

if TYPE_CHECKING:
    from writeros_entities.ontology import Ontology
    from writeros_entities.sync.drafting.declarations import Declaration
    from writeros_entities.sync.drafting.property_values import NamedValue
    from writeros_entities.values import JSON, ChunkSpan, Note, ProposedName, Topic

NEVER = LARGEST_POSITION
"""Stands in a key for a null position: never visible under `as_of`."""

_MARK_INSIDE_WORD = re.compile(rf"{MARK}(?<=\w{MARK}){MARK}*\w")
"""Starts with a literal, so that the regex engine can skip to the first candidate."""


class ChunkPlace(NamedTuple):
    """Where a chunk is in its file, and from where it is visible."""

    id: int
    start: int
    end: int
    visible_from: int | None


class MentionRow(NamedTuple):
    """A reading of a span as it is stored: one candidate, at some reading positions."""

    chunk_id: int
    start: int
    end: int
    entity_id: int
    since: int
    visible_from: int | None
    visible_until: int | None
    form: str
    confidence: float
    method: str
    reason: str | None
    surface: str


class ChunkRow(NamedTuple):
    """A chunk as a draft has it; what has a default is known when it is written."""

    ordinal: int
    heading: str
    text: str
    start: int
    end: int
    line: int
    tokens: int
    content_hash: str
    visible_claim: str | None
    shown: str | None
    sections: str | None
    id: int = 0
    note_id: int = 0
    visible_from: int | None = None


class PageRow(NamedTuple):
    """What was read of a note."""

    content: str
    marks: bytes
    note_id: int = 0


class LinkRow(NamedTuple):
    """A link as a draft has it, or a property's value that may name an entity without one."""

    ordinal: int
    kind: str
    raw: str
    target: str
    target_key: str
    heading: str | None
    block: str | None
    display: str | None
    field: str | None
    start: int
    end: int
    note_id: int = 0
    visible_from: int | None = None
    status: str = "pending"


class ProposalRow(NamedTuple):
    """A name without a note, as one note uses it."""

    name_key: str
    name: str
    type: str | None
    count: int  # type: ignore[assignment]  # the column's name; nobody counts in a row
    needed: int
    confidence: float
    heading: str | None = None
    note_id: int = 0
    visible_from: int | None = None
    type_confidence: float = 1.0


class ThreadRow(NamedTuple):
    """An open thread that the writer noted."""

    ordinal: int
    kind: str
    text: str
    start: int
    end: int
    line: int
    note_id: int = 0
    visible_from: int | None = None


class TopicRow(NamedTuple):
    """What a note is about."""

    name: str
    confidence: float
    note_id: int = 0
    visible_from: int | None = None


class NoteDraft(NamedTuple):
    """What one note's file says, before it is related to the rest of the vault.

    A NamedTuple, since instances of a dataclass take longer to send between processes.

    `has_claimed_sections` says that some chunks have another `visible_from` than the note.
    `statements` is what the note states through links (see `statements`). `marks_inside_words`
    says that formatting marks split words, which full text therefore cannot find.
    """

    title: str
    content_hash: str
    diagnostics: tuple[Diagnostic, ...]
    links: Sequence[LinkRow]
    page: PageRow | None = None
    chunks: Sequence[ChunkRow] = ()
    proposals: Sequence[ProposalRow] = ()
    threads: Sequence[ThreadRow] = ()
    frontmatter: Mapping[str, JSON] | None = None
    declaration: Mapping[str, JSON] | None = None
    order: Mapping[str, JSON] | None = None
    visible_claim: str | None = None
    has_claimed_sections: bool = False
    statements: Sequence[list[JSON]] | None = None
    marks_inside_words: bool = False
    role: Role = NOTHING_SAID


def draft_note(
    note: Note,
    chunks: Sequence[tuple[ChunkSpan, str | None]],
    proposals: Mapping[str, ProposedName],
    *,
    declaration: Declaration,
    named: Sequence[NamedValue],
    ontology: Ontology,
    cues: Mapping[int, str],
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
        links=link_rows(note, named, cues),
        page=PageRow(note.content_hash, mark_note(note)),
        chunks=_chunk_rows(note, chunks),
        proposals=[
            ProposalRow(
                *(key, item.name, item.type, item.count, item.needed),
                *(item.confidence, item.heading),
                type_confidence=item.type_confidence,
            )
            for key, item in proposals.items()
            if len(item.name) <= MAX_NAME
        ],
        threads=[
            ThreadRow(ordinal, one.kind, one.text, one.start, one.end, note.locate(one.start)[0])
            for ordinal, one in enumerate(note.threads)
        ],
        frontmatter=dict(note.frontmatter) or None,
        declaration=_store_declaration(declaration),
        order=None if order is None else _store_order_claim(order),
        visible_claim=visible_claim,
        has_claimed_sections=has_claimed_sections,
        statements=note_statements(
            note,
            named,
            ontology,
            [span for span, _ in chunks if span.start < note.body_start],
            has_visible_parts=has_claimed_sections or visible_claim is not None,
        )
        if declaration.is_entity or any(item.heading for item in proposals.values())
        else None,
        role=declaration.role,
        marks_inside_words=_MARK_INSIDE_WORD.search(note.prose) is not None,
    )


def draft_left_out(
    note: Note, is_for_decisions: bool, diagnostics: tuple[Diagnostic, ...]
) -> NoteDraft:
    """Return the draft of a note that is no part of the story: nothing of it but its title."""
    reason = "It holds your decisions." if is_for_decisions else "You leave it out."
    return NoteDraft(
        title=note.title,
        content_hash=note.content_hash,
        diagnostics=diagnostics,
        links=(),
        declaration={"type": None, "aliases": [], "is_entity": False},
        role=Role("other", reason, STATED),
    )


def link_rows(
    note: Note, named: Iterable[NamedValue] = (), cues: Mapping[int, str] | None = None
) -> list[LinkRow]:
    """Return rows for a note's links, followed by its property values that may name an entity.

    A link without a target points to the note itself. `cues` are the keys that lead to links which
    are no property, by their ordinals.
    """
    keys = cues or {}
    rows = [
        LinkRow(
            ordinal,
            link.kind,
            "" if link.raw == plain_link(link.target) else link.raw,
            link.target,
            link_key(link.target or note.path),
            link.heading,
            link.block,
            link.display,
            link.field or keys.get(ordinal),
            link.start,
            link.end,
        )
        for ordinal, link in enumerate(note.links)
    ]
    for ordinal, one in enumerate(named, start=len(rows)):
        key, place = fold_name(one.name), (one.field, one.start, one.end)
        rows.append(LinkRow(ordinal, NAME_ALONE, one.name, one.name, key, None, None, None, *place))
    return rows


def _chunk_rows(note: Note, chunks: Sequence[tuple[ChunkSpan, str | None]]) -> list[ChunkRow]:
    """Return the rows of chunks; those of properties have negative ordinals."""
    made = []
    seen, sections = cover_comments(note), Sections(note)
    before_body = bisect_left([span.start for span, _ in chunks], note.body_start)
    for ordinal, (span, claim) in enumerate(chunks, start=-before_body):
        heading = HEADING_SEPARATOR.join(span.headings)
        text, shown = note.text[span.start : span.end], seen[span.start : span.end]
        made.append(
            ChunkRow(
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


def _store_declaration(declaration: Declaration) -> dict[str, JSON]:
    """Return what a note says of its entity as JSON, without what it does not say."""
    wish = declaration.wish
    said: dict[str, JSON] = {
        "kind": declaration.kind,
        "name": declaration.name,
        "told": declaration.told,
        "revealed": [list(alias) for alias in declaration.revealed],
        "fields": dict(declaration.fields),
        "gender": declaration.gender,
        "context": None if wish is None else wish.stored(),
    }
    return {
        "type": declaration.type,
        "aliases": list(declaration.aliases),
        "is_entity": declaration.is_entity,
        **{name: value for name, value in said.items() if value not in (None, [], {})},
    }


_CLAIMED = tuple(field.name for field in fields(OrderClaim))


def _store_order_claim(claim: OrderClaim) -> dict[str, JSON]:
    """Return a claim to a place in reading order as JSON."""
    values = ((name, getattr(claim, name)) for name in _CLAIMED)
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values}


def read_order_claim(stored: Mapping[str, JSON]) -> OrderClaim:
    """Return a claim to a place in reading order from its JSON."""
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in stored.items()
    }
    return OrderClaim(**values)


def join_proposals(proposals: Iterable[ProposedName]) -> dict[str, ProposedName]:
    """Merge proposals of the same name: highest count and confidence, lowest number needed.

    What says that the note has a section of this name wins over its uses in the same note.
    """
    joined: dict[str, ProposedName] = {}
    for proposal in proposals:
        key = fold_name(proposal.name)
        if key:
            joined[key] = _join(joined[key], proposal) if key in joined else proposal
    return joined


def _join(one: ProposedName, other: ProposedName) -> ProposedName:
    if one.heading or other.heading:
        return one if one.heading else other
    surer, less_sure = (other, one) if other.confidence > one.confidence else (one, other)
    typed = surer if surer.type else less_sure
    return replace(
        surer,
        heading=one.heading if other.heading is None else other.heading,
        type=typed.type,
        type_confidence=typed.type_confidence,
        count=max(one.count, other.count),
        needed=min(one.needed, other.needed),
    )


def join_topics(found: Iterable[Topic]) -> dict[str, Topic]:
    """Merge topics of the same name, keeping the spelling with the highest confidence.

    Empty and overlong names are dropped; confidence is clamped to 0-1.
    """
    joined: dict[str, Topic] = {}
    for topic in found:
        name = storable(topic.name.strip())
        key = fold_name(name)
        sure = min(1.0, max(0.0, topic.confidence))
        if (
            0 < len(name) <= MAX_NAME
            and key
            and (key not in joined or joined[key].confidence < sure)
        ):
            joined[key] = replace(topic, name=name, confidence=sure)
    return joined
