"""Measure how many of the notes that hold a word are among the first results of a search for it.

    python benchmarks/single_words.py VAULT …

For a sample of the words that stand in 2 to 30 notes of a vault, each in just these letters, the
word is searched for, without vectors. Prints the mean share of these notes, of which at most ten
can be shown, among the first ten results: of every passage, and of one for each note.
"""

from __future__ import annotations

import random
import re
import tempfile
from collections import defaultdict
from pathlib import Path

import click

from writeros_entities.session import Session

FEWEST, MOST, FIRST = 2, 30, 10
SEED = 7

_WORD = re.compile(r"[^\W\d_]{4,}")


def words_by_notes(session: Session) -> dict[str, set[str]]:
    """Return the paths of the notes that hold each word."""
    held: dict[str, set[str]] = defaultdict(set)
    for path in session.list_notes():
        for word in _WORD.findall(session.read_note(path)):
            held[word.lower()].add(path)
    return {word: notes for word, notes in held.items() if FEWEST <= len(notes) <= MOST}


def share_found(session: Session, word: str, notes: set[str], *, every_passage: bool) -> float:
    """Return the share of the notes, at most ten, that the first results show."""
    request = {"query": word, "limit": FIRST, "every_passage": every_passage}
    passages = session.call("search", request).model_dump()["passages"]
    return len({one["path"] for one in passages} & notes) / min(len(notes), FIRST)


@click.command()
@click.argument("vaults", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--sample", default=400, show_default=True, help="Words of each vault to search for.")
def main(vaults: tuple[Path, ...], sample: int) -> None:
    """Measure searches for single words."""
    for vault in vaults:
        with (
            tempfile.TemporaryDirectory() as folder,
            Session.open(
                vault, database=f"sqlite:///{folder}/index.sqlite3", embedding_model=""
            ) as session,
        ):
            session.call("sync", {})
            held = words_by_notes(session)
            words = random.Random(SEED).sample(sorted(held), min(sample, len(held)))
            for every_passage in (True, False):
                shares = [
                    share_found(session, word, held[word], every_passage=every_passage)
                    for word in words
                ]
                mean = sum(shares) / len(shares)
                what = "every passage" if every_passage else "one a note"
                click.echo(f"{vault.name:24} {len(words):4} words  {what:13} {mean:.1%}")


if __name__ == "__main__":
    main()
