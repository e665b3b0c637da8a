"""Train the weights by which `writeros_plugins.clauses` knows the words that tell what happens.

    python benchmarks/train_events.py           # writes plugins/clauses/happening.json
    python benchmarks/train_events.py --folds   # cross-validates by book, writes nothing

Logistic regression with an L2 penalty by L-BFGS on the training split of LitBank (Sims, Park and
Bamman 2019, CC BY 4.0): for English with its words, for any language without. What is told around a
word is weighed by the scores that books get from a model which did not see them. The border is
where F1 of those books is the highest; for other languages, where enough is right. The same data
give the same file.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

import numpy as np
from events import Score, ToldBook, read_told_books
from litbank import DEFAULT_DATA
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import minimize
from writeros_plugins.clauses.happening import (
    WEIGHTS,
    Candidate,
    Weights,
    candidates_of,
    marks_of,
    told_in,
)

from writeros_entities import Settings, Words
from writeros_entities.plugins import load_plugins

FOLDS = 5
PENALTY = 5.0
MIN_WORDS = 3
MIN_TOLD = 2
"""How often a mark stands, how often a noun tells what happens, to have a weight."""

MIN_WEIGHT = 0.01
PRECISION = {"en": 0.0, "": 0.7}
"""The least share of right words at the border: where nobody has measured it, silence is better."""

Vector = NDArray[np.float64]


class Example(NamedTuple):
    """A book's candidates, the marks of each, and which of them tell what happens."""

    book: ToldBook
    candidates: Sequence[Candidate]
    marks: Sequence[Sequence[str]]
    told: NDArray[np.bool_]


def describe(books: Sequence[ToldBook], words: Words, *, with_words: bool) -> list[Example]:
    """Return the examples of books; without the language's words, only verbs are candidates."""
    examples = []
    for book in books:
        tense = told_in(book.page)
        found = [
            one
            for one in candidates_of(book.page, book.note.prose)
            if with_words or one.word.kind == "verb"
        ]
        marks = [
            [
                mark
                for mark in marks_of(one.sentence, one.at, words, tense)
                if with_words or not mark.startswith("=")
            ]
            for one in found
        ]
        told = np.array([one.word.start in book.told for one in found])
        examples.append(Example(book, found, marks, told))
    return examples


def keep_nouns(examples: Sequence[Example], nouns: Collection[str]) -> list[Example]:
    """Return examples with those of their nouns alone that may tell what happens."""
    kept = []
    for book, candidates, marks, told in examples:
        at = [
            place
            for place, one in enumerate(candidates)
            if one.word.kind == "verb" or one.word.lemma in nouns
        ]
        kept.append(
            Example(book, [candidates[one] for one in at], [marks[one] for one in at], told[at])
        )
    return kept


def telling_nouns(examples: Sequence[Example]) -> set[str]:
    """Return the nouns that tell what happens more than once."""
    counts = Counter(
        one.word.lemma
        for example in examples
        for one, is_told in zip(example.candidates, example.told, strict=True)
        if is_told and one.word.kind == "noun"
    )
    return {noun for noun, count in counts.items() if count >= MIN_TOLD}


def fit(features: sparse.csr_array | Vector, labels: Vector, penalty: float) -> Vector:
    """Return the weights of the columns of features that make the labels likeliest."""

    def loss(weights: Vector) -> tuple[float, Vector]:
        scores = features @ weights
        wrong = 1 / (1 + np.exp(-scores)) - labels
        likelihood = np.logaddexp(0, scores).sum() - scores @ labels
        return likelihood + penalty / 2 * weights @ weights, features.T @ wrong + penalty * weights

    start = np.zeros(features.shape[1])
    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B").x)


def fit_marks(examples: Sequence[Example]) -> dict[str, float]:
    """Return the weights of the marks of examples."""
    rows = [set(marks) for example in examples for marks in example.marks]
    counts = Counter(mark for row in rows for mark in row)
    kept = sorted(mark for mark, count in counts.items() if count >= MIN_WORDS)
    columns = {mark: at for at, mark in enumerate(kept)}
    found = [(row, columns[mark]) for row, of in enumerate(rows) for mark in of if mark in columns]
    at = np.array(found).T
    features = sparse.csr_array((np.ones(len(found)), at), shape=(len(rows), len(columns)))
    labels = np.concatenate([example.told for example in examples]).astype(float)
    weights = fit(features, labels, PENALTY)
    named = zip(columns, weights, strict=True)
    return {mark: round(float(one), 2) for mark, one in named if abs(one) >= MIN_WEIGHT}


def train(examples: Sequence[Example], words: Words, precision: float) -> tuple[Weights, Score]:
    """Return the weights, and the score of books by weights that were trained without them."""
    apart: list[tuple[Example, list[float]]] = []
    for fold in range(FOLDS):
        held = [one for at, one in enumerate(examples) if at % FOLDS == fold]
        others = [one for at, one in enumerate(examples) if at % FOLDS != fold]
        nouns = telling_nouns(others)
        alone = Weights(fit_marks(keep_nouns(others, nouns)))
        for one in keep_nouns(held, nouns):
            apart.append((one, alone.score(one.candidates, words, told_in(one.book.page))))
    usual = float(np.mean([score for _, scores in apart for score in scores]))
    around = Weights({}, own=0.0, around=1.0, usual=usual)
    columns = []
    for _, scores in apart:
        near = around.weigh(scores)
        columns += [(score, one, 1.0) for score, one in zip(scores, near, strict=True)]
    labels = np.concatenate([example.told for example, _ in apart])
    features = np.array(columns)
    own, near_by, base = (float(one) for one in fit(features, labels.astype(float), 1.0))
    scores_of_all = features @ np.array((own, near_by, base))
    marked = sum(len(one.book.told) for one in examples)
    tallies = [
        (tally(scores_of_all > border, labels, marked), border)
        for border in np.arange(-1.5, 1.5, 0.05)
    ]
    best = max(one for one in tallies if one[0][1].right >= precision * one[0][1].found)
    marks = fit_marks(keep_nouns(examples, telling_nouns(examples)))
    rounded = (round(one, 2) for one in (own, near_by, base - float(best[1]), usual))
    return Weights(marks, *rounded), best[0][1]


def tally(found: NDArray[np.bool_], told: NDArray[np.bool_], marked: int) -> tuple[float, Score]:
    """Return F1 and the numbers for it."""
    score = Score(int(found.sum()), int((found & told).sum()), marked)
    return 2 * score.right / (score.found + score.marked), score


def _as_json(weights: Weights) -> str:
    return json.dumps(asdict(weights), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path(DEFAULT_DATA))
    parser.add_argument("--folds", action="store_true", help="cross-validate; write nothing")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    language = load_plugins(Settings()).languages["en"]
    books = list(read_told_books(options.data, "train", language))
    trained = {}
    for code, precision in PRECISION.items():
        examples = describe(books, language.words, with_words=code == "en")
        trained[code], score = train(examples, language.words, precision)
        print(f"{code or 'any':4}{score}")
    if not options.folds:
        lines = [f"{json.dumps(code)}:{_as_json(one)}" for code, one in trained.items()]
        options.out.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


if __name__ == "__main__":
    main()
