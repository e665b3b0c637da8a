"""Notes as indexed."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import and_, case, func, select

from writeros_entities.errors import AmbiguousNameError, NotFoundError
from writeros_entities.names import fold_name, nearest_names, split_link
from writeros_entities.store.chapters import chapters_meant, no_such_chapter
from writeros_entities.store.columns import is_at
from writeros_entities.store.vaults import NO_ORDER, as_number
from writeros_entities.story.finding import find_candidates
from writeros_entities.story.passages import GAP, passages_of
from writeros_entities.vault.links import link_key, resolve_link
from writeros_entities.vault.roles import GUESSED, UNKNOWN

if TYPE_CHECKING:
    from writeros_entities.store.rows import Row
    from writeros_entities.view import View


_HIDDEN = (
    "As of a chapter, only the chapters so far can be read, and notes whose `visible_from` is "
    "reached."
)

_LINKED = "Other notes link to it by name."
"""Why a note is about an entity, if nothing else says what it is."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """A note of the manuscript: its path, its reading position, and its text as indexed."""

    path: str
    position: int
    text: str


@dataclass(frozen=True, slots=True)
class NoteSize:
    """A note, its reading position (None outside the manuscript), its length in tokens, and what it
    is, with the reason and how sure that is.
    """

    id: int
    path: str
    title: str
    position: int | None
    tokens: int
    role: str
    role_reason: str
    role_confidence: float


def list_notes(view: View, offset: int, limit: int | None) -> list[str]:
    """Return a page of the paths of notes, in order; `limit=None` returns all from the offset."""
    note = view.note
    statement = select(note.c.path).where(note.c.kind == "note").order_by(note.c.path)
    return view.scalars(statement.offset(offset).limit(limit))


def list_in_reading_order(
    view: View,
    offset: int,
    limit: int,
    *,
    below: str | None = None,
    chapters_only: bool = False,
    role: str | None = None,
    in_order: Sequence[str] | None = None,
) -> tuple[list[NoteSize], int]:
    """Return a page of notes with the number of all: the manuscript in order, others by path.

    `below` is the path of a note or folder. `in_order` has the paths of the manuscript's notes in
    another order. A note about an entity of which nothing else says what it is has that role.
    """
    note, chunk, entity = view.note, view.chunk, view.entity
    about = select(entity.c.note_id).where(entity.c.note_id == note.c.id)
    has_subject = about.where(entity.c.status == "noted").exists()
    is_subject = and_(note.c.role_confidence == UNKNOWN, has_subject)
    seen_as = case((is_subject, "entity"), else_=note.c.role)
    conditions = [note.c.kind == "note"]
    if role is not None:
        conditions.append(seen_as == role)
    if below is not None:
        conditions.append(is_at(note.c.path, below))
    if chapters_only:
        conditions.append(note.c.position.is_not(None))
    tokens = select(func.coalesce(func.sum(chunk.c.tokens), 0)).where(chunk.c.note_id == note.c.id)
    statement = (
        select(note.c.id, note.c.path, note.c.title, note.c.position)
        .add_columns(tokens.scalar_subquery().label("tokens"))
        .add_columns(
            seen_as.label("role"),
            case((is_subject, _LINKED), else_=note.c.role_reason).label("role_reason"),
            case((is_subject, GUESSED), else_=note.c.role_confidence).label("role_confidence"),
        )
        .where(*conditions)
        .order_by(note.c.position.is_(None), note.c.position, note.c.path)
    )
    if in_order is None:
        page = view.fetch(NoteSize, statement.offset(offset).limit(limit))
    else:
        order = {path: number for number, path in enumerate(in_order)}
        found = select(note.c.path).where(*conditions).order_by(note.c.path)
        paths = sorted(view.scalars(found), key=lambda path: order.get(path, len(order)))
        asked = paths[offset : offset + limit]
        sizes = {
            one.path: one for one in view.fetch(NoteSize, statement.where(note.c.path.in_(asked)))
        }
        page = [sizes[path] for path in asked]
    total = view.scalar(select(func.count()).select_from(note).where(*conditions))
    return page, total


def list_chapters(view: View) -> list[str]:
    """Return the titles of the manuscript's notes, in reading order; paths for repeated titles."""
    note = view.note
    statement = select(note.c.title, note.c.path).where(note.c.position.is_not(None))
    chapters = view.all(statement.order_by(note.c.position, note.c.path))
    bearers = Counter(fold_name(row.title) for row in chapters)
    return [row.title if bearers[fold_name(row.title)] == 1 else row.path for row in chapters]


def text_of(view: View, note_id: int) -> str:
    """Return the visible text of a note: its chunks in order, without comments."""
    return GAP.join(passage.text for passage in passages_of(view, note_id))


def find_place(view: View, name: str) -> tuple[Any, str]:
    """Return the note that a name refers to, and what follows its `#`: a heading or `^block`.

    Raises as `find_note`.
    """
    title, place = split_link(name)
    if not place and not _titled(view, title):
        parts = title.split("#")
        splits = [("#".join(parts[:at]), "#".join(parts[at:])) for at in range(1, len(parts))]
        named = (split for split in splits if _titled(view, split[0].strip()))
        title, place = next(named, splits[0] if splits else (title, ""))
    return find_note(view, title or name), place


def find_note(view: View, name: str) -> Row:
    """Return the one note that a name means: whichever it is first of

    1. a path, with or without `.md`;
    2. a title, or the end of a path, as in a link;
    3. a chapter: its reading position, its number in words (`chapter 7`), or its name without the
       number;
    4. a name of the entity that a note is about.

    Raises AmbiguousNameError with the possible paths, or NotFoundError: with the nearest paths, or,
    for a number, with the nearest chapters.
    """
    title, _ = split_link(name)
    found, kind = _titled(view, title), "notes"
    if not found:
        found, kind = _chapters(view, title), "chapters"
    if not found:
        found, kind = _described(view, title), "notes"
    if not found:
        raise _no_such_note(view, title)
    if len(found) > 1:
        raise AmbiguousNameError(name, sorted(row.path for row in found), kind=kind, by="path")
    return found[0]


def find_below(view: View, name: str) -> str:
    """Return the path of the folder at a path, or else of the note that a name means.

    Raises NotFoundError with the nearest paths if there is neither, or as `find_note`.
    """
    note = view.note
    if view.scalar(select(note.c.id).where(is_at(note.c.path, name)).limit(1)) is not None:
        return name
    try:
        return str(find_note(view, name).path)
    except NotFoundError:
        paths = view.scalars(select(note.c.path))
        folders = {str(folder) for one in paths for folder in PurePosixPath(one).parents} - {"."}
        nearest = nearest_names(name, folders.union(paths))
        raise NotFoundError("note or folder", name, nearest) from None


def _titled(view: View, name: str) -> Sequence[Row]:
    """Return the note at a path, or else the notes with a title or at the end of a path."""
    note = view.note
    notes = select(note).where(note.c.kind == "note")
    path = unicodedata.normalize("NFC", name if name.endswith(".md") else f"{name}.md")
    at_path = view.all(notes.where(note.c.path == path))  # the index has all paths in that form
    if at_path:
        return at_path
    like = view.all(notes.where(note.c.link_key == link_key(name)))
    led_to = resolve_link(name, "", [row.path for row in like]).candidates if name else ()
    if led_to:
        return [row for row in like if row.path in led_to]
    title = fold_name(name)
    titles = view.whole().kept("titles", lambda: _Titles(view.whole()))
    found = view.all_among(notes, note.c.id, titles.like(title))
    return [row for row in found if fold_name(row.title) == title]


class _Titles:
    """The titles of all notes, by their hash: 16 bytes for each, so that they can be kept.

    They are read as of no position: which of the notes it may show, a view decides.
    """

    def __init__(self, whole: View) -> None:
        note = whole.note
        found = whole.lookup(select(note.c.id, note.c.title).where(note.c.kind == "note"))
        hashes = np.array([hash(fold_name(title)) for title in found.values()], np.int64)
        ids = np.fromiter(found, np.int64)
        order = np.lexsort((ids, hashes))
        self._hashes, self._ids = hashes[order], ids[order]

    def like(self, title: str) -> list[int]:
        """Return the ids of the notes with a folded title, ascending, and maybe of a few others."""
        first, last = (
            np.searchsorted(self._hashes, hash(title), side) for side in ("left", "right")
        )
        ids: list[int] = self._ids[first:last].tolist()
        return ids


def _described(view: View, name: str) -> Sequence[Row]:
    """Return the notes of the entities that a name can mean."""
    note, entity = view.note, view.entity
    ids = [row.id for row in find_candidates(view, name)]
    notes = select(note).join(entity, entity.c.note_id == note.c.id)
    return view.all(notes.where(entity.c.id.in_(ids)).order_by(note.c.path))


def _chapters(view: View, name: str) -> Sequence[Row]:
    notes = select(view.note).where(view.note.c.kind == "note")
    position = as_number(name)
    if position is not None:
        return view.all(notes.where(view.note.c.position == position))
    meant = chapters_meant(view, name, view.plugins.place_of)
    return list(view.all_among(notes, view.note.c.path, sorted(meant)))


def _no_such_note(view: View, name: str) -> NotFoundError:
    """Return the error for a name without a note, with the paths that have the nearest names."""
    reason = "" if view.as_of is None else _HIDDEN
    if as_number(name) is not None or view.plugins.place_of(name):
        if list_chapters(view):
            return no_such_chapter(view, name, view.plugins.place_of, "note")
        reason = NO_ORDER if view.at(0).lacks_order else reason
    note = view.note
    named: dict[str, str] = {}
    for row in view.all(select(note.c.path, note.c.title).where(note.c.kind == "note")):
        named |= {row.title: row.path, row.path: row.path}
    nearest = dict.fromkeys(named[one] for one in nearest_names(name, named))
    return NotFoundError("note", name, nearest, reason=reason)


def topics_of(view: View, note_id: int) -> list[tuple[str, float]]:
    """Return the topics of a note, each with its confidence, surest first."""
    topic = view.topic
    statement = (
        select(topic.c.name, topic.c.confidence)
        .where(topic.c.note_id == note_id)
        .order_by(topic.c.confidence.desc(), topic.c.name)
    )
    return [(row.name, row.confidence) for row in view.all(statement)]
