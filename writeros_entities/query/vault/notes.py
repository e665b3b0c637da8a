"""Notes as indexed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from writeros_entities.errors import AmbiguousNameError, NotFoundError
from writeros_entities.names import fold_name, nearest_names, split_link
from writeros_entities.query.entities.finding import find_candidates
from writeros_entities.query.vault.passages import GAP, passages_of
from writeros_entities.query.vault.places import require_place
from writeros_entities.store.chapters import chapters_meant
from writeros_entities.store.folders import is_at
from writeros_entities.vault.links import link_key
from writeros_entities.vault.order.chapters import Chapters

if TYPE_CHECKING:
    from writeros_entities.plugins import Plugins
    from writeros_entities.store.view import View


_HIDDEN = (
    "As of a chapter, only the chapters so far can be read, and notes whose `visible_from` is "
    "reached."
)


@dataclass(frozen=True, slots=True)
class Chapter:
    """A note of the manuscript: its path, its reading position, and its text as indexed."""

    path: str
    position: int
    text: str


@dataclass(frozen=True, slots=True)
class NoteSize:
    """A note, its reading position (None outside the manuscript), and its length in tokens."""

    path: str
    title: str
    position: int | None
    tokens: int


def list_notes(view: View, offset: int, limit: int | None) -> list[str]:
    """Return a page of the paths of notes, in order; `limit=None` returns all from the offset."""
    note = view.note
    statement = select(note.c.path).where(note.c.kind == "note").order_by(note.c.path)
    return [row.path for row in view.all(statement.offset(offset).limit(limit))]


def list_in_reading_order(
    view: View, offset: int, limit: int, *, below: str | None = None, chapters_only: bool = False
) -> tuple[list[NoteSize], int]:
    """Return a page of notes with the number of all: the manuscript in order, others by path.

    Raises NotFoundError with the nearest paths if no note or folder is at `below`.
    """
    note, chunk = view.note, view.chunk
    conditions = [note.c.kind == "note"]
    if below is not None:
        require_place(view, below)
        conditions.append(is_at(note.c.path, below))
    if chapters_only:
        conditions.append(note.c.position.is_not(None))
    tokens = select(func.coalesce(func.sum(chunk.c.tokens), 0)).where(chunk.c.note_id == note.c.id)
    statement = (
        select(note.c.path, note.c.title, note.c.position, tokens.scalar_subquery())
        .where(*conditions)
        .order_by(note.c.position.is_(None), note.c.position, note.c.path)
    )
    page = view.all(statement.offset(offset).limit(limit))
    total = view.scalar(select(func.count()).select_from(note).where(*conditions))
    return [NoteSize(*row) for row in page], total


def list_chapters(view: View) -> list[str]:
    """Return the titles of the manuscript's notes, in reading order; paths for repeated titles."""
    note = view.note
    statement = select(note.c.title, note.c.path).where(note.c.position.is_not(None))
    chapters = view.all(statement.order_by(note.c.position, note.c.path))
    bearers = Counter(fold_name(row.title) for row in chapters)
    return [row.title if bearers[fold_name(row.title)] == 1 else row.path for row in chapters]


def read_note(view: View, path: str) -> str:
    """Return the visible text of a note: its chunks in order, without comments.

    Raises NotFoundError with the nearest paths if the index has no such note.
    """
    note = view.note
    found = view.one(select(note.c.id).where(note.c.path == path, note.c.kind == "note"))
    if found is None:
        raise _no_such_note(view, path)
    return GAP.join(passage.text for passage in passages_of(view, found.id))


def read_chapter(view: View, name: str) -> Chapter:
    """Return the chapter at a view's reading position.

    `name` is the name or number by which it was requested; it decides between two chapters at the
    same position. Raises NotFoundError if there is none.
    """
    note = view.note
    here = select(note.c.path, note.c.position).where(note.c.position == view.as_of)
    found = {row.path: int(row.position) for row in view.all(here.order_by(note.c.path))}
    if not found:
        raise NotFoundError("chapter at reading position", name)
    path, position = next(iter((Chapters(found).meant(name) or found).items()))
    return Chapter(path, position, read_note(view, path))


def find_place(view: View, plugins: Plugins, name: str) -> tuple[Any, str]:
    """Return the note that a name refers to, and what follows its `#`: a heading or `^block`.

    Raises as `find_note`.
    """
    title, place = split_link(name)
    if not place and not _titled(view, title):
        title, _, place = title.partition("#")
    return find_note(view, plugins, title or name), place


def find_note(view: View, plugins: Plugins, name: str) -> Any:
    """Return the one note that a path, a link, a title or the name of an entity refers to.

    A chapter's name may be given without its number, or its number without the name. Raises
    NotFoundError with the nearest paths, or AmbiguousNameError with the possible paths.
    """
    title, _ = split_link(name)
    found, kind = _titled(view, title) or _described(view, plugins, title), "notes"
    if not found:
        found, kind = _chapters(view, plugins, title), "chapters"
    if not found:
        raise _no_such_note(view, name)
    if len(found) > 1:
        raise AmbiguousNameError(name, sorted(row.path for row in found), kind=kind, by="path")
    return found[0]


def _titled(view: View, name: str) -> Sequence[Any]:
    """Return the note at a path, or else the notes with a title."""
    notes = select(view.note).where(view.note.c.kind == "note")
    path = name if name.endswith(".md") else f"{name}.md"
    found = view.all(notes.where(view.note.c.path == path))
    return found or view.all(notes.where(view.note.c.link_key == link_key(name)))


def _described(view: View, plugins: Plugins, name: str) -> Sequence[Any]:
    """Return the notes of the entities that a name can mean."""
    note, entity = view.note, view.entity
    ids = [row.id for row in find_candidates(view, plugins, name)]
    notes = select(note).join(entity, entity.c.note_id == note.c.id)
    return view.all(notes.where(entity.c.id.in_(ids)).order_by(note.c.path))


def _chapters(view: View, plugins: Plugins, name: str) -> Sequence[Any]:
    meant = chapters_meant(view, name, plugins.place_of)
    notes = select(view.note).where(view.note.c.kind == "note")
    return list(view.all_among(notes, view.note.c.path, sorted(meant)))


def _no_such_note(view: View, name: str) -> NotFoundError:
    """Return the error for a name without a note, with the paths that have the nearest names."""
    note = view.note
    named: dict[str, str] = {}
    for row in view.all(select(note.c.path, note.c.title).where(note.c.kind == "note")):
        named |= {row.title: row.path, row.path: row.path}
    nearest = dict.fromkeys(named[one] for one in nearest_names(name, named))
    return NotFoundError("note", name, nearest, reason="" if view.as_of is None else _HIDDEN)


def topics_of(view: View, note_id: int) -> list[tuple[str, float]]:
    """Return the topics of a note, each with its confidence, surest first."""
    topic = view.topic
    statement = (
        select(topic.c.name, topic.c.confidence)
        .where(topic.c.note_id == note_id)
        .order_by(topic.c.confidence.desc(), topic.c.name)
    )
    return [(row.name, row.confidence) for row in view.all(statement)]
