"""Measure how well speeches are attributed to speakers: precision and recall on the novel."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import yaml

from writeros_entities.session import Session
from writeros_entities.story.loading import load_story

FIXTURES = Path(__file__).resolve().parent.parent / "vault_fixtures"
MARKS = "\"“”‘’'"


class Score(NamedTuple):
    """Numbers of speeches with the right speaker, with a wrong one, and without theirs.

    A speech whose speaker has no name cannot be missed, and is wrong if attributed to anyone.
    """

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        """The share of attributed speeches with the right speaker."""
        return self.right / (self.right + self.wrong)

    @property
    def recall(self) -> float:
        """The share of speeches by named speakers that are attributed to them."""
        return self.right / (self.right + self.wrong + self.missed)


def measure(database: str) -> tuple[Score, list[str]]:
    """Return the score over the novel, and every error as a line."""
    truth = yaml.safe_load((FIXTURES / "novel.truth" / "speech.yaml").read_text("utf-8"))
    right = wrong = missed = 0
    errors = []
    for chapter, found in read_speeches(database).items():
        for (speaker, text), (meant, words) in zip(found, truth[chapter], strict=True):
            if not text.strip(MARKS).startswith(words.split(" ")[0].strip(MARKS)):
                raise ValueError(f"{chapter}: the truth has {words!r}, the novel {text!r}.")
            if speaker is None:
                missed += meant is not None
            elif speaker == meant:
                right += 1
            else:
                wrong += 1
                errors.append(f"{chapter}: {speaker} for {meant}: {text}")
    return Score(right, wrong, missed), errors


def read_speeches(database: str) -> Mapping[str, list[tuple[str | None, str]]]:
    """Return the speeches of each chapter, each with the name of its speaker."""
    with Session.open(FIXTURES / "novel", database=database, embedding_model="") as session:
        session.call("sync", {})
        with session.view() as view:
            story = load_story(view)
    found: dict[str, list[tuple[str | None, str]]] = {}
    for scene in story.scenes:
        for speech in scene.speeches:
            name = story.entities[speech.speaker].name if speech.speaker else None
            found.setdefault(scene.title, []).append((name, speech.text))
    return found


def lines(score: Score, errors: list[str]) -> Iterator[str]:
    """Yield the lines to print."""
    yield from errors
    yield f"precision {score.precision:.3f} recall {score.recall:.3f} {score}"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        print("\n".join(lines(*measure(f"sqlite:///{folder}/index.sqlite3"))))
