"""The graph over which a question is walked: chunks, and the entities, names and phrases in them.

It needs no links: two chunks are connected by the terms that occur in both. The terms of a chunk
are

- the entities that it mentions;
- the titles occurring in it, of notes without an entity;
- other names, and phrases, that occur in at least two chunks but not too many (see `phrases`).

The step from a chunk to a term is weighted by the term's rarity, ln(1 + N / n) for a term in n of
the N chunks, times `OWN_NOTE` if a note is about the term, as that note has something to say of it,
and times `PHRASE` if it is only a phrase. The steps from a term lead to all its chunks with equal
weight, except that the note about it weighs as much as `OWN_NOTE` mentions. Everything is read
through the view, and counted in what the view sees.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from sqlalchemy import select

from writeros_entities.capabilities.search.phrases import (
    BREAK,
    Phrases,
    Words,
    find_known,
    find_names,
    find_pairs,
    key_of,
    read_words,
)
from writeros_entities.graph.walk import Ways, build_ways
from writeros_entities.language.marks import Part
from writeros_entities.store.chunks import visible_chunks
from writeros_entities.store.lexicon import display_names
from writeros_entities.store.rows import Query
from writeros_entities.store.scope import Scope, prepared

if TYPE_CHECKING:
    from writeros_entities.arrays import Flags, Integers, Keys
    from writeros_entities.store.chunks import Chunks
    from writeros_entities.view import View

OWN_NOTE = 10.0
"""The weight of the note about a term, relative to a mention of it."""

PHRASE = 0.1
"""The weight of a phrase relative to a name."""

ENTITY, TITLE, NAME, PAIR = range(4)
KINDS = ("entity", "note", "name", "phrase")

COMMON = {NAME: 10, PAIR: 100}
"""A name or phrase that occurs in more than one of this many chunks connects nothing."""

_QUALIFIER = re.compile(r" \([^()]*\)\Z")


@dataclass(frozen=True, eq=False)
class PhraseGraph:
    """Chunks, their terms, and the weighted edges between them.

    Chunks are numbered by their rows in `chunks`. For each term, `kind` is an index into KINDS;
    `entity` is the id of its entity's row, or 0; `shown` is its text if it is not an entity.
    """

    chunks: Chunks
    kind: Integers
    entity: Integers
    shown: tuple[str, ...]
    ways: Ways

    def names(self, view: View, terms: Iterable[int]) -> dict[int, str]:
        """Return the names of terms: of entities as the reader knows them, of others as written."""
        wanted = sorted(set(terms))
        entities = {one: int(self.entity[one]) for one in wanted if self.kind[one] == ENTITY}
        known = display_names(view, entities.values())
        return {one: known[entities[one]] if one in entities else self.shown[one] for one in wanted}


@dataclass(frozen=True, eq=False)
class _Spoken:
    """The occurrences of terms of one kind in chunks, one row each, in order.

    `key` identifies a term among those of its kind; `is_about` marks rows whose chunk is in the
    note about the term; `show` returns the text of the term in a row.
    """

    kind: int
    chunk: Integers
    key: Keys
    is_about: Flags
    show: Callable[[int], str] = lambda _: ""


def load_phrase_graph(view: View) -> PhraseGraph:
    """Return the graph of a view; the last few are cached until the index changes."""
    return view.kept("phrases", lambda: read_phrase_graph(view))


def read_phrase_graph(view: View) -> PhraseGraph:
    """Read every visible text, and connect the chunks by the terms that they share."""
    chunks = visible_chunks(view)
    words = _read_words(view, chunks)
    titles = _read_titles(view, words)
    titled = find_known(words, [title.words for title in titles.values()])
    names = find_names(words, titled.covers(len(words.ids))).without(_called(view, words))
    spoken = (
        _entities_spoken_of(view, chunks),
        _titles_spoken_of(chunks, words, titled, titles),
        _phrases_spoken_of(NAME, words, names),
        _phrases_spoken_of(PAIR, words, find_pairs(words)),
    )
    return _connect(chunks, [_edges_of(one, len(chunks)) for one in spoken])


# -- What chunks speak of ------------------------------------------------------------------------


class _Text(NamedTuple):
    """The text of a chunk, and where it stands."""

    id: int
    note_id: int
    text: str
    start: int


@prepared
def _texts(scope: Scope) -> Query:
    chunk = scope.chunk
    return select(chunk.c.id, chunk.c.note_id, chunk.c.text, chunk.c.start)


@prepared
def _marks(scope: Scope) -> Query:
    return select(scope.page.c.note_id, scope.page.c.marks)


_MENTION = np.dtype([("chunk_id", "i8"), ("entity_id", "i8")])


@prepared
def _mentions(scope: Scope) -> Query:
    mention = scope.mention
    return select(mention.c.chunk_id, mention.c.entity_id).order_by(
        mention.c.chunk_id, mention.c.start, mention.c.end, mention.c.entity_id
    )


@prepared
def _own_notes(scope: Scope) -> Query:
    entity = scope.entity
    return select(entity.c.note_id, entity.c.id).where(entity.c.note_id.is_not(None))


@prepared
def _forms(scope: Scope) -> Query:
    return select(scope.mention.c.form).distinct()


@prepared
def _notes(scope: Scope) -> Query:
    return select(scope.note.c.id, scope.note.c.title).where(scope.note.c.kind == "note")


@dataclass(frozen=True, slots=True)
class _Title:
    """A note's title without a qualifier in brackets, and the numbers of its words."""

    shown: str
    words: tuple[int, ...]


def _read_words(view: View, chunks: Chunks) -> Words:
    """Return the words of each chunk's prose, in the order of the chunks."""
    marks = view.lookup(_marks(view))
    texts = {row.id: row for row in view.fetch(_Text, _texts(view))}
    rows = map(texts.__getitem__, chunks.ids.tolist())
    parts = (Part(row.text, row.start, marks.get(row.note_id)) for row in rows)
    return read_words(part.prose(BREAK) for part in parts)


def _called(view: View, words: Words) -> list[int]:
    """Return the keys of all forms by which entities are mentioned."""
    found = map(words.ids_of, view.scalars(_forms(view)))
    return [key_of(one) for one in found if one]


def _read_titles(view: View, words: Words) -> dict[int, _Title]:
    """Return the titles, of notes without an entity, whose words all occur in the texts."""
    standing = view.lookup(_own_notes(view))
    titles = {}
    for note_id, title in view.lookup(_notes(view)).items():
        shown = _QUALIFIER.sub("", title)
        found = words.ids_of(shown)
        if found and note_id not in standing:
            titles[note_id] = _Title(shown, found)
    return titles


def _entities_spoken_of(view: View, chunks: Chunks) -> _Spoken:
    """Return the mentions of entities, and the chunks of their own notes."""
    mentions = view.array(_MENTION, _mentions(view))
    mentions = mentions[np.isin(mentions["chunk_id"], chunks.ids)]
    owners = view.lookup(_own_notes(view))
    own = np.array([owners.get(note_id, 0) for note_id in chunks.note_ids.tolist()], np.int64)
    about = np.flatnonzero(own)
    rows = np.concatenate([chunks.rows_of(mentions["chunk_id"]), about])
    entity = np.concatenate([mentions["entity_id"], own[about]])
    is_about = np.arange(len(rows)) >= len(mentions)
    order = np.argsort(rows, kind="stable")
    return _Spoken(ENTITY, rows[order], entity[order].astype(np.uint64), is_about[order])


def _titles_spoken_of(
    chunks: Chunks, words: Words, titled: Phrases, titles: Mapping[int, _Title]
) -> _Spoken:
    """Return the occurrences of titles, and the chunks of the notes with these titles."""
    keys = {note_id: key_of(title.words) for note_id, title in titles.items()}
    about = np.flatnonzero(np.isin(chunks.note_ids, np.fromiter(keys, np.int64)))
    own = np.array([keys[note_id] for note_id in chunks.note_ids[about].tolist()], np.uint64)
    rows = np.concatenate([words.text[titled.place], about])
    is_about = np.arange(len(rows)) >= len(titled.place)
    order = np.argsort(rows, kind="stable")
    key = np.concatenate([titled.key, own])[order]
    shown = {keys[note_id]: title.shown for note_id, title in sorted(titles.items(), reverse=True)}
    return _Spoken(TITLE, rows[order], key, is_about[order], lambda row: shown[int(key[row])])


def _phrases_spoken_of(kind: int, words: Words, found: Phrases) -> _Spoken:
    """Return the occurrences of names or phrases."""

    def show(row: int) -> str:
        return words.shown(int(found.place[row]), int(found.length[row]))

    is_about = np.zeros(len(found.place), np.bool_)
    return _Spoken(kind, words.text[found.place], found.key, is_about, show)


# -- The graph of it -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Edges:
    """Edges between terms of one kind, numbered by first occurrence, and chunks; sorted by term.

    `is_about` marks chunks in the note about the term; `entity` and `shown` are as in
    `PhraseGraph`.
    """

    kind: int
    term: Integers
    chunk: Integers
    is_about: Flags
    entity: Integers
    shown: tuple[str, ...]


def _edges_of(spoken: _Spoken, chunks: int) -> _Edges:
    """Return one edge for each term and chunk, for the terms that connect chunks."""
    _, first, term = np.unique(spoken.key, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))
    pairs, at = np.unique(rank[term] * max(chunks, 1) + spoken.chunk, return_inverse=True)
    is_about = np.bincount(at, weights=spoken.is_about, minlength=len(pairs)) > 0
    term, chunk = np.divmod(pairs, max(chunks, 1))
    number = np.bincount(term, minlength=len(first))
    kept = number > 1
    if spoken.kind in COMMON:
        kept &= number <= max(2, chunks // COMMON[spoken.kind])
    rows = np.sort(first)[kept].tolist()
    of_kept = kept[term]
    return _Edges(
        spoken.kind,
        (np.cumsum(kept) - 1)[term[of_kept]],
        chunk[of_kept],
        is_about[of_kept],
        spoken.key[rows].astype(np.int64)
        if spoken.kind == ENTITY
        else np.zeros(len(rows), np.int64),
        tuple("" if spoken.kind == ENTITY else spoken.show(row) for row in rows),
    )


def _connect(chunks: Chunks, parts: Sequence[_Edges]) -> PhraseGraph:
    """Return the graph with the edges of all kinds, weighted."""
    sizes = [len(part.shown) for part in parts]
    before = np.cumsum([0, *sizes])
    chunk = np.concatenate([part.chunk for part in parts])
    term = np.concatenate([part.term + at for part, at in zip(parts, before, strict=False)])
    is_about = np.concatenate([part.is_about for part in parts])
    kind = np.repeat([part.kind for part in parts], sizes)
    number = np.bincount(term, minlength=len(kind))
    about = np.bincount(term, weights=is_about, minlength=len(kind))
    worth = np.log1p(len(chunks) / np.maximum(number, 1)) * np.where(about > 0, OWN_NOTE, 1.0)
    worth *= np.where(kind == PAIR, PHRASE, 1.0)
    back = np.where(is_about, np.maximum(OWN_NOTE / np.maximum(about[term], 1), 1.0), 1.0)
    return PhraseGraph(
        chunks,
        kind,
        np.concatenate([part.entity for part in parts]),
        tuple(shown for part in parts for shown in part.shown),
        build_ways(chunk, term, worth[term], back, (len(chunks), len(kind))),
    )
