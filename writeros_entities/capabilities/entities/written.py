"""Every place where the names of an entity are written: names of files, links, prose, properties.

    names = names_of(view, entity)
    NameSearch(view, entity, Names(names)).run()

Notes are read as they are indexed, their properties and what else may name somebody (canvases,
bases, templates) from the files.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import Text, bindparam, cast, or_, select

from writeros_entities.store.columns import is_one_of
from writeros_entities.store.rows import Query, Statement
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.values import UNSEEN

if TYPE_CHECKING:
    from writeros_entities.capabilities.answers import UseKind
    from writeros_entities.language.marks import Marks
    from writeros_entities.store.rows import Row
    from writeros_entities.view import View

_ANY_CASE = frozenset(
    {"file", "folder", "link_text", "other_link", "tag", "canvas_card", "code", "alias"}
)
"""Where a name counts in any case, and with other marks than spaces between its words."""

_BETWEEN = r"[\s_‐‑-]*+"
_PARTS = re.compile(r"[\s_‐‑-]+")
_APOSTROPHE = re.compile("['’ʼ‘`´]")
_IN_TAG = re.compile(r"(?<![^\s(\[{,;])#[^\s#]*\Z")
_CARD = re.compile(r'"file"\s*+:\s*+"([^"\\]*+)"')
_SPACES = re.compile(r"\s+")


class _Note(NamedTuple):
    """A file of the vault, with what its page says."""

    id: int
    path: str
    kind: str
    position: int | None
    content_hash: str | None


class _Files(NamedTuple):
    """The files of a vault by id, those that are no notes, and the paths, in lower case, of all."""

    by_id: Mapping[int, _Note]
    others: Sequence[_Note]
    paths: str
    starts: Sequence[int]

    @classmethod
    def read(cls, view: View) -> _Files:
        """Return the files that a view sees."""
        found = view.fetch(_Note, _files(view))
        others = [
            one
            for one in found
            if one.kind != "note" and (one.kind != "attachment" or one.path.endswith(".base"))
        ]
        paths = [one.path.lower() for one in found]
        starts = [0, *accumulate(len(one) + 1 for one in paths)]
        return cls({one.id: one for one in found}, others, "\n".join(paths), starts)

    def named(self, words: Iterable[str]) -> Iterator[_Note]:
        """Yield the files whose paths have one of some words."""
        notes = list(self.by_id.values())
        found: set[int] = set()
        for word in words:
            at = self.paths.find(word)
            while at >= 0:
                number = bisect_right(self.starts, at) - 1
                found.add(number)
                at = self.paths.find(word, self.starts[number + 1])
        return (notes[number] for number in sorted(found))


class _Piece(NamedTuple):
    """A text of a file, where it begins, and its chunk if it is one; `shown` has no comments."""

    text: str
    start: int
    line: int
    chunk_id: int | None = None
    shown: str = ""


class Written(NamedTuple):
    """One use; `piece` is None for the name of a file or folder."""

    kind: UseKind
    path: str
    position: int | None
    start: int
    end: int
    piece: _Piece | None


def in_order(found: Written) -> tuple[bool, int, str, bool, int]:
    """Return what sorts places: chapters in reading order, then the others by path, as written."""
    is_name = found.piece is None
    return (found.position is None, found.position or 0, found.path, not is_name, found.start)


class Names:
    """The names to look for, as patterns."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self._known = {_spelling(one).casefold(): _spelling(one).split() for one in names}
        longest = sorted(names, key=len, reverse=True)
        self._loose = re.compile(_as_pattern(longest, _BETWEEN), re.IGNORECASE)
        self._strict = re.compile(_as_pattern(longest, r"\s++"))

    @property
    def words(self) -> list[str]:
        """What the full-text index is asked for: the names, and in one word as tags have them."""
        joined = (_PARTS.sub("", one) for one in self.names)
        return list(dict.fromkeys((*self.names, *joined)))

    @property
    def rarest_words(self) -> set[str]:
        """The longest word of each name, in lower case: a text without any of them has no name."""
        return {max(_PARTS.split(one.lower()), key=len) for one in self.names}

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where a text has a name, in any case and with any marks between its words."""
        return (found.span() for found in self._loose.finditer(text))

    def spans_within(self, text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield where a part of a text has a name as it is written."""
        return (found.span() for found in self._strict.finditer(text, start, end))

    def is_exact(self, surface: str) -> bool:
        """Say whether words are written as a name is, but for capitals that a title gives them."""
        spelling = _spelling(surface)
        known = self._known.get(spelling.casefold())
        return known is not None and (
            (spelling.isupper() and len(spelling) > 1)
            or all(
                said in (word, word[:1].upper() + word[1:])
                for said, word in zip(spelling.split(), known, strict=True)
            )
        )


def _spelling(name: str) -> str:
    return _SPACES.sub(" ", _APOSTROPHE.sub("'", name)).strip()


def _as_pattern(names: Iterable[str], between: str) -> str:
    from writeros_entities.names import is_spaced_script

    told = []
    for name in names:
        words = (_APOSTROPHE.sub("['’ʼ‘`´]", re.escape(one)) for one in _PARTS.split(name) if one)
        whole = between.join(words)
        told.append(rf"(?<![^\W_]){whole}(?![^\W_])" if is_spaced_script(name) else whole)
    return "|".join(told) or r"(?!)"


def names_of(view: View, entity: Row) -> list[str]:
    """Return the names that the vault gives an entity, its own first, and its note's file name."""
    alias, note = view.alias, view.note
    given = select(alias.c.form).where(
        alias.c.entity_id == entity.id, alias.c.kind.in_(("name", "alias", "surface_form"))
    )
    forms = view.scalars(given.order_by(alias.c.weight.desc(), alias.c.form))
    if entity.note_id is not None and entity.heading is None:
        paths = view.scalars(select(note.c.path).where(note.c.id == entity.note_id))
        forms += [_stem(path) for path in paths]
    known: dict[str, str] = {}
    for form in forms:
        if len(form) > 1:
            known.setdefault(_spelling(form), form)
    first = _spelling(entity.name)
    return sorted(known.values(), key=lambda form: _spelling(form) != first)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0]


@dataclass
class NameSearch:
    """Finds the uses of one entity's names."""

    view: View
    entity: Row
    names: Names

    def run(self) -> list[Written]:
        """Return all uses."""
        files = self.view.kept("files by name", lambda: _Files.read(self.view))
        own, mentions = self._links(), self._mentions()
        candidates = self._candidates() | own.keys() | mentions.keys()
        notes = (files.by_id[one] for one in candidates & files.by_id.keys())
        asked = [one for one in notes if one.kind == "note" and self.view.has_file(one.path)]
        found = list(self._named_files(files))
        pieces = self._pieces([one.id for one in asked])
        marks = self._marks([one.id for one in asked])
        for note in self.view.each(asked):
            here = self._written(note, pieces[note.id])
            reader = _NoteReader(
                self.names, marks[note.id], own.get(note.id, {}), sorted(mentions.get(note.id, ()))
            )
            found += self._read(note, reader, here)
        if self.view.as_of is None:
            for note in self.view.each(files.others):
                found += self._in_file(note)
        return found

    @cached_property
    def _path(self) -> str | None:
        """The path of the note that the entity is, if it is a whole one."""
        if self.entity.note_id is None or self.entity.heading is not None:
            return None
        note = self.view.note
        paths = self.view.scalars(select(note.c.path).where(note.c.id == self.entity.note_id))
        return next(iter(paths), None)

    def _candidates(self) -> set[int]:
        """Return the ids of notes that may have a name in their text or properties."""
        from writeros_entities.store.full_text import has_piece, notes_containing

        view, note = self.view, self.view.note
        words = self.names.words
        found = notes_containing(view.index, words)
        told = cast(note.c.frontmatter, Text)
        is_named = [has_piece(told, bindparam(None, word, Text)) for word in words]
        is_broken = note.c.diagnostics.is_not(None)
        found.update(view.scalars(select(note.c.id).where(or_(*is_named, is_broken))))
        thread = view.thread
        to_do = [has_piece(thread.c.text, bindparam(None, word, Text)) for word in words]
        found.update(view.scalars(select(thread.c.note_id).where(or_(*to_do))))
        return found

    def _links(self) -> dict[int, dict[int, Row]]:
        """Return the links that lead to the entity, by note and by where they begin."""
        from writeros_entities.vault.links import heading_key, link_key

        entity = self.entity
        if entity.note_id is not None:
            rows = self.view.all(_links_to(self.view), note_id=entity.note_id)
        else:
            rows = self.view.all(_links_named(self.view), keys=[link_key(entity.name)])
        if entity.heading is not None:
            wanted = heading_key(entity.name)
            rows = [one for one in rows if one.heading and heading_key(one.heading) == wanted]
        found: dict[int, dict[int, Row]] = defaultdict(dict)
        for row in rows:
            found[row.note_id][row.start] = row
        return found

    def _mentions(self) -> dict[int, list[tuple[int, int]]]:
        """Return where the entity is read, by note."""
        found: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for row in self.view.all(_mentions_of(self.view), entity_id=self.entity.id):
            found[row.note_id].append((row.start, row.end))
        return found

    def _pieces(self, note_ids: Sequence[int]) -> dict[int, list[_Piece]]:
        """Return the texts of notes that may be seen, in order; those of properties as no chunk."""
        found: dict[int, list[_Piece]] = defaultdict(list)
        for row in self.view.all(_chunks(self.view), note_ids=note_ids) if note_ids else ():
            chunk_id = row.id if row.ordinal >= 0 else None
            found[row.note_id].append(_Piece(row.text, row.start, row.line, chunk_id, row.text))
        return found

    def _marks(self, note_ids: Sequence[int]) -> Mapping[int, Marks]:
        from writeros_entities.language.marks import Marks, unpack_marks

        found: dict[int, Marks] = defaultdict(Marks)
        for row in self.view.all(_pages(self.view), note_ids=note_ids) if note_ids else ():
            found[row.note_id] = unpack_marks(row.marks)
        return found

    def _written(self, note: _Note, pieces: Sequence[_Piece]) -> list[_Piece]:
        """Return what is written in a note, if the file is the one indexed, or else what is stored.

        Under a reading position, it is what may be seen, without what only the author sees.
        """
        from writeros_entities.vault.notes import hash_content

        if self.view.as_of is not None:
            return list(pieces)
        body = [one for one in pieces if one.chunk_id is not None]
        data = self._data(note.path)
        if data is None or hash_content(data) != note.content_hash:
            return body
        text = _text(data)
        end = body[0].start if body else len(text)
        told = [one._replace(text=text[one.start : one.start + len(one.text)]) for one in body]
        return [_Piece(text[:end], 0, 1), *told]

    def _data(self, path: str) -> bytes | None:
        from writeros_entities.sync.drafting.files import read_file
        from writeros_entities.vault.files.config import read_config
        from writeros_entities.vault.files.walk import inspect_path

        root, most = self.view.root, self.view.settings.max_note_bytes
        data = read_file(os.fsencode(f"{root}/{path}"), most)
        if data is None and (file := inspect_path(root, read_config(root), path)) is not None:
            data = None if file.unavailable else read_file(file.disk_path, most)
        return data

    def _named_files(self, files: _Files) -> Iterator[Written]:
        """Yield the files and folders whose names have a name."""
        known: set[str] = set()
        for note in files.named(self.names.rarest_words):
            *folders, name = note.path.split("/")
            is_own = note.id == self.entity.note_id and self.entity.heading is None
            kind: UseKind = "note" if is_own else "file"
            at = len(note.path) - len(name)
            spans = list(self.names.spans(name.rpartition(".")[0] or name))
            if not self.view.has_file(note.path):
                continue
            for start, end in spans:
                yield Written(kind, note.path, note.position, at + start, at + end, None)
            for depth, folder in enumerate(folders, 1):
                path = "/".join(folders[:depth])
                if path not in known:
                    known.add(path)
                    at = len(path) - len(folder)
                    for start, end in self.names.spans(folder):
                        yield Written("folder", path, None, at + start, at + end, None)

    def _read(
        self, note: _Note, reader: _NoteReader, pieces: Iterable[_Piece]
    ) -> Iterator[Written]:
        """Yield the uses in a note's text."""
        for piece in pieces:
            for kind, start, end in reader.read(piece):
                yield Written(kind, note.path, note.position, start, end, piece)

    def _in_file(self, note: _Note) -> Iterator[Written]:
        """Yield the uses in a file that is no note of the vault's: a canvas, a base, a template."""
        data = self._data(note.path)
        text = "" if data is None else _text(data)
        spans = list(self.names.spans(text))
        own = self._path
        if not spans:
            return
        piece = _Piece(text, 0, 1)
        if note.kind in ("canvas", "attachment"):
            cards = [one.span(1) for one in _CARD.finditer(text) if one[1] == own]
            for start, end in spans:
                kind: UseKind = "base"
                if note.kind == "canvas":
                    kind = "canvas_card" if _is_in(cards, start) else "canvas_text"
                if kind in _ANY_CASE or self.names.is_exact(text[start:end]):
                    yield Written(kind, note.path, None, start, end, piece)
            return
        marks, links = _marks_of(text, own)
        yield from self._read(note, _NoteReader(self.names, marks, links, ()), [piece])


def _text(data: bytes) -> str:
    from writeros_entities.vault.files.disk import decode

    return decode(data)[0]


class _LinkTo(NamedTuple):
    """A link in a file that is not indexed."""

    start: int
    end: int
    kind: str
    display: str | None


def _marks_of(text: str, own: str | None) -> tuple[Marks, dict[int, _LinkTo]]:
    """Return the links of a file that is not indexed, and those of them that lead to a note."""
    from writeros_entities.language.marks import Marks
    from writeros_entities.vault.links import link_key
    from writeros_entities.vault.plain_links import links_in

    links = sorted(links_in(text), key=lambda one: one.start)
    marks = Marks(links=[(one.start, one.text_start, one.text_end, one.end) for one in links])
    key = None if own is None else link_key(own)
    leading = {
        one.start: _LinkTo(one.start, one.end, one.kind, one.display)
        for one in links
        if key is not None and link_key(one.target) == key
    }
    return marks, leading


@dataclass(frozen=True)
class _NoteReader:
    """Says what each name in a note's text is written as."""

    names: Names
    marks: Marks
    own: Mapping[int, Row | _LinkTo]
    mentions: Sequence[tuple[int, int]]

    def read(self, piece: _Piece) -> Iterator[tuple[UseKind, int, int]]:
        """Yield the uses in a piece, each with its span in the file."""
        last = piece.start + len(piece.text)
        covered: list[tuple[int, int]] = []
        for start in sorted(self.own):
            if piece.start <= start < last:
                row = self.own[start]
                is_embed = piece.text.startswith("!", start - piece.start)
                yield "embed" if is_embed else "link", start, row.end
        for begin, stop in self.names.spans(piece.text):
            kind = self._kind(piece, piece.start + begin, piece.start + stop)
            is_told = kind in _ANY_CASE or kind == "mention"
            if is_told or self.names.is_exact(piece.text[begin:stop]):
                within = [(begin, stop)]
            else:
                within = list(self.names.spans_within(piece.text, begin, stop))
            for first, last_one in within:
                start, end = piece.start + first, piece.start + last_one
                covered.append((start, end))
                found = self._kind(piece, start, end)
                if found is not None:
                    yield found, start, end
        for start, end in self.mentions:
            is_here = piece.start <= start and end <= last and piece.chunk_id is not None
            if is_here and not _overlaps(covered, start, end) and not self._link_at(start):
                yield self._place(piece, start) or "mention", start, end

    def _kind(self, piece: _Piece, start: int, end: int) -> UseKind | None:
        """Return what a name is written as; None for a part of a link that is told as one."""
        link = self._link_at(start)
        if link is not None:
            return self._in_link(piece, link, start, end)
        before = piece.text[max(0, start - piece.start - 80) : start - piece.start]
        if _IN_TAG.search(before):
            return "tag"
        placed = self._place(piece, start)
        if placed is not None:
            return placed
        return "mention" if _overlaps(self.mentions, start, end) else "text"

    def _place(self, piece: _Piece, start: int) -> UseKind | None:
        """Return what a part of a note is that is no prose, or None."""
        marks = self.marks
        if piece.chunk_id is None and not marks.properties:
            return None
        if piece.chunk_id is None:
            at = bisect_right(marks.properties, start, key=lambda one: one[0]) - 1
            key = list(marks.found_properties())[at].casefold() if at >= 0 else ""
            if key in ("alias", "aliases"):
                return "alias"
            return "tag" if key in ("tag", "tags") else "property"
        if piece.shown.startswith(UNSEEN, start - piece.start):
            return "comment"
        if _is_in(marks.headings, start):
            return "heading"
        if _is_in(marks.fields, start):
            return "property"
        if _is_in(marks.apart, start):
            return "code"
        return "comment" if _is_in(marks.unseen, start) else None

    def _link_at(self, start: int) -> tuple[int, int, int, int] | None:
        near = self.marks.links_near(start, start + 1)
        return next((one for one in near if one[0] <= start < one[3]), None)

    def _in_link(
        self, piece: _Piece, link: tuple[int, int, int, int], start: int, end: int
    ) -> UseKind | None:
        written = piece.text[link[0] - piece.start : link[3] - piece.start]
        has_words = "|" in written or not written.lstrip("!").startswith("[[")
        if has_words and link[1] <= start and end <= link[2]:
            return "link_text"
        return None if link[0] in self.own else "other_link"


def _is_in(spans: Sequence[tuple[int, int]], offset: int) -> bool:
    at = bisect_right(spans, offset, key=lambda one: one[0]) - 1
    return at >= 0 and offset < spans[at][1]


def _overlaps(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    at = bisect_right(spans, end - 1, key=lambda one: one[0])
    return any(one[1] > start for one in spans[max(0, at - 3) : at])


def read_as_others(
    view: View, entity_id: int, page: Collection[Written]
) -> dict[Written, list[int]]:
    """Return whom the words are read as where they are not read as the entity."""
    from writeros_entities.story.mentions import mentions_in

    doubtful = [one for one in page if one.kind == "text" and one.piece and one.piece.chunk_id]
    ids = {one.piece.chunk_id for one in doubtful if one.piece and one.piece.chunk_id}
    named: dict[int, list[Row]] = defaultdict(list)
    for row in mentions_in(view, sorted(ids)):
        named[row.chunk_id].append(row)
    found: dict[Written, list[int]] = defaultdict(list)
    for one in doubtful:
        for row in named[one.piece.chunk_id] if one.piece and one.piece.chunk_id else ():
            is_over = row.start < one.end and one.start < row.end
            if is_over and row.entity_id != entity_id and row.entity_id not in found[one]:
                found[one].append(row.entity_id)
    return found


@prepared
def _files(scope: Scope) -> Query:
    note = scope.note
    columns = (note.c.id, note.c.path, note.c.kind, note.c.position, note.c.content_hash)
    return select(*columns).order_by(note.c.path)


@prepared
def _links_to(scope: Scope) -> Query:
    return _links(scope).where(scope.link.c.target_note_id == bindparam("note_id"))


@prepared
def _links_named(scope: Scope) -> Query:
    link = scope.link
    return _links(scope).where(
        is_one_of(link.c.target_key, "keys"), link.c.status == "unresolved", link.c.kind != "name"
    )


def _links(scope: Scope) -> Statement:
    link = scope.link
    columns = (link.c.note_id, link.c.start, link.c.end, link.c.heading)
    return select(*columns).where(link.c.kind != "canvas", link.c.start < link.c.end)


@prepared
def _mentions_of(scope: Scope) -> Query:
    mention, chunk = scope.mention, scope.chunk
    return (
        select(chunk.c.note_id, mention.c.start, mention.c.end)
        .join(chunk, chunk.c.id == mention.c.chunk_id)
        .where(mention.c.entity_id == bindparam("entity_id"))
        .distinct()
    )


@prepared
def _chunks(scope: Scope) -> Query:
    chunk = scope.chunk
    columns = (chunk.c.note_id, chunk.c.id, chunk.c.ordinal, chunk.c.start, chunk.c.line)
    return (
        select(*columns, chunk.c.text)
        .where(is_one_of(chunk.c.note_id, "note_ids"))
        .order_by(chunk.c.note_id, chunk.c.start)
    )


@prepared
def _pages(scope: Scope) -> Query:
    page = scope.page
    return select(page.c.note_id, page.c.marks).where(is_one_of(page.c.note_id, "note_ids"))
