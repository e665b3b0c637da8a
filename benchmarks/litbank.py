"""Read LitBank: openings of English novels with annotated names.

LitBank (Bamman et al. 2019, CC BY 4.0), aligned to plain text; the files are not part of this
repository. A name here is a proper name of a person, place, organization or vehicle; of nested
names only the outermost counts, without leading lower-case words ("the").
"""

from __future__ import annotations

import gzip
import json
import os
from dataclasses import dataclass
from pathlib import Path

TYPE_OF = {
    "PER": "person",
    "LOC": "place",
    "GPE": "place",
    "FAC": "place",
    "ORG": "organization",
    "VEH": "vehicle",
}
DEFAULT_DATA = os.environ.get(
    "WRITEROS_SHARED", str(Path(__file__).parents[1] / ".." / "shared" / "literary")
)


@dataclass(frozen=True, slots=True)
class GoldName:
    start: int
    end: int
    type: str


@dataclass(frozen=True, slots=True)
class Book:
    id: str
    text: str
    names: tuple[GoldName, ...]


def read_books(data: Path, split: str) -> list[Book]:
    """Read the books of a split, `train`, `dev`, or another one in the folder."""
    with gzip.open(data / f"litbank_{split}.json.gz", "rt", encoding="utf-8") as file:
        items = json.load(file)
    return [Book(item["id"], item["text"], _read_names(item)) for item in items]


def cut_into_pieces(book: Book, size: int) -> list[Book]:
    """Split a book at paragraph ends into texts of about `size` characters, as short as notes."""
    pieces: list[Book] = []
    start = 0
    while start < len(book.text):
        end = book.text.find("\n\n", start + size) + 2
        if end < 2:
            end = len(book.text)
        names = tuple(
            GoldName(name.start - start, name.end - start, name.type)
            for name in book.names
            if start <= name.start and name.end <= end
        )
        pieces.append(Book(f"{book.id}:{start}", book.text[start:end], names))
        start = end
    return pieces


def cut_lower_case(text: str, start: int, end: int) -> int:
    """Return the start of the first word in a span that does not begin in lower case."""
    while start < end and (text[start].isspace() or text[start].islower()):
        while start < end and not text[start].isspace():
            start += 1
        while start < end and text[start].isspace():
            start += 1
    return start


def _read_names(item: dict[str, object]) -> tuple[GoldName, ...]:
    text, mentions = item["text"], item["mentions"]
    assert isinstance(text, str)
    assert isinstance(mentions, list)
    spans = {
        (mention["start"], mention["end"]): TYPE_OF[mention["type"]]
        for mention in mentions
        if mention["cat"] == "PROP" and mention["type"] in TYPE_OF
    }
    names = {
        GoldName(cut, end, type_)
        for (start, end), type_ in spans.items()
        if not any(a <= start and end <= b and (a, b) != (start, end) for a, b in spans)
        and (cut := cut_lower_case(text, start, end)) < end
    }
    return tuple(sorted(names, key=lambda name: (name.start, name.end, name.type)))
