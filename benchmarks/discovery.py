"""Measure how well, and how fast, names are found without a list of them.

    python benchmarks/discovery.py --split dev

Prints precision, recall and F1 of exact spans (outermost proper names, without leading lower-case
words), the same with types, figures by type, and the speed.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path

from litbank import DEFAULT_DATA, Book, cut_into_pieces, cut_lower_case, read_books
from writeros_plugins.discovery.model import NameModel, load_model, read_model
from writeros_plugins.discovery.names import find_names


class Tally(Counter[str]):
    """Counts of found, gold and correct names, under keys like `found person`."""

    def __iadd__(self, other: Tally) -> Tally:  # type: ignore[override,misc]  # Counter's drops zeros
        self.update(other)
        return self


def evaluate(books: list[Book], model: NameModel) -> Tally:
    """Count the names found, the names in the books, and those that agree."""
    tally = Tally()
    for book in books:
        gold = {(name.start, name.end): name.type for name in book.names}
        found = {
            (cut_lower_case(book.text, name.start, name.end), name.end): name.type
            for name in find_names(book.text, model=model)
        }
        tally.update(f"gold {type_}" for type_ in gold.values())
        tally.update(f"found {type_}" for type_ in found.values())
        tally.update(f"span {gold[span]}" for span in found.keys() & gold.keys())
        tally.update(f"typed {gold[s]}" for s in found.keys() & gold.keys() if found[s] == gold[s])
    return tally


def cut_all(books: list[Book], size: int) -> list[Book]:
    """Cut every book into pieces of `size` characters; 0 leaves them whole."""
    return [piece for book in books for piece in cut_into_pieces(book, size)] if size else books


def total(tally: Tally, what: str) -> int:
    return sum(count for key, count in tally.items() if key.startswith(f"{what} "))


def format_scores(label: str, right: int, found: int, gold: int) -> str:
    precision, recall = right / max(found, 1), right / max(gold, 1)
    f1 = 2 * right / max(found + gold, 1)
    return f"{label:14} P {precision:.3f}  R {recall:.3f}  F1 {f1:.4f}  ({gold} in the books)"


def format_tally(tally: Tally) -> str:
    found, gold = total(tally, "found"), total(tally, "gold")
    lines = [
        format_scores("spans", total(tally, "span"), found, gold),
        format_scores("spans + types", total(tally, "typed"), found, gold),
    ]
    for type_ in ("person", "place", "organization", "vehicle"):
        of_type = tally[f"gold {type_}"]
        scores = format_scores(type_, tally[f"typed {type_}"], tally[f"found {type_}"], of_type)
        lines.append(f"{scores}, spans found {tally[f'span {type_}'] / max(of_type, 1):.3f}")
    lines.append(f"without a type {tally['found None'] / max(found, 1):.3f} of those found")
    return "\n".join(lines)


def measure_speed(books: list[Book], size: int = 2_500, runs: int = 5) -> tuple[float, float]:
    """Return the speed of the first run and of the fastest, in megabytes per second.

    In the first run, as with the first notes of a vault, no word is cached yet.
    """
    notes = [b.text[at : at + size] for b in books for at in range(0, len(b.text), size)]
    volume = sum(len(note.encode()) for note in notes)
    model = read_model()
    speeds = []
    for _ in range(runs):
        start = time.perf_counter()
        for note in notes:
            find_names(note, model=model)
        speeds.append(volume / (time.perf_counter() - start) / 1e6)
    return speeds[0], max(speeds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path(DEFAULT_DATA))
    parser.add_argument("--split", default="dev")
    parser.add_argument("--pieces", type=int, default=0, help="read pieces of so many characters")
    options = parser.parse_args()
    books = cut_all(read_books(options.data, options.split), options.pieces)
    print(format_tally(evaluate(books, load_model())))
    first, best = measure_speed(books)
    print(f"speed          {best:.1f} MB/s, first reading {first:.1f}; one thread, 2.5 kB notes")


if __name__ == "__main__":
    main()
