"""Words as the full-text index has them.

    words("Séraphine O’Dara’s hens") == ("seraphine", "o", "dara", "s", "hens")

They are cut by the tokenizer of SQLite's FTS5 itself (`unicode61 remove_diacritics 2`: letters and
digits of all scripts, in small letters, without the marks of Latin ones), whichever engine holds
the index: so the words of a query are always those that a text of the index has.
"""

from __future__ import annotations

import re
import sqlite3
from functools import cache, lru_cache
from threading import local

TOKENIZER = "unicode61 remove_diacritics 2"


_ASCII = re.compile("[a-z0-9]+")


@lru_cache(maxsize=4_096)
def words(text: str) -> tuple[str, ...]:
    """Return the words of a text, in order."""
    return tuple(_ASCII.findall(text.lower())) if text.isascii() else _tokenizer().cut(text)


class _Tokenizer(local):
    """A full-text index in memory that holds one text at a time; one for each thread."""

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
