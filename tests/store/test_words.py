"""The words of PostgreSQL's full text are those of SQLite's, for every character and every text."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from writeros_entities.session import Session
from writeros_entities.store.postings import find_postings
from writeros_entities.store.words import Term, words

from ..conftest import FIXTURES
from ..databases import Databases
from .test_equal_answers import plain

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


def test_the_words_of_every_note_are_the_same(server: psycopg.Connection[Any]) -> None:
    files = sorted(FIXTURES.rglob("*.md"))
    assert len(files) > 50
    for file in files:
        text = file.read_text("utf-8", "replace").replace("\0", "")
        assert words_there(server, text) == list(words(text)), file


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
