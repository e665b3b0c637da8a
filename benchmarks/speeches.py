"""Measure who is found to say what in novels: openings of LitBank with annotated speakers.

    python benchmarks/speeches.py

Each book is a vault: a person's note for each character with a proper name, with its other names
as aliases, and the text as a chapter. Of the quotations whose speaker has such a note, it prints
how many are attributed to the right one, of those attributed and of all. The weights of the model
were trained on the books of `train`; those of `dev` were not looked at for that.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from litbank import DEFAULT_DATA

from writeros_entities.capabilities.search.find_speeches import FindSpeeches
from writeros_entities.session import Session

CHAPTER = "Manuscript/01 - Opening.md"
_NO_FILE_NAME = re.compile(r'[\\/:*?"<>|#^\[\]]')


class Quotation(NamedTuple):
    """A quotation, and the note of its speaker, if that has one."""

    start: int
    end: int
    speaker: str | None


class QuotedBook(NamedTuple):
    """A book: its text, the notes of its characters, and its quotations."""

    id: str
    text: str
    notes: dict[str, str]
    quotations: list[Quotation]


class Score(NamedTuple):
    """Numbers of quotations: of speakers with notes, attributed rightly, wrongly; and of others'
    that are attributed to one with a note.
    """

    all: int = 0
    right: int = 0
    wrong: int = 0
    strangers: int = 0

    def __add__(self, other: Score) -> Score:  # type: ignore[override]  # not a tuple's sum
        return Score(*(one + more for one, more in zip(self, other, strict=True)))

    def __str__(self) -> str:
        attributed = self.right / max(1, self.right + self.wrong)
        return (
            f"right of those attributed {attributed:.3f}, "
            f"of all {self.right / max(1, self.all):.3f}"
            f" ({self.all} by people with notes; {self.strangers} of others' attributed)"
        )


def read_quoted_books(data: Path, split: str) -> Iterator[QuotedBook]:
    """Yield the books of a split that have quotations."""
    books, quoted = (
        json.loads(gzip.decompress((data / f"litbank{kind}_{split}.json.gz").read_bytes()))
        for kind in ("", "_quotes")
    )
    for book, quotes in zip(books, quoted, strict=True):
        if quotes["quotes"]:
            notes, of_chain = _character_notes(book)
            quotations = [
                Quotation(one["start"], one["end"], of_chain.get(one["speaker"]))
                for one in quotes["quotes"]
            ]
            yield QuotedBook(book["id"], book["text"], notes, quotations)


def _character_notes(book: dict[str, Any]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the notes of the characters with names, by title, and the title of each chain."""
    names: dict[str, Counter[str]] = defaultdict(Counter)
    for one in book["mentions"]:
        if one["type"] == "PER" and one["cat"] == "PROP":
            words = re.sub(r"['’]s?$", "", book["text"][one["start"] : one["end"]]).split()
            while words and not words[0][0].isupper():
                words.pop(0)
            if words:
                names[one["chain"]][" ".join(words)] += 1
    notes: dict[str, str] = {}
    of_chain = {}
    for chain, found in names.items():
        ranked = [name for name, _ in found.most_common()]
        numbered = (f"{ranked[0]} {number}" for number in range(2, 99))
        taken = {title.casefold() for title in notes}
        title = next(
            title
            for name in (*ranked, *numbered)
            if (title := _NO_FILE_NAME.sub("", name).strip(". ")).casefold() not in taken
        )
        aliases = json.dumps([name for name in ranked if name != title], ensure_ascii=False)
        notes[title] = f"---\ntype: person\naliases: {aliases}\n---\n"
        of_chain[chain] = title
    return notes, of_chain


def measure(book: QuotedBook) -> Score:
    """Return the score of one book."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "vault"
        sheets = {f"Characters/{title}.md": text for title, text in book.notes.items()}
        for path, text in {**sheets, CHAPTER: book.text}.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, "utf-8", newline="")
        database = f"sqlite:///{folder}/index.sqlite3"
        with Session.open(
            root, database=database, embedding_model="", close_reading=False
        ) as session:
            session.call("sync", {})
            found = list(_speeches(session))
    score = Score()
    for start, end, speaker in book.quotations:
        said = next((who for first, last, who in found if first < end and last > start), None)
        score += Score(
            speaker is not None,
            speaker is not None and said == speaker,
            speaker is not None and said not in (None, speaker),
            speaker is None and said is not None,
        )
    return score


def _speeches(session: Session) -> Iterator[tuple[int, int, str | None]]:
    """Yield the spans of speeches, with the title of the speaker's note."""
    offset, total = 0, 1
    while offset < total:
        page = session.call(FindSpeeches(limit=500, offset=offset))
        for one in page.speeches:
            yield one.start, one.end, one.speaker.name if one.speaker else None
        offset, total = offset + 500, page.total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path(DEFAULT_DATA))
    parser.add_argument("--split", nargs="*", default=["train", "dev"])
    options = parser.parse_args()
    for split in options.split:
        scores = [measure(book) for book in read_quoted_books(options.data, split)]
        print(f"{split:6}{sum(scores, Score())}")


if __name__ == "__main__":
    main()
