"""Measure in which note search finds the answer to questions about a vault, with several models.

    python benchmarks/vault_questions.py VAULT QUESTIONS.yaml --model "" --model all-MiniLM-L6-v2

The file has `queries`, each with its `text` and the paths of the notes that `expect` it. A line for
each model says for how many of them one of these notes is the first that is found, and for how many
one of the first five. The index is a new one elsewhere; the vault is only read.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import click
import yaml

from writeros_entities.session import Session

FIRST, LISTED = 5, 40


def rank_of(session: Session, text: str, expected: Sequence[str]) -> int:
    """Return the place of the first expected note among those found, or one behind all of them."""
    request = {"query": text, "limit": LISTED}
    passages = session.call("search", request).model_dump()["passages"]
    paths = list(dict.fromkeys(passage["path"] for passage in passages))
    return min((paths.index(one) + 1 for one in expected if one in paths), default=LISTED + 1)


@click.command()
@click.argument("vault", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("questions", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--model", "models", multiple=True, default=("",), help="Its name; '' for none.")
def main(vault: Path, questions: Path, models: Sequence[str]) -> None:
    """Print how many questions the first note, and the first five, answer."""
    asked = yaml.safe_load(questions.read_text("utf-8"))["queries"]
    for model in models:
        with (
            tempfile.TemporaryDirectory() as folder,
            Session.open(
                vault,
                database=f"sqlite:///{folder}/index.sqlite3",
                embedding_model=model,
                close_reading=False,
                learn_relations=False,
            ) as session,
        ):
            session.call("sync", {})
            ranks = [rank_of(session, one["text"], one["expect"]) for one in asked]
        found = sum(rank == 1 for rank in ranks), sum(rank <= FIRST for rank in ranks)
        click.echo(f"{model or 'no vectors'}: {found[0]}, {found[1]} of {len(ranks)}")


if __name__ == "__main__":
    main()
