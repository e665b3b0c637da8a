"""Load scenes: parts of notes as a reader sees them, with the names and links in them.

scenes = load_scenes(view, note_ids=[note.id])
[sentence.text for sentence in scenes[0].sentences]
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import and_, func, select

from writeros_entities.query.story.annotations import load_annotations
from writeros_entities.query.story.drafts import SceneChunk, SceneDraft
from writeros_entities.query.story.property_names import load_narrator, load_property_names
from writeros_entities.store.cache import LRUCache
from writeros_entities.values import HEADING_SEPARATOR
from writeros_entities.vault.notes import plain_note
from writeros_entities.vault.sentences.reading import ReaderSentence, read_sentences

if TYPE_CHECKING:
    from writeros_entities.query.story.annotations import Annotations
    from writeros_entities.store.view import View
    from writeros_entities.story import Scene
    from writeros_entities.values import Heading, InlineField

MOST_CHUNKS = 512
"""How many recently read chunks have their sentences kept in memory."""


def load_scenes(view: View, note_ids: Iterable[int] | None = None) -> list[Scene]:
    """Return the scenes of the manuscript in reading order, then the sections of other notes.

    All notes are read by default, or only those given: of these, a note without text is a scene
    too.
    """
    chosen = None if note_ids is None else sorted(set(note_ids))
    annotations = load_annotations(view, chosen)
    drafts: list[SceneDraft] = []
    for chunk in view.each(_load_chunks(view, chosen)):
        read = _read(chunk.text) if chosen is None else _recall(view, chunk.text)
        _add(drafts, chunk, read, annotations)
    named: dict[int, list[str]] = defaultdict(list)
    for draft in drafts:
        named[draft.first.note_id] += draft.naming()
    property_names = load_property_names(view, named)
    is_told_by_one = any(draft.headings for draft in drafts)
    narrator = load_narrator(view) if is_told_by_one else None
    return [draft.scene(property_names, narrator) for draft in drafts]


def _load_chunks(view: View, note_ids: list[int] | None) -> Iterator[SceneChunk]:
    chunk, note = view.chunk, view.note
    in_body = and_(chunk.c.note_id == note.c.id, chunk.c.ordinal >= 0)
    statement = (
        select(func.coalesce(chunk.c.id, 0), note.c.id, func.coalesce(chunk.c.text, ""))
        .add_columns(func.coalesce(chunk.c.start, 0), func.coalesce(chunk.c.line, 1))
        .add_columns(chunk.c.heading, note.c.path, note.c.title, note.c.position)
        .add_columns(note.c.frontmatter)
        .select_from(note)
        .join(chunk, in_body, isouter=note_ids is not None)
        .where(note.c.kind == "note")
        .order_by(note.c.position.is_(None), note.c.position, note.c.path, chunk.c.start)
    )
    if note_ids is not None:
        statement = statement.where(note.c.id.in_(note_ids))
    return (SceneChunk(*row) for row in view.all(statement))


def _add(
    drafts: list[SceneDraft], chunk: SceneChunk, read: _Read, annotations: Annotations
) -> None:
    """Add a chunk to the last scene, starting new scenes at headings and scene breaks.

    A chunk may contain several short sections; its own heading is that above its first text.
    """
    if not drafts:
        drafts.append(SceneDraft(chunk, 0, chunk.start, 0))
    elif not chunk.continues(drafts[-1].first):
        drafts.append(drafts[-1].followed_by(chunk, chunk.start))
    below = _below(chunk, read)
    fields = deque(read.fields)
    for sentence in read.sentences:
        start, part = sentence.start, drafts[-1].first
        while below and below[0][0] <= sentence.start:
            start, heading = below.popleft()
            part = replace(chunk, heading=heading)
        is_new = part is not drafts[-1].first or sentence.follows_rule
        if is_new and drafts[-1].sentences:
            while fields and fields[0].start - 1 < start:
                drafts[-1].fields.append(fields.popleft())
            drafts.append(drafts[-1].followed_by(part, chunk.start + start))
        drafts[-1].add(chunk, sentence, annotations)
    drafts[-1].fields += fields
    drafts[-1].close(chunk)


def _below(chunk: SceneChunk, read: _Read) -> deque[tuple[int, str]]:
    """Return the headings of a chunk that are below its first text, as offset and path."""
    found: deque[tuple[int, str]] = deque()
    first = read.sentences[0].start if read.sentences else 0
    if not read.headings or read.headings[-1].start <= first:
        return found
    parts = chunk.heading.split(HEADING_SEPARATOR) if chunk.heading else []
    path = list(enumerate(parts, 1))
    for heading in read.headings:
        outer = [one for one in path if one[0] < heading.level and one[1] != heading.text]
        path = [*outer, (heading.level, heading.text)]
        if heading.start > first:
            found.append((heading.start - 1, HEADING_SEPARATOR.join(text for _, text in path)))
    return found


class _Read(NamedTuple):
    """The sentences of a chunk, its inline fields, and its headings.

    The offsets of the last two are those after one line break.
    """

    sentences: list[ReaderSentence]
    fields: Sequence[InlineField]
    headings: Sequence[Heading]


def _read(text: str) -> _Read:
    parsed = plain_note("\n" + text)
    return _Read(read_sentences(text, parsed), parsed.fields, parsed.headings)


def _recall(view: View, text: str) -> _Read:
    """Return the sentences of a chunk, cached: the same few notes are often read again."""
    recent = view.cache.get_lasting("sentences", lambda: LRUCache(MOST_CHUNKS))
    known: _Read | None = recent.get(text)
    if known is None:
        known = _read(text)
        recent.put(text, known)
    return known
