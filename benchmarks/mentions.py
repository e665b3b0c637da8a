"""Measure how well mentions are found in the fixture vaults, and show each error in its sentence.

    python benchmarks/mentions.py novel

A mention is correct if its span is exact and its entity is the right one. `+` marks a false
positive, `-` a missed mention.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from writeros_entities.session import Session
from writeros_entities.testing import (
    MarkedSpan,
    MentionScore,
    found_mentions,
    read_marked,
    score_mentions,
)

FIXTURES = Path(__file__).resolve().parent.parent / "vault_fixtures"
CONTEXT = 60


def read_truth(folder: Path) -> dict[str, tuple[str, set[MarkedSpan]]]:
    """Read all annotated notes below a folder: their text and the expected mentions."""
    return {
        file.relative_to(folder).as_posix(): read_marked(file.read_bytes().decode())
        for file in sorted(folder.rglob("*.md"))
    }


def describe_errors(path: str, text: str, expected: set[MarkedSpan], found: set[MarkedSpan]) -> str:
    """Return a line for each wrong or missed mention of a note, with its context."""
    lines = []
    for start, end, name in sorted(expected ^ found):
        sign = "+" if (start, end, name) in found else "-"
        before = " ".join(text[max(0, start - CONTEXT) : start].split("\n\n")[-1].split(" "))
        after = text[end : end + CONTEXT].split("\n\n")[0]
        passage = f"{before}[{text[start:end]}]{after}".replace("\n", " ")
        line = text.count("\n", 0, start) + 1
        lines.append(f"{sign} {path}:{line} {name}: {passage}")
    return "\n".join(lines)


def measure(vault: str, database: str) -> tuple[MentionScore, list[str]]:
    """Sync a fixture vault into a new database; return the score and every error."""
    with Session.open(FIXTURES / vault, database=database, embedding_model="") as session:
        session.call("sync", {})
        found = found_mentions(session)
    truth = read_truth(FIXTURES / f"{vault}.truth" / "mentions")
    errors = []
    total = MentionScore(0, 0, 0)
    for path in sorted(truth.keys() | found.keys()):
        text, expected = truth.get(path, ("", set()))
        score = score_mentions(expected, found.get(path, set()))
        total = MentionScore(
            total.right + score.right, total.wrong + score.wrong, total.missed + score.missed
        )
        if score.wrong or score.missed:
            errors.append(describe_errors(path, text, expected, found.get(path, set())))
    return total, errors


@click.command()
@click.argument("vaults", nargs=-1)
def main(vaults: tuple[str, ...]) -> None:
    """Print precision, recall and F1 of the mentions in each fixture vault, and every error."""
    for vault in vaults or ("novel", "technical"):
        with tempfile.TemporaryDirectory() as folder:
            score, errors = measure(vault, f"sqlite:///{folder}/index.sqlite3")
        click.echo(
            f"{vault:10} P {score.precision:.4f}  R {score.recall:.4f}  F1 {score.f1:.4f}  "
            f"({score.right} right, {score.wrong} wrong, {score.missed} missed)"
        )
        for error in errors:
            click.echo(error)


if __name__ == "__main__":
    main()
