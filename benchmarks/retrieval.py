"""Measure how often search finds the notes needed to answer a multi-hop question.

    python benchmarks/retrieval.py musique.json.gz hotpotqa.json.gz

A file has `passages` [{title, text}] and `questions` [{question, gold: [indices of passages]}];
each passage becomes a note. Prints the mean recall of a question's notes among the first two and
the first five, found by words, by vectors, by hybrid search and by reasoning; for reasoning also
separately for even and odd questions.
"""

from __future__ import annotations

import gzip
import json
import re
import tempfile
from pathlib import Path
from typing import Any

import click

from writeros_entities.session import Session

MODES = ("text", "vector", "hybrid")
REASONING = "reason_over_entities"
DEPTH = 40
CUTS = (2, 5)

_NOT_IN_NAMES = re.compile(r'[\\/:*?"<>|#^\[\]]')


def write_notes(passages: list[dict[str, str]], root: Path) -> None:
    """Write each passage as a note, in a folder named by the passage's index."""
    (root / ".obsidian").mkdir(parents=True)
    for place, passage in enumerate(passages):
        title = _NOT_IN_NAMES.sub(" ", passage["title"]).strip(" .")[:150] or "Untitled"
        file = root / f"{place:06}" / f"{title}.md"
        file.parent.mkdir()
        file.write_text(passage["text"] + "\n", "utf-8")


def measure(session: Session, questions: list[dict[str, Any]], how: str) -> list[float]:
    """Return the mean recall at each cut, of search in a mode or of reasoning."""
    sums = [0.0] * len(CUTS)
    for one in questions:
        notes = [int(path.partition("/")[0]) for path in find_paths(session, one["question"], how)]
        gold = set(one["gold"])
        for at, cut in enumerate(CUTS):
            sums[at] += len(gold.intersection(notes[:cut])) / len(gold)
    return [total / len(questions) for total in sums]


def find_paths(session: Session, question: str, how: str) -> list[str]:
    """Return the paths of the notes that a question finds, best first, without duplicates."""
    if how == REASONING:
        answer = session.call(how, {"query": question, "top_k": DEPTH}).model_dump()["results"]
    else:
        request = {"query": question, "mode": how, "limit": DEPTH}
        answer = session.call("search", request).model_dump()["passages"]
    return list(dict.fromkeys(found["path"] for found in answer))


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--model", default="all-MiniLM-L6-v2", show_default=True, help="Embedding model.")
def main(files: tuple[Path, ...], model: str) -> None:
    """Measure search on sets of questions."""
    for file in files:
        data = json.loads(gzip.decompress(file.read_bytes()))
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder) / "vault"
            write_notes(data["passages"], root)
            database = f"sqlite:///{folder}/index.sqlite3"
            with Session.open(
                root,
                database=database,
                embedding_model=model,
                embedding_precision="fp32",  # the same figures on every processor
            ) as session:
                session.call("sync", {})
                questions = data["questions"]
                for how in (*MODES, REASONING):
                    show(file.name, how, measure(session, questions, how))
                for half in (0, 1):
                    recall = measure(session, questions[half::2], REASONING)
                    show(file.name, f"{REASONING}, half {half + 1}", recall)


def show(file: str, how: str, recall: list[float]) -> None:
    """Print what was measured of one file."""
    shown = " ".join(f"recall@{cut} {value:.3f}" for cut, value in zip(CUTS, recall, strict=True))
    print(f"{file} {how} {shown}", flush=True)


if __name__ == "__main__":
    main()
