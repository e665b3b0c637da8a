"""Measure how often a context contains the answer to a question about a character.

    python benchmarks/context_questions.py

There are thirty questions, each as of a chapter and with the words that answer it
(vault_fixtures/novel.truth/context_questions.yaml). Counts the contexts of 1,500 tokens with these
words: with the question as query and without it, with vectors and without.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from writeros_entities.session import Session

FIXTURES = Path(__file__).resolve().parent.parent / "vault_fixtures"
TOKENS = 1_500
STRATEGIES = ("usage", "recency", "narrative", "relevance")
WITH_QUESTION = "with the question"


def read_questions() -> list[dict[str, Any]]:
    """Return the questions: each with an entity, a chapter, a note and the words that answer it."""
    text = (FIXTURES / "novel.truth" / "context_questions.yaml").read_text("utf-8")
    questions: list[dict[str, Any]] = yaml.safe_load(text)["questions"]
    return questions


def is_held(session: Session, question: dict[str, Any], **arguments: Any) -> bool:
    """Return whether the context of a question's entity contains the words that answer it."""
    text = (FIXTURES / "novel" / question["note"]).read_bytes().decode()
    start = text.index(question["quote"])
    end = start + len(question["quote"])
    wanted = {"entities": [question["entity"]], "as_of": question["as_of"], "max_tokens": TOKENS}
    answer = session.call("build_context", wanted | arguments).model_dump()
    assert answer["total_tokens"] <= TOKENS
    return any(
        chunk["path"] == question["note"] and chunk["start"] <= start and end <= chunk["end"]
        for chunk in answer["chunks"]
    )


def measure(
    model: str, database: str, strategies: Sequence[str] = STRATEGIES
) -> tuple[dict[str, int], list[str]]:
    """Return the numbers of contexts with the answer, and the questions missed with a query.

    Numbers are by strategy, and under `WITH_QUESTION` for the question as query. The index is at
    the database's URL.
    """
    with Session.open(
        FIXTURES / "novel",
        database=database,
        embedding_model=model,
        embedding_precision="fp32",  # so that figures do not depend on the processor
    ) as session:
        session.call("sync", {})
        questions = read_questions()
        with_query = [one for one in questions if is_held(session, one, query=one["question"])]
        figures = {WITH_QUESTION: len(with_query)}
        for strategy in strategies:
            held = [one for one in questions if is_held(session, one, strategy=strategy)]
            figures[strategy] = len(held)
    return figures, [one["question"] for one in questions if one not in with_query]


def main() -> None:
    """Print the figures."""
    for label, model in (("without vectors", ""), ("with vectors", "all-MiniLM-L6-v2")):
        with tempfile.TemporaryDirectory() as folder:
            figures, missed = measure(model, f"sqlite:///{folder}/novel.sqlite3")
        print(label, *(f"{name}: {number}/30" for name, number in figures.items()), sep="\n  ")
        print(*(f"  missed: {question}" for question in missed), sep="\n")


if __name__ == "__main__":
    main()
