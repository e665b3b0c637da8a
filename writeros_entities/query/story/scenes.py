"""Load scenes: parts of notes as a reader sees them, with the names and links in them.

scenes = load_scenes(view, note_ids=[note.id])
[sentence.text for sentence in scenes[0].sentences]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import func, select

from writeros_entities.query.story.annotations import load_annotations
from writeros_entities.query.story.drafts import SceneDraft, SceneSection, read_section
from writeros_entities.query.story.property_names import load_narrator, load_property_names
from writeros_entities.store.cache import LRUCache
from writeros_entities.vault.notes import plain_note
from writeros_entities.vault.sentences.reading import ReaderSentence, read_sentences

if TYPE_CHECKING:
    from writeros_entities.query.story.annotations import Annotations
    from writeros_entities.store.view import View
    from writeros_entities.story import Scene

MOST_SECTIONS = 128
"""How many recently read sections have their sentences kept in memory."""


def load_scenes(view: View, note_ids: Iterable[int] | None = None) -> list[Scene]:
    """Return the scenes of the manuscript in reading order, then the sections of other notes.

    All notes are read by default, or only those given: of these, a note without text is a scene
    too.
    """
    chosen = None if note_ids is None else sorted(set(note_ids))
    annotations = load_annotations(view, chosen)
    drafts: list[SceneDraft] = []
    for section in view.each(_load_sections(view, chosen)):
        read = _read(section.text) if chosen is None else _recall(view, section.text)
        _add(drafts, section, read, annotations)
    named: dict[int, list[str]] = defaultdict(list)
    for draft in drafts:
        named[draft.section.note_id] += draft.naming()
    property_names = load_property_names(view, named)
    is_told_by_one = any(draft.headings for draft in drafts)
    narrator = load_narrator(view) if is_told_by_one else None
    return [draft.scene(property_names, narrator) for draft in drafts]


def _load_sections(view: View, note_ids: list[int] | None) -> Iterator[SceneSection]:
    chunk, note = view.chunk, view.note
    statement = (
        select(func.coalesce(chunk.c.id, 0).label("id"), note.c.id.label("note_id"))
        .add_columns(func.coalesce(chunk.c.text, "").label("text"))
        .add_columns(func.coalesce(chunk.c.start, 0).label("start"))
        .add_columns(func.coalesce(chunk.c.line, 1).label("line"))
        .add_columns(chunk.c.heading, note.c.path, note.c.title, note.c.position)
        .add_columns(note.c.frontmatter)
        .select_from(note)
        .join(chunk, note.c.id == chunk.c.note_id, isouter=note_ids is not None)
        .where(note.c.kind == "note")
        .order_by(note.c.position.is_(None), note.c.position, note.c.path, chunk.c.start)
    )
    if note_ids is not None:
        statement = statement.where(note.c.id.in_(note_ids))
    sections = groupby(view.all(statement), key=attrgetter("note_id", "heading"))
    return (read_section(rows) for _, rows in sections)


def _add(
    drafts: list[SceneDraft], section: SceneSection, read: _Read, annotations: Annotations
) -> None:
    """Add the scenes of a section, which are separated by scene breaks."""
    start = section.start
    drafts.append(
        drafts[-1].followed_by(section, start) if drafts else SceneDraft(section, 0, start, 0)
    )
    for sentence in read.sentences:
        if sentence.follows_rule and drafts[-1].sentences:
            drafts.append(drafts[-1].followed_by(section, start + sentence.start))
        drafts[-1].add(sentence, annotations)
    drafts[-1].fields += read.fields
    drafts[-1].close()


class _Read(NamedTuple):
    """The sentences of a section, and its inline fields by key and value."""

    sentences: list[ReaderSentence]
    fields: list[tuple[str, str]]


def _read(text: str) -> _Read:
    parsed = plain_note("\n" + text)
    return _Read(read_sentences(text, parsed), [(one.key, one.value) for one in parsed.fields])


def _recall(view: View, text: str) -> _Read:
    """Return the sentences of a section, cached: the same few notes are often read again."""
    recent = view.cache.get_lasting("sentences", lambda: LRUCache(MOST_SECTIONS))
    known: _Read | None = recent.get(text)
    if known is None:
        known = _read(text)
        recent.put(text, known)
    return known
