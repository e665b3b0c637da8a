"""How often search finds the passage that answers a writer's question about the fixture novel.

    python benchmarks/questions.py

Forty questions with the words that answer each (vault_fixtures/novel.truth/questions.yaml), asked
of a fresh index, with vectors and without. A question counts as found if a passage with its words
is among the first five.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import yaml

from writeros_entities.session import Session

FIXTURES = Path(__file__).resolve().parent.parent / "vault_fixtures"
FIRST = 5


def read_questions() -> list[dict[str, str]]:
    """Return the questions: each with the note and the words that answer it."""
    text = (FIXTURES / "novel.truth" / "questions.yaml").read_text("utf-8")
    questions: list[dict[str, str]] = yaml.safe_load(text)["questions"]
    return questions


def is_found(session: Session, question: dict[str, str], **arguments: Any) -> bool:
    """Say whether a passage with the words that answer a question is among the first."""
    text = (FIXTURES / "novel" / question["note"]).read_bytes().decode()
    place = text.index(question["quote"])
    answer = session.call("search", {"query": question["question"], "limit": FIRST, **arguments})
    return any(
        passage["path"] == question["note"] and passage["start"] <= place < passage["end"]
        for passage in answer.model_dump()["passages"]
    )


def measure(model: str) -> tuple[dict[str, int], list[str]]:
    """Return how many questions are found in each mode, and those that hybrid search misses."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Session.open(
            FIXTURES / "novel", database=f"sqlite:///{folder}/novel.sqlite3", embedding_model=model
        ) as session,
    ):
        session.call("sync", {})
        modes = ("text", "vector", "hybrid") if model else ("text", "hybrid")
        found = {
            mode: [one for one in read_questions() if is_found(session, one, mode=mode)]
            for mode in modes
        }
        missed = [one["question"] for one in read_questions() if one not in found["hybrid"]]
    return {mode: len(questions) for mode, questions in found.items()}, missed


def main() -> None:
    """Print the figures."""
    for label, model in (("without vectors", ""), ("with vectors", "all-MiniLM-L6-v2")):
        figures, missed = measure(model)
        print(label, *(f"{mode} {number}/40" for mode, number in figures.items()))
        print(*(f"  missed: {question}" for question in missed), sep="\n")


if __name__ == "__main__":
    main()
