"""Train the weights of `writeros_plugins.discovery`, which finds names.

    python benchmarks/train_discovery.py            # writes plugins/discovery/model.json
    python benchmarks/train_discovery.py --folds 5  # cross-validates by book, writes nothing

Logistic regression (names) and softmax regression (types) by AdaGrad with L2 decay, seeded, on the
training split of LitBank (Bamman et al. 2019, CC BY 4.0). The commonness of a word is counted in
the other books only, so that training meets unknown words as often as use does. The same data give
the same file, byte for byte.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections import Counter, defaultdict
from pathlib import Path

from discovery import Tally, cut_all, evaluate, format_tally
from litbank import DEFAULT_DATA, Book, cut_into_pieces, read_books
from writeros_plugins.discovery import lexical
from writeros_plugins.discovery.model import TYPES, NameModel, Scores

MODEL = Path(__file__).parents[1] / "plugins" / "discovery" / "model.json"
SEED = 1
EPOCHS = 12
AVERAGED = 8
RATE = 0.3
NAME_DECAY = 0.1
TYPE_DECAY = 0.02
MIN_BOOKS = 3
PIECES = (300,)
MIN_WEIGHT = 0.05

Example = tuple[list[str], int]


def count_lower_case(books: list[Book]) -> Counter[str]:
    """Count the books that write each word in lower case."""
    return Counter(word for book in books for word in lexical.read_lower_case(book.text))


def grade(counts: Counter[str], without: set[str]) -> dict[str, int]:
    """Grade words by the number of books that use them, not counting the book with words `without`.

    A word of one book counts only if it is not an inflection of a more common one.
    """
    others = {word: count - (word in without) for word, count in counts.items()}
    grades = {word: 2 if count < 6 else 3 for word, count in others.items() if count > 1}
    rare = [word for word, count in others.items() if count == 1]
    return grades | {word: 1 for word in rare if not lexical.is_inflected(word, grades)}


def describe_book(book: Book, common: dict[str, int]) -> tuple[list[Example], list[Example]]:
    """Return the examples of a book read as a whole, and read in pieces like notes."""
    texts = [book, *(piece for size in PIECES for piece in cut_into_pieces(book, size))]
    described = [describe_text(text, common) for text in texts]
    return (
        [example for words, _ in described for example in words],
        described[0][1],
    )


def describe_text(book: Book, common: dict[str, int]) -> tuple[list[Example], list[Example]]:
    """Return the examples of a text: one per capitalised word, and one per name for its type."""
    candidates = lexical.read_candidates(book.text)
    lower_case = lexical.read_lower_case(book.text)
    total = Counter(candidate.word for candidate in candidates)
    inside = Counter(c.word for c in candidates if lexical.locate(c.before) == "mid")
    words: list[Example] = []
    for candidate in candidates:
        word = candidate.word
        use = lexical.WordUse(
            word.lower() in lower_case,
            inside[word],
            total[word],
            lexical.measure_roughly(book.text),
        )
        keys = [
            "bias",
            *lexical.describe_word(word, common),
            *lexical.describe_before(candidate.before, common),
            *lexical.describe_after(candidate.after, common),
            *lexical.describe_use(
                lexical.locate(candidate.before),
                lexical.outline_before(candidate.before),
                lexical.outline_after(candidate.after),
                lexical.classify(word),
                common.get(word.lower(), 0),
                word.endswith("s"),
                use,
            ),
        ]
        is_name = any(name.start <= candidate.start < name.end for name in book.names)
        words.append((keys, int(is_name)))
    types: list[Example] = []
    for name in book.names:
        parts = [c for c in candidates if name.start <= c.start and c.end <= name.end]
        if parts and name.type in TYPES:
            first, last = parts[0], parts[-1]
            types.append((["bias", *describe_type(first, last)], TYPES.index(name.type)))
    return words, types


def describe_type(first: lexical.Candidate, last: lexical.Candidate) -> list[str]:
    """Give the keys that tell whether a name is a person's, a place's or an organization's."""
    words = lexical.count_words(first.word, last.word)
    return [
        *lexical.describe_name(first.word, last.word),
        *lexical.describe_sides(first.before, last.after, words, lexical.classify(last.word)),
        *lexical.describe_case(last.word),
    ]


def keep_frequent(books: list[list[Example]]) -> list[Example]:
    """Drop keys that occur in few books."""
    counts = Counter(key for book in books for key in {k for keys, _ in book for k in keys})
    frequent = {key for key, count in counts.items() if count >= MIN_BOOKS}
    return [([k for k in keys if k in frequent], label) for book in books for keys, label in book]


def fit(examples: list[Example], classes: int, decay: float) -> dict[str, list[float]]:
    """Fit a weight per key and class by softmax regression; of two classes, class 0 stays at zero.

    Weights are averaged over the last epochs, so that the order of examples matters little.
    """
    weights: dict[str, list[float]] = defaultdict(lambda: [0.0] * classes)
    squares: dict[str, list[float]] = defaultdict(lambda: [1.0] * classes)
    rows = range(1, 2) if classes == 2 else range(classes)
    order = random.Random(SEED)
    examples = list(examples)
    means: dict[str, list[float]] = defaultdict(lambda: [0.0] * classes)
    for epoch in range(EPOCHS):
        order.shuffle(examples)
        for keys, label in examples:
            scores = [sum(weights[key][row] for key in keys) for row in range(classes)]
            highest = max(scores)
            odds = [math.exp(score - highest) for score in scores]
            for row in rows:
                error = odds[row] / sum(odds) - (row == label)
                for key in keys:
                    step = error + decay * weights[key][row]
                    squares[key][row] += step * step
                    weights[key][row] -= RATE * step / math.sqrt(squares[key][row])
        if epoch >= EPOCHS - AVERAGED:
            for key, values in weights.items():
                for row in rows:
                    means[key][row] += values[row] / AVERAGED
    return means


def train(books: list[Book]) -> tuple[dict[str, int], dict[str, float], dict[str, Scores]]:
    """Train on whole books; return the grades of words, and the weights for names and types."""
    counts = count_lower_case(books)
    described = [
        describe_book(book, grade(counts, lexical.read_lower_case(book.text))) for book in books
    ]
    names = fit(keep_frequent([words for words, _ in described]), 2, NAME_DECAY)
    types = fit(keep_frequent([types for _, types in described]), len(TYPES), TYPE_DECAY)
    return (
        grade(counts, set()),
        {key: round(row[1], 2) for key, row in names.items() if abs(row[1]) > MIN_WEIGHT},
        {
            key: (round(row[0], 2), round(row[1], 2), round(row[2], 2))
            for key, row in types.items()
            if max(map(abs, row)) > MIN_WEIGHT
        },
    )


def write_model(path: Path, books: list[Book]) -> None:
    """Train on all `books` and write the model, sorted and rounded."""
    common, names, types = train(books)
    by_grade: dict[str, list[str]] = {}
    for word, level in sorted(common.items()):
        by_grade.setdefault(str(level), []).append(word)
    sections = {
        "source": "LitBank, Bamman et al. 2019, CC BY 4.0",
        "common": {level: " ".join(words) for level, words in sorted(by_grade.items())},
        "names": names,
        "types": types,
    }
    lines = [
        f"{json.dumps(section)}:"
        + json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        for section, content in sections.items()
    ]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def cross_validate(books: list[Book], folds: int, size: int) -> Tally:
    """Train on all folds but one, find the names in that one, and add up over all folds."""
    tally = Tally()
    for fold in range(folds):
        kept = [book for index, book in enumerate(books) if index % folds != fold]
        held_out = [book for index, book in enumerate(books) if index % folds == fold]
        tally += evaluate(cut_all(held_out, size), NameModel(*train(kept)))
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path(DEFAULT_DATA))
    parser.add_argument("--folds", type=int, default=0, help="cross-validate; write nothing")
    parser.add_argument("--pieces", type=int, default=0, help="read pieces of so many characters")
    parser.add_argument("--out", type=Path, default=MODEL)
    options = parser.parse_args()
    books = read_books(options.data, "train")
    if options.folds:
        print(format_tally(cross_validate(books, options.folds, options.pieces)))
    else:
        write_model(options.out, books)


if __name__ == "__main__":
    main()
