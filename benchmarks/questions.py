"""Measure how often search finds the passage that answers a question about the fixture novel.

    python benchmarks/questions.py

There are three sets of questions, each question with the words that answer it; they are asked of a
new index, with vectors and without. `asked` (vault_fixtures/novel.truth/asked.yaml) was written by
somebody who did not know the search, and was never used to tune it; `chosen` was written likewise,
but used to tune scores; `questions` avoids the novel's own words wherever it can. A question counts
as found if a passage with words that answer it is among the first five.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from writeros_entities.session import Session

FIXTURES = Path(__file__).resolve().parent.parent / "vault_fixtures"
SETS = ("asked", "questions", "chosen")
FIRST = 5


class Question(NamedTuple):
    """A question, and its answers as pairs of a note's path and words in it."""

    question: str
    answers: tuple[tuple[str, str], ...]


def read_questions(name: str) -> list[Question]:
    """Return the questions of a set."""
    text = (FIXTURES / "novel.truth" / f"{name}.yaml").read_text("utf-8")
    return [
        Question(
            one["question"],
            tuple((answer["note"], answer["quote"]) for answer in one.get("answers", [one])),
        )
        for one in yaml.safe_load(text)["questions"]
    ]


def is_found(session: Session, question: Question, **arguments: Any) -> bool:
    """Return whether a passage that answers a question is among the first."""
    request = {
        "query": question.question,
        "limit": FIRST,
        "every_passage": True,
        **arguments,
    }
    passages = session.call("search", request).model_dump()["passages"]
    return any(
        passage["path"] == note and passage["start"] <= place < passage["end"]
        for note, quote in question.answers
        for place in _places(note, quote)
        for passage in passages
    )


def measure(model: str, database: str) -> dict[tuple[str, str], int]:
    """Return the numbers of questions found, by set and mode of search, with an index there.

    Without a model by text, with one by vectors, and in both cases by all there is.
    """
    with Session.open(
        FIXTURES / "novel",
        database=database,
        embedding_model=model,
        embedding_precision="fp32",  # the same figures on every processor
    ) as session:
        session.call("sync", {})
        return {
            (name, mode): sum(is_found(session, one, mode=mode) for one in read_questions(name))
            for name in SETS
            for mode in ("vector" if model else "text", "hybrid")
        }


def _places(note: str, quote: str) -> Iterator[int]:
    text = (FIXTURES / "novel" / note).read_bytes().decode()
    place = text.index(quote)
    while place >= 0:
        yield place
        place = text.find(quote, place + 1)


def main() -> None:
    """Print the figures."""
    for label, model in (("without vectors", ""), ("with vectors", "all-MiniLM-L6-v2")):
        with tempfile.TemporaryDirectory() as folder:
            measured = measure(model, f"sqlite:///{folder}/novel.sqlite3")
        for (name, mode), found in measured.items():
            print(f"{name:9} {label:15} {mode:6} {found}/{len(read_questions(name))}")


if __name__ == "__main__":
    main()
