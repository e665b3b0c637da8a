"""Load scenes: parts of notes as a reader sees them, with the names and links in them.

scenes = load_scenes(view, note_ids=[note.id])
[sentence.text for sentence in scenes[0].sentences]
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import and_, func, select

from writeros_entities.language.marks import Marks, unpack_marks
from writeros_entities.language.told import ToldSentence, read_told
from writeros_entities.properties import (
    CAST_KEYS,
    PLACE_KEYS,
    TIME_KEYS,
    VIEWPOINT_KEYS,
    story_key,
)
from writeros_entities.query.story.annotations import load_annotations
from writeros_entities.query.story.drafts import SceneDraft, SceneNote, join_chunks
from writeros_entities.query.story.property_names import load_narrator, load_property_names
from writeros_entities.store.cache import LRUCache
from writeros_entities.values import HEADING_SEPARATOR, InlineField
from writeros_entities.vault.headings import heading_paths

if TYPE_CHECKING:
    from writeros_entities.query.story.annotations import Annotations
    from writeros_entities.store.view import View
    from writeros_entities.story import Scene
    from writeros_entities.values import Heading

_SCENE_KEYS = frozenset({*CAST_KEYS, *VIEWPOINT_KEYS, *PLACE_KEYS, *TIME_KEYS})

MOST_NOTES = 64
"""How many recently read notes have their scenes kept in memory."""


class _Chunk(NamedTuple):
    """A chunk of a note, or an empty one (id 0) of a note without text."""

    id: int
    note_id: int
    text: str
    start: int
    line: int


def load_scenes(view: View, note_ids: Iterable[int] | None = None) -> list[Scene]:
    """Return the scenes of the manuscript in reading order, then the sections of other notes.

    A scene begins at each heading with text below it, and at each scene break.

    All notes are read by default, or only those given: of these, a note without text is a scene
    too.
    """
    chosen = None if note_ids is None else sorted(set(note_ids))
    annotations = load_annotations(view, chosen)
    drafts: list[SceneDraft] = []
    for note in view.each(_load_notes(view, chosen)):
        marks = annotations.of_note(note.note_id, [part.id for part in note.parts])
        if chosen is None:
            drafts += _drafts(note, _read(note), marks)
        else:
            drafts += _recall(view, note, marks)
    named: dict[int, list[str]] = defaultdict(list)
    for draft in drafts:
        named[draft.note.note_id] += draft.naming()
    property_names = load_property_names(view, named)
    is_told_by_one = any(draft.headings for draft in drafts)
    narrator = load_narrator(view) if is_told_by_one else None
    return [draft.scene(property_names, narrator) for draft in drafts]


def _load_notes(view: View, note_ids: list[int] | None) -> Iterator[SceneNote]:
    chunk, note = view.chunk, view.note
    in_body = and_(chunk.c.note_id == note.c.id, chunk.c.ordinal >= 0)
    noted = select(note.c.id, note.c.path, note.c.title, note.c.position, note.c.frontmatter)
    noted = noted.add_columns(view.page.c.marks).where(note.c.kind == "note")
    noted = noted.outerjoin(view.page, view.page.c.note_id == note.c.id)
    statement = (
        select(func.coalesce(chunk.c.id, 0).label("id"), note.c.id.label("note_id"))
        .add_columns(func.coalesce(chunk.c.text, "").label("text"))
        .add_columns(func.coalesce(chunk.c.start, 0).label("start"))
        .add_columns(func.coalesce(chunk.c.line, 1).label("line"))
        .select_from(note)
        .join(chunk, in_body, isouter=note_ids is not None)
        .where(note.c.kind == "note")
        .order_by(note.c.position.is_(None), note.c.position, note.c.path, chunk.c.start)
    )
    if note_ids is not None:
        noted = noted.where(note.c.id.in_(note_ids))
        statement = statement.where(note.c.id.in_(note_ids))
    rows = {row.id: row for row in view.all(noted)}
    notes = groupby(view.fetch(_Chunk, statement), key=attrgetter("note_id"))
    return (join_chunks(rows[note_id], list(chunks)) for note_id, chunks in notes)


def _drafts(note: SceneNote, read: _Read, annotations: Annotations) -> list[SceneDraft]:
    """Return the scenes of a note; one without text is a scene with its last heading."""
    draft = SceneDraft(note, 0, note.start)
    drafts = [draft]
    fields = deque(read.fields)
    paths = map(HEADING_SEPARATOR.join, heading_paths(read.headings))
    below = deque((one.start, path) for one, path in zip(read.headings, paths, strict=True))
    heading = ""
    for sentence in read.sentences:
        start, is_new = sentence.start, sentence.follows_break
        while below and below[0][0] <= sentence.start:
            is_new = True
            start, heading = below.popleft()
        if is_new and draft.sentences:
            while fields and fields[0].start < start:
                draft.fields.append(fields.popleft())
            draft = SceneDraft(note, draft.ordinal + 1, start)
            drafts.append(draft)
        draft.heading = heading
        draft.add(sentence, annotations)
    if below and not draft.sentences:
        draft.heading = below[-1][1]
    draft.fields += fields
    draft.end = note.end
    return drafts


class _Read(NamedTuple):
    """The sentences of a note, its inline fields and labelled lines, and its headings."""

    sentences: Sequence[ToldSentence]
    fields: Sequence[InlineField]
    headings: Sequence[Heading]


def _read(note: SceneNote) -> _Read:
    marks = unpack_marks(note.stored) if note.stored else Marks()
    fields = sorted(_fields(note, marks), key=attrgetter("start"))
    headings = [one for one in marks.found_headings() if note.written(one.start, one.end)]
    return _Read([*read_told(marks, note.text, note.start)], fields, headings)


def _fields(note: SceneNote, marks: Marks) -> Iterator[InlineField]:
    """Yield a note's inline fields, and what it says of its scenes behind labels in bold."""
    for (start, end), (number,) in zip(marks.fields, marks.field_keys, strict=True):
        if value := note.written(start, end):
            yield InlineField(marks.key(number), value, start, end)
    for (start, end), (number,) in zip(marks.labelled, marks.label_keys, strict=True):
        key = story_key(marks.key(number))
        if key in _SCENE_KEYS and (value := note.written(start, end).strip(" \t\r*_")):
            yield InlineField(key, value, start, end)


class _Known(NamedTuple):
    """A note that was read, what a reader saw of it, and its scenes."""

    note: SceneNote
    marks: Annotations
    read: _Read
    drafts: list[SceneDraft]


def _recall(view: View, note: SceneNote, marks: Annotations) -> list[SceneDraft]:
    """Return the scenes of a note, cached: the same few notes are often read again.

    They are made anew if another reader, or a later index, sees other names in the same text.
    """
    recent = view.cache.get_lasting("scenes", lambda: LRUCache(MOST_NOTES))
    known: _Known | None = recent.get(note.note_id)
    if known is not None and (known.note, known.marks) == (note, marks):
        return known.drafts
    is_same = known is not None and (known.note.text, known.note.stored) == (note.text, note.stored)
    read = known.read if known is not None and is_same else _read(note)
    drafts = _drafts(note, read, marks)
    recent.put(note.note_id, _Known(note, marks, read, drafts))
    return drafts
