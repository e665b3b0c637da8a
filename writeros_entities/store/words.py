"""Words and terms of full-text search, the same on every engine.

Words as the full-text index splits them.

    words("Séraphine O’Dara’s hens") == ("seraphine", "o", "dara", "s", "hens")

Whichever engine holds the index, the tokenizer of SQLite's FTS5 is used (`unicode61
remove_diacritics 2`: letters and digits of all scripts, in lower case, Latin letters without
diacritics), so that the words of a query are split like those of the texts.
"""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass
from functools import cache, lru_cache
from threading import local
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select

if TYPE_CHECKING:
    from collections.abc import Sequence

    from writeros_entities.arrays import Integers
    from writeros_entities.store.rows import Statement
    from writeros_entities.store.scope import Scope


TOKENIZER = "unicode61 remove_diacritics 2"


_ASCII = re.compile("[a-z0-9]+")


@lru_cache(maxsize=4_096)
def words(text: str) -> tuple[str, ...]:
    """Return the words of a text, in order."""
    return tuple(_ASCII.findall(text.lower())) if text.isascii() else _tokenizer().cut(text)


class _Tokenizer(local):
    """An in-memory FTS5 index that holds one text at a time; one for each thread."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect(":memory:", isolation_level=None)
        self._connection.execute(f"CREATE VIRTUAL TABLE text USING fts5(t, tokenize='{TOKENIZER}')")
        self._connection.execute("CREATE VIRTUAL TABLE word USING fts5vocab(text, instance)")

    def cut(self, text: str) -> tuple[str, ...]:
        run = self._connection.execute
        run("INSERT INTO text(rowid, t) VALUES (1, ?)", (text,))
        found = run("SELECT term FROM word ORDER BY offset").fetchall()
        run("DELETE FROM text")
        return tuple(row[0] for row in found)


_tokenizer = cache(_Tokenizer)


COMMON = 5
"""A term is common if more than one in this many chunks contains it."""


@dataclass(frozen=True, slots=True)
class Term:
    """One term of a query: alternative phrases, or a substring.

    A phrase is a tuple of words as split by `words`. Several phrases are forms of one term
    (`walk`, `walked`), whose occurrences are added up. With `is_beginning`, the last word of each
    phrase is a prefix. `piece` is a substring; a term with one has no phrases.
    """

    phrases: tuple[tuple[str, ...], ...] = ()
    is_beginning: bool = False
    piece: str = ""


@dataclass(frozen=True, eq=False)
class Postings:
    """The chunks with a term, by ascending id, and its occurrences in text and heading."""

    chunk_ids: Integers
    in_text: Integers
    in_heading: Integers


def has_presence_alone(term: Term, found: int, chunks: int) -> bool:
    """Return whether only the presence of a term is reported, not its number of occurrences.

    `found` is the number of visible chunks that contain it, `chunks` the number of all. An engine
    need not count the occurrences of such a term.
    """
    return any(len(phrase) > 1 for phrase in term.phrases) or found * COMMON > chunks


def only_present(chunk_ids: Integers) -> Postings:
    """Return postings that report only presence, as one occurrence in the text."""
    import numpy as np

    one, none = (np.broadcast_to(np.int64(number), len(chunk_ids)) for number in (1, 0))
    return Postings(chunk_ids, one, none)


OWN_NAMES = ("name", "alias")
"""The kinds of alias that a note states of its own entity."""


class OwnName(NamedTuple):
    """A note, and one of its own names."""

    note_id: int
    form: str


def own_names(scope: Scope) -> Statement:
    """Return the statement that selects the id of each note with each of its own names."""
    entity, alias, note = scope.entity, scope.alias, scope.note
    return (
        select(note.c.id.label("note_id"), alias.c.form)
        .join(entity, entity.c.note_id == note.c.id)
        .join(alias, alias.c.entity_id == entity.c.id)
        .where(alias.c.kind.in_(OWN_NAMES))
    )


def has_term(form: str, term: Term) -> bool:
    """Return whether a name contains one of a term's phrases, or its piece."""
    return count_term(form, term) > 0


def count_term(text: str, term: Term) -> int:
    """Return how often a text contains one of a term's phrases, or its piece."""
    if term.piece:
        return text.count(term.piece)
    parts = words(text)
    return sum(
        _stands_at(parts[start : start + len(phrase)], phrase, is_beginning=term.is_beginning)
        for phrase in term.phrases
        for start in range(len(parts) - len(phrase) + 1)
    )


def _stands_at(part: Sequence[str], phrase: Sequence[str], *, is_beginning: bool) -> bool:
    if is_beginning:
        return tuple(part[:-1]) == tuple(phrase[:-1]) and part[-1].startswith(phrase[-1])
    return tuple(part) == tuple(phrase)
