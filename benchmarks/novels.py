"""Print what the product finds in whole novels, for a reader to judge.

    python benchmarks/novels.py emma.txt persuasion.txt --speeches 60

A novel is a plain text as in libraries of free books: chapters under headings ("Chapter 1",
"CHAPTER IV"), paragraphs separated by empty lines. It becomes a vault with one note for each
chapter. Prints the people found, all relations read from prose, all findings of `check-continuity`,
and a random sample of speeches with their context.
"""

from __future__ import annotations

import random
import re
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import click
from relations import read_statements

from writeros_entities.session import Session
from writeros_entities.story.loading import load_story

SEED = 5
PEOPLE = 40
MOST = 500
AROUND = 250
"""Characters of context shown before a speech; half as many are shown after it."""

_HEADING = re.compile(r"^(?:chapter|volume|book|part)\s+[ivxlc\d]+\.?\s*$", re.IGNORECASE | re.M)
_LEAST = 300
"""Least characters of a chapter; shorter ones are entries of a table of contents."""


def write_novel(text: str, root: Path) -> int:
    """Write each chapter of a text as a note, one line per paragraph; return their number."""
    manuscript = root / "Manuscript"
    manuscript.mkdir(parents=True)
    (root / ".obsidian").mkdir()
    chapters = [part for part in _HEADING.split(text)[1:] if len(part.strip()) > _LEAST]
    for number, chapter in enumerate(chapters, start=1):
        paragraphs = (" ".join(one.split()) for one in re.split(r"\n\s*\n", chapter))
        note = "\n\n".join(one for one in paragraphs if one)
        (manuscript / f"Chapter {number:02}.md").write_text(f"{note}\n", "utf-8")
    return len(chapters)


def describe(session: Session, speeches: int) -> Iterator[str]:
    """Yield the lines to print about a synced vault."""
    yield "People"
    asked = {"types": ["person"], "limit": PEOPLE}
    for one in session.call("list_entities", asked).model_dump()["entities"]:
        yield f"  {one['name']} ({one['mention_count']})"
    yield "Relations"
    yield from (f"  {stated}" for stated in read_statements(session))
    yield "Findings"
    answer = session.call("check_continuity", {"limit": MOST}).model_dump()
    for finding in answer["findings"]:
        yield f"  {finding['rule']}: {finding['message']}"
        yield from (f"    {one['path']}: {one['quote']}" for one in finding["evidence"])
    yield from _describe_speeches(session, speeches)


def _describe_speeches(session: Session, number: int) -> Iterator[str]:
    with session.view() as view:
        story = load_story(view)
    found = [(scene, speech) for scene in story.scenes for speech in scene.speeches]
    spoken = [(scene, speech, speech.speaker) for scene, speech in found if speech.speaker]
    yield f"Speeches: {len(found)}, with a speaker {len(spoken)}"
    for scene, speech, speaker in random.Random(SEED).sample(spoken, min(number, len(spoken))):
        told = " ".join(one.text for one in scene.sentences)
        at = told.find(speech.text)
        yield f"  {scene.title}: {story.entities[speaker].name} ({speech.rule}): {speech.text}"
        yield f"    {told[max(0, at - AROUND) : at + len(speech.text) + AROUND // 2]}"


@click.command()
@click.argument("novels", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--speeches", default=40, show_default=True, help="How many to show of each.")
def main(novels: tuple[Path, ...], speeches: int) -> None:
    """Print what the product says of whole novels."""
    for novel in novels:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder) / "vault"
            chapters = write_novel(novel.read_text("utf-8"), root)
            database = f"sqlite:///{folder}/index.sqlite3"
            with Session.open(root, database=database, embedding_model="") as session:
                began = time.perf_counter()
                session.call("sync", {})
                seconds = time.perf_counter() - began
                click.echo(f"{novel.name}: {chapters} chapters, synced in {seconds:.1f} s")
                for line in describe(session, speeches):
                    click.echo(line)


if __name__ == "__main__":
    main()
