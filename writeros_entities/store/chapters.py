"""Find the chapters that a name, a path or a number in words may mean, and the error for none."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sqlalchemy import or_, select

from writeros_entities.errors import AmbiguousNameError, NotFoundError
from writeros_entities.names import fold_name, nearest_names
from writeros_entities.values import HEADING_SEPARATOR
from writeros_entities.vault.order.chapters import Chapters, without_link

if TYPE_CHECKING:
    from writeros_entities.store.view import StoredView

_ONLY_A_HEADING = (
    "It is a heading in {!r}, and a note has one place in reading order: that one has place {}, "
    "with all its headings. To ask as of each of its chapters, make them notes."
)

MOST_NEAREST = 5
"""The most chapters that an error lists."""

_NUMBER = re.compile(r"\d+")

PlaceOf: TypeAlias = Callable[[str], tuple[int, ...]]
"""Returns the place in reading order by which a chapter is called ("chapter 7"), or ()."""


class ChapterNote(NamedTuple):
    """What a note of the manuscript is called and numbered by; `reading_order` is its claim."""

    path: str
    title: str
    position: int
    reading_order: Mapping[str, Any] | None


def starts_by_number(
    chapters: Sequence[ChapterNote], name: str, place_of: PlaceOf
) -> dict[str, int]:
    """Return the first reading position of each chapter that a number in words may mean, by path.

    Other than its end, it stays when scenes are added to the chapter.
    """
    place = place_of(name)
    found = _at_place(chapters, place, place_of) if place else []
    first: dict[tuple[int, ...], ChapterNote] = {}
    for row in sorted(found, key=lambda row: (row.position, row.path)):
        first.setdefault(_places(row)[-1], row)
    return {row.path: row.position for row in first.values()}


def chapters_meant(view: StoredView, name: str, place_of: PlaceOf) -> dict[str, int]:
    """Return the chapters that a name, a path or a number in words may mean, by path with their
    positions; by a number, with all scenes of the chapter.

    A number means none if it is a part's, or a heading's in another chapter's note.
    """
    chapters = _chapters(view)
    return _named(chapters, name) or _numbered(view, chapters, name, place_of)


def end_of_chapter(view: StoredView, name: str, place_of: PlaceOf) -> int:
    """Return the last reading position of the chapter that a name, a path or a number means.

    A chapter ends with its last scene. Raises NotFoundError with the nearest chapters, or
    AmbiguousNameError with the paths of several.
    """
    chapters = _chapters(view)
    named = _named(chapters, name)
    meant = named or _numbered(view, chapters, name, place_of)
    if not meant:
        raise no_such_chapter(view, name, place_of, "chapter")
    found = [row for row in chapters if row.path in meant]
    ends = {_end(row, chapters) for row in found}
    is_one = not named and len({_places(row)[-1] for row in found}) == 1
    if len(ends) > 1 and not is_one:
        raise AmbiguousNameError(name, sorted(meant), kind="chapters", by="path")
    return max(ends)


def no_such_chapter(view: StoredView, name: str, place_of: PlaceOf, what: str) -> NotFoundError:
    """Return the error for a name that means no chapter, with the nearest chapters."""
    if note := _note_with_heading(view, name):
        reason = _ONLY_A_HEADING.format(note.path, note.position)
        return NotFoundError(what, name, reason=reason)
    chapters = _chapters(view)
    known = [(_number(row), row.title) for row in chapters]
    nearest = _told_apart(_nearest_chapters(name, place_of(name), known), chapters)
    reason = ""
    if chapters and not nearest:
        first, last = chapters[0].position, chapters[-1].position
        reason = f"The places in reading order are {first} to {last}."
    return NotFoundError(what, name, nearest, reason=reason)


def _told_apart(titles: Sequence[str], chapters: Sequence[ChapterNote]) -> list[str]:
    """Return the titles of chapters, each once; for one that several have, their paths."""
    told: list[str] = []
    for title in dict.fromkeys(titles):
        paths = [row.path for row in chapters if row.title == title]
        told += paths if len(paths) > 1 else [title]
    return told[:MOST_NEAREST]


def _note_with_heading(whole: StoredView, name: str) -> Any:
    """Return the first manuscript note with a heading of that name, or None."""
    note, chunk = whole.note, whole.chunk
    wanted = fold_name(without_link(name))
    statement = (
        select(note.c.path, note.c.position, chunk.c.heading, chunk.c.sections)
        .join(chunk, chunk.c.note_id == note.c.id)
        .where(
            note.c.position.is_not(None),
            or_(chunk.c.heading.is_not(None), chunk.c.sections.is_not(None)),
        )
        .order_by(note.c.position, note.c.path)
    )
    for row in whole.all(statement):
        sections = (line.partition(" ")[2] for line in (row.sections or "").splitlines())
        for path in (row.heading or "", *sections):
            if wanted in map(fold_name, path.split(HEADING_SEPARATOR)):
                return row
    return None


def _chapters(view: StoredView) -> list[ChapterNote]:
    note = view.note
    statement = select(note.c.path, note.c.title, note.c.position, note.c.reading_order)
    is_chapter = note.c.position.is_not(None), note.c.kind == "note"
    found = view.fetch(ChapterNote, statement.where(*is_chapter))
    return sorted(found, key=lambda row: (row.position, row.path))


def _named(chapters: Sequence[ChapterNote], name: str, source_path: str = "") -> dict[str, int]:
    title = fold_name(without_link(name))
    return Chapters({row.path: row.position for row in chapters}).meant(name, source_path) or {
        row.path: row.position for row in chapters if fold_name(row.title) == title
    }


def _numbered(
    view: StoredView, chapters: Sequence[ChapterNote], name: str, place_of: PlaceOf
) -> dict[str, int]:
    place = place_of(name)
    found = _at_place(chapters, place, place_of) if place else []
    numbered = {row.path: row.position for row in found}
    inside = _note_with_heading(view, name) if numbered else None
    return numbered if inside is None or inside.path in numbered else {}


def _at_place(
    chapters: Sequence[ChapterNote], place: tuple[int, ...], place_of: PlaceOf
) -> list[ChapterNote]:
    """Return the notes of the chapter at a place in its book or in the series.

    If there is none, they are those of the only chapter whose own number that is.
    """
    like = [row for row in chapters if _places(row) and _number(row) == place[-1]]
    like = [row for row in like if not _is_part(row.title, place_of)]
    exact = [row for row in like if place in _places(row)]
    is_only = len(place) == 1 and len({_places(row)[-1] for row in like}) == 1
    return exact or (like if is_only else [])


def _end(chapter: ChapterNote, chapters: Sequence[ChapterNote]) -> int:
    """Return the position of a chapter's last scene, or that of its note, or of a scene itself."""
    if _is_scene(chapter):
        return chapter.position
    scenes = [row for row in chapters if _is_scene(row) and _is_in(row, chapter, chapters)]
    return max(row.position for row in (chapter, *scenes))


def _is_in(scene: ChapterNote, chapter: ChapterNote, chapters: Sequence[ChapterNote]) -> bool:
    if within := (scene.reading_order or {}).get("within"):
        notes = [row for row in chapters if not _is_scene(row)]
        return chapter.path in _named(notes, within, scene.path)
    return _places(scene) == _places(chapter)


def _is_scene(row: ChapterNote) -> bool:
    claim = row.reading_order or {}
    return bool(claim.get("within") or claim.get("chapter"))


def _places(row: ChapterNote) -> tuple[tuple[int, ...], ...]:
    """Return the places of a note's chapter in its book and in the series, as the note says."""
    claim = row.reading_order or {}
    key = () if claim.get("within") else tuple(claim.get("chapter") or claim.get("key", ()))
    return (key, (*claim.get("book", ()), *key)) if key else ()


def _is_part(title: str, place_of: PlaceOf) -> bool:
    """Say whether a title begins with the number of what holds chapters: "Part Two: Ice"."""
    start = " ".join(title.split()[:2]).rstrip(":,.")
    return not place_of(start) and len(place_of(f"{start}, chapter 1")) > 1


def _number(row: ChapterNote) -> int:
    """Return the number by which a writer knows a chapter; its position if it has none."""
    places = _places(row)
    return places[0][-1] if places else row.position


def _nearest_chapters(
    name: str, place: Sequence[int], known: Sequence[tuple[int, str]]
) -> list[str]:
    """Return the titles of the chapters that a name most likely means, from (number, title) pairs.

    A number in the name is a chapter's: `#7` is the seventh. A name that is only a number is like
    no other.
    """
    numbers = set(place[-1:]) or set(map(int, _NUMBER.findall(name)))
    numbered = [title for number, title in known if number in numbers]
    if numbered or name.strip().isdecimal():
        return numbered[:MOST_NEAREST]
    return nearest_names(without_link(name), [title for _, title in known])
