"""Words as the full-text index splits them.

    words("Séraphine O’Dara’s hens") == ("seraphine", "o", "dara", "s", "hens")

Whichever engine holds the index, the tokenizer of SQLite's FTS5 is used (`unicode61
remove_diacritics 2`: letters and digits of all scripts, in lower case, Latin letters without
diacritics), so that the words of a query are split like those of the texts.
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
