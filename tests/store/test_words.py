"""The words of PostgreSQL's full text are those of SQLite's, for every character and every text."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import psycopg
import pytest
from sqlalchemy import event, select

from writeros_entities.session import Session
from writeros_entities.store import rows
from writeros_entities.store.postings import find_named_notes, find_postings
from writeros_entities.store.view import StoredView
from writeros_entities.store.words import Postings, Term, words

from ..databases import Databases
from .conftest import Twins

CODES = [*range(1, 0xD800), *range(0xE000, 0x20000), *range(0x20000, 0x110000, 251)]
CHARACTERS = [chr(code) for code in CODES]
"""Every character of the first two planes, where scripts lie, and some of all others."""


@pytest.fixture(scope="module")
def server(postgresql_databases: Databases) -> Iterator[psycopg.Connection[Any]]:
    """Return a connection to an index without notes."""
    with psycopg.connect(postgresql_databases.create()) as connection:
        yield connection


def words_there(server: psycopg.Connection[Any], text: str) -> list[str]:
    row = server.execute("SELECT writeros_words(%s)", [text]).fetchone()
    assert row is not None
    found: list[str] = row[0]
    return found


def test_every_character_is_in_the_same_words(server: psycopg.Connection[Any]) -> None:
    for start in range(0, len(CHARACTERS), 5_000):
        part = CHARACTERS[start : start + 5_000]
        text = " ".join(f"q{character}Z" for character in part)
        assert words_there(server, text) == list(words(text))


def test_words_of_mixed_characters_are_the_same(server: psycopg.Connection[Any]) -> None:
    chance = random.Random(7)
    for _ in range(300):
        pool = [*"aB -'é\u0301Éß林", *chance.choices(CHARACTERS, k=10)]
        text = "".join(chance.choices(pool, k=80))
        assert words_there(server, text) == list(words(text))


def test_the_words_of_every_chunk_are_the_same(twins: Twins) -> None:
    with twins.postgresql.database.read() as connection:
        statement = select(rows.chunk.c.text, rows.chunk.c.heading)
        texts = [text for row in connection.execute(statement) for text in row]
    with psycopg.connect(twins.postgresql.database_url) as server:
        for text in texts:
            assert words_there(server, text) == list(words(text))


def test_what_a_word_is_comes_from_the_tokenizer_itself() -> None:
    index = sqlite3.connect(":memory:")
    index.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='unicode61 remove_diacritics 2')")
    index.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, 'instance')")
    index.execute("INSERT INTO t VALUES ('Élan, l’ÉTÉ & 林月製圖 x_y')")
    found = [term for (term,) in index.execute("SELECT term FROM v ORDER BY offset")]
    index.close()
    assert found == ["elan", "l", "ete", "林月製圖", "x", "y"]
    assert words("Élan, l’ÉTÉ & 林月製圖 x_y") == tuple(found)


def test_long_texts_and_long_words_are_kept_in_part(server: psycopg.Connection[Any]) -> None:
    many = " ".join(f"{number:x}" for number in range(16_000))
    # 3a97 is 14,999 and so the 15,000th word.
    found = server.execute(
        "SELECT t @@ '3a97', t @@ '3a98', t @@ '''+''' "
        "FROM (SELECT writeros_terms('', %s) AS t) AS terms",
        [many],
    ).fetchone()
    assert found == (True, False, True)
    found = server.execute(
        "SELECT length(writeros_terms(%s, %s))", ["é" * 110_000, "x" * 1_000_000]
    ).fetchone()
    assert found == (3,)  # the two words, and the sign that something is missing


TERMS = [
    *(Term(((word,),)) for word in ("the", "isolde", "hope", "redis", "odile", "ete", "nothing")),
    Term((("wren",), ("wrens",), ("hope",))),
    *(Term((tuple(text.split()),)) for text in ("salt road", "salt road inn", "of the", "the fox")),
    *(Term(((text,),), is_beginning=True) for text in ("t", "mar", "ber", "zzz")),
    Term((("salt", "r"), ("old", "t")), is_beginning=True),
    *(Term(piece=piece) for piece in ("林月", "ing", "'s")),
]


def plain(postings: Postings) -> list[list[int]]:
    columns = postings.chunk_ids, postings.in_text, postings.in_heading
    return [column.tolist() for column in columns]


@contextmanager
def opened(session: Session, as_of: int | None) -> Iterator[StoredView]:
    """Open a view as of a position, which a vault without chapters need not have."""
    with session.view() as view:
        yield replace(view, as_of=as_of)


@pytest.mark.parametrize("as_of", [None, 2])
def test_words_and_phrases_are_counted_alike(twins: Twins, as_of: int | None) -> None:
    with opened(twins.sqlite, as_of) as here, opened(twins.postgresql, as_of) as there:
        expected, found = find_postings(here, TERMS), find_postings(there, TERMS)
        for term, one, other in zip(TERMS, expected, found, strict=True):
            assert plain(other) == plain(one), term
        named_here, named_there = find_named_notes(here, TERMS), find_named_notes(there, TERMS)
        for term, ours, theirs in zip(TERMS, named_here, named_there, strict=True):
            assert theirs.tolist() == ours.tolist(), term


@pytest.mark.parametrize("as_of", [None, 2])
def test_words_asked_for_before_are_counted_as_at_first(twins: Twins, as_of: int | None) -> None:
    for session in (twins.sqlite, twins.postgresql):
        with opened(session, as_of) as view:
            expected = [plain(one) for one in find_postings(anew(view), TERMS)]
            reader = anew(view)
            for asked in (TERMS[::2], TERMS[::-1], TERMS):
                found = [plain(one) for one in find_postings(reader, asked)]
                assert found == [expected[TERMS.index(term)] for term in asked]


def anew(view: StoredView) -> StoredView:
    """Return the view of somebody who has asked for nothing yet."""
    return StoredView(view.connection, view.vault_id, view.as_of)


def test_a_words_chunks_are_read_once(twins: Twins) -> None:
    for session in (twins.sqlite, twins.postgresql):
        with session.view() as view:
            reader = anew(view)
            find_postings(reader, TERMS[:3])
            statements: list[str] = []
            event.listen(view.connection, "before_cursor_execute", partial(note_down, statements))
            find_postings(reader, TERMS[:3])
            assert statements == []
            find_postings(reader, TERMS[3:4])
            assert statements != []


def note_down(statements: list[str], connection: object, cursor: object, *more: Any) -> None:
    statements.append(more[0])


def test_a_word_that_fills_a_chunk_is_counted_in_full(
    engines: dict[str, Databases], write_vault: Any
) -> None:
    others = {f"Note {number}.md": "The rain came." for number in range(9)}
    root = write_vault({"Echo.md": "Echo ho " + "ho hum " * 190} | others)
    counts = []
    for databases in engines.values():
        url = databases.create()
        with Session.open(root, database=url, chunk_limit=1_000, chunk_target=900) as session:
            session.call("sync", {})
            terms = [Term((("ho",),)), Term((("h",),), is_beginning=True)]
            with session.view() as view:
                counts.append([plain(one)[1] for one in find_postings(view, terms)])
    assert counts[0] == counts[1] == [[191], [381]]
