"""Measure which words are found to tell what happens in novels: openings in LitBank.

    python benchmarks/events.py

Each book is read as one note, with the parser, and its events are asked of the hook `tell_events`.
Of the words that LitBank's readers marked, because they tell what really happens (Sims, Park and
Bamman 2019, CC BY 4.0; the files are not part of this repository), it prints how many are found.
The weights were trained on the books of `train`.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from litbank import DEFAULT_DATA

from writeros_entities import Language, Lexicon, Note, Page, Settings
from writeros_entities.language.reading import read_page
from writeros_entities.plugins import Plugins, load_plugins
from writeros_entities.vault.notes import parse_note


class ToldBook(NamedTuple):
    """A book as a note, its page, and where the words start that tell what happens."""

    id: str
    note: Note
    page: Page
    told: frozenset[int]


class Score(NamedTuple):
    """Numbers of words: found, rightly found, and marked by the readers."""

    found: int = 0
    right: int = 0
    marked: int = 0

    def __add__(self, other: Score) -> Score:  # type: ignore[override]  # not a tuple's sum
        return Score(*(one + more for one, more in zip(self, other, strict=True)))

    def __str__(self) -> str:
        f1 = 2 * self.right / max(1, self.found + self.marked)
        return (
            f"precision {self.right / max(1, self.found):.3f}, "
            f"recall {self.right / max(1, self.marked):.3f}, F1 {f1:.3f} ({self.marked} words)"
        )


def read_told_books(data: Path, split: str, language: Language) -> Iterator[ToldBook]:
    """Yield the books of a split, read with the parser of a language."""
    books, marked = (
        json.loads(gzip.decompress((data / f"litbank{kind}_{split}.json.gz").read_bytes()))
        for kind in ("", "_events")
    )
    parser = language.parser()
    for book, events in zip(books, marked, strict=True):
        note = parse_note("Manuscript/01 - Opening.md", book["text"].encode())
        told = frozenset(start for start, _ in events["events"])
        yield ToldBook(book["id"], note, read_page(note, language, parser), told)


def measure(books: Sequence[ToldBook], plugins: Plugins) -> Score:
    """Return the score of what the plugins tell of books."""
    score = Score()
    for book in books:
        given = {
            "note": book.note,
            "page": book.page,
            "language": plugins.languages["en"],
            "mentions": (),
            "ontology": plugins.ontology,
            "lexicon": Lexicon(()),
            "subject": None,
        }
        events, _ = plugins.gather("tell_events", lambda found: None, **given)
        found = {one.start for one in events}
        score += Score(len(found), len(found & book.told), len(book.told))
    return score


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path(DEFAULT_DATA))
    parser.add_argument("--split", nargs="*", default=["dev"])
    options = parser.parse_args()
    plugins = load_plugins(Settings())
    for split in options.split:
        books = list(read_told_books(options.data, split, plugins.languages["en"]))
        print(f"{split:6}{measure(books, plugins)}")


if __name__ == "__main__":
    main()
