"""Compare what a text costs at one length and at twice that length, for many odd texts.

    python benchmarks/growth.py --length 20000
    python benchmarks/growth.py --place paragraph --only dots --seconds 60

Each text is a run of one kind of character, or of one piece of markup, and stands in turn in each
place of a note. The vault holds that note and a chapter; it is synced, and asked a few questions.
What grows faster than its text is printed: twice the text may take twice the processor time, and
less than three times, unless both are too short to tell. Each measurement has a process of its own
that ends at `--seconds`.
"""

from __future__ import annotations

import multiprocessing
import resource
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import click

from writeros_entities.errors import WriterosError
from writeros_entities.session import Session

RUNS = {
    "letters": "a",
    "capitals": "A",
    "capital words": "Aa ",
    "capitals with spaces": "A ",
    "words": "ann went ",
    "digits": "7",
    "digits with spaces": "7 ",
    "dots": ".",
    "dots with spaces": ". ",
    "letters with dots": "a.",
    "initials": "A. ",
    "commas": ",",
    "commas with spaces": ", ",
    "exclamation marks": "!",
    "spaces": " ",
    "tabs": "\t",
    "no-break spaces": "\xa0",
    "newlines": "\n",
    "lines of one letter": "a\n",
    "spaces and newlines": " \n",
    "paragraphs": "a\n\n",
    "carriage returns": "\r",
    "straight quotes": '"',
    "straight quotes with spaces": '" ',
    "curly quotes": "“",
    "speeches": "“a” ",
    "unclosed speeches": "“a ",
    "apostrophes": "'",
    "words with apostrophes": "a'",
    "possessives": "Ann's ",
    "parentheses": "(",
    "closing parentheses": ")",
    "brackets": "[",
    "closing brackets": "]",
    "pairs of brackets": "[]",
    "braces": "{",
    "double braces": "{{",
    "closing braces": "}",
    "dashes": "-",
    "long dashes": "—",
    "dashes with spaces": "- ",
    "words with dashes": "a-",
    "stars": "*",
    "stars with spaces": "* ",
    "stars around letters": "*a* ",
    "underscores": "_",
    "letters with underscores": "a_",
    "tildes": "~",
    "equals signs": "=",
    "pipes": "|",
    "pipes with spaces": "| ",
    "rows": "|a|\n",
    "backticks": "`",
    "backticks with letters": "`a",
    "fences": "```\n",
    "backslashes": "\\",
    "hashes": "#",
    "headings": "# a\n",
    "tags": "#a ",
    "carets": "^",
    "footnotes": "[^a]",
    "slashes": "/",
    "addresses": "http://a ",
    "dollars": "$",
    "dollars with letters": "$a",
    "per cents": "%",
    "comments": "%%",
    "comments with letters": "%%a ",
    "ampersands": "&",
    "character references": "&#1",
    "less-than signs": "<",
    "elements": "<a ",
    "closed elements": "<a>",
    "HTML comments": "<!--",
    "template commands": "<%",
    "greater-than signs": ">",
    "quotes of quotes": "> ",
    "quoted lines": "> a\n",
    "callouts": "> [!a] a\n",
    "list items": "- a\n",
    "tasks": "- [ ] a\n",
    "numbered items": "1. a\n",
    "deeper and deeper": "- " * 3 + "\n ",
    "colons": ":",
    "double colons with letters": "a:: ",
    "labelled lines": "**A**: a\n",
    "openings of links": "[[",
    "links": "[[Ann Hale]] ",
    "unclosed links": "[[a",
    "links with pipes": "[[a|",
    "openings of images": "![",
    "images": "![a](a) ",
    "unclosed Markdown links": "[a](",
    "definitions": "[a]: b\n",
    "data URIs": "data:image/png;base64,",
    "names": "Ann Hale ",
    "names and others": "Ann Hale and ",
    "names with dots": "Ann Hale. ",
    "relatives": "sister of Ann Hale ",
    "titles": "Mr. ",
    "Chinese": "中",
    "Chinese with full stops": "中。",
    "Japanese": "のカ",
    "Thai": "ก",
    "accents": "\u0301",
    "letters with accents": "e\u0301",
    "joiners": "\u200d",
    "emoji": "\U0001f600",
    "masks": "\x02",
}
"""Pieces of text, each repeated as often as it fits."""

PLACES = {
    "paragraph": "---\ntype: person\n---\nAnn Hale came.\n\n{}\n\nAnn Hale left.\n",
    "sentence": "---\ntype: person\n---\nAnn Hale came {} and Ann Hale left.\n",
    "heading": "---\ntype: person\n---\n# Ann {}\n\nAnn Hale left.\n",
    "item": "---\ntype: person\n---\n- Ann Hale: {}\n- Sister: {}\n",
    "cell": "---\ntype: person\n---\n| Name | Sister |\n|---|---|\n| Ann | {} |\n| {} | Ann |\n",
    "property": "---\ntype: person\nsister: >-\n  x {} x\n---\nAnn Hale left.\n",
    "frontmatter": "---\ntype: person\n{}\n---\nAnn Hale left.\n",
    "quotation": "---\ntype: person\n---\n> “Ann Hale {}” said Ann Hale.\n",
}
"""Notes with a place for the text."""

CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("sync", {"vectors": False}),
    ("brief_scene", {"scene": 1}),
    ("check_continuity", {}),
    ("get_entity", {"entity": "Ann Hale"}),
    ("build_context", {"entities": ["Ann Hale"]}),
    ("search", {"query": "Ann Hale"}),
)
ASKED = (("extract_entities", "text"), ("context_for_text", "text"), ("search", "query"))
"""Capabilities to which the text itself is given."""

TOO_SHORT_SECONDS = 0.3
MOST_GROWTH = 3.0


def main_text(piece: str, length: int) -> str:
    """Return a piece, repeated to a length in characters."""
    return (piece * (length // len(piece) + 1))[:length]


def measure(note: str, text: str, seconds: int) -> Mapping[str, float]:
    """Return the processor seconds of each call; infinity for one that had not ended in time."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    taken: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        process = multiprocessing.get_context("fork").Process(
            target=_run, args=(Path(folder), note, text, seconds, theirs)
        )
        process.start()
        theirs.close()
        try:
            while True:
                name = ours.recv()
                taken[name] = float("inf")
                taken[name] = ours.recv()
        except EOFError:
            process.join()
    return taken


def _run(folder: Path, note: str, text: str, seconds: int, answers: Connection) -> None:
    root = folder / "vault"
    for path, content in {
        "People/Ann Hale.md": note,
        "Manuscript/01 One.md": f"Ann Hale came.\n\n{note.split('---', 2)[-1]}",
    }.items():
        (root / path).parent.mkdir(parents=True)
        (root / path).write_text(content, "utf-8", newline="")
    database = f"sqlite:///{folder}/index.sqlite3"
    with Session.open(root, database=database, embedding_model="", workers=0) as session:
        asked = [(name, {field: text}) for name, field in ASKED if text]
        for name, arguments in (*CALLS, *asked):
            label = f"{name} (the text)" if text and text in arguments.values() else name
            ends = int(time.process_time()) + seconds
            resource.setrlimit(resource.RLIMIT_CPU, (ends, resource.RLIM_INFINITY))
            answers.send(label)
            begun = time.process_time()
            with suppress(WriterosError):
                session.call(name, arguments)
            answers.send(time.process_time() - begun)


def find_growing(
    places: Mapping[str, str], runs: Mapping[str, str], length: int, seconds: int
) -> Iterator[str]:
    """Yield a line for each call whose cost grows faster than its text."""
    for place, note in places.items():
        for run, piece in runs.items():
            once, twice = (
                measure(note.replace("{}", text), text if place == "paragraph" else "", seconds)
                for text in (main_text(piece, length), main_text(piece, 2 * length))
            )
            for call, long in twice.items():
                short = once.get(call, float("inf"))
                if long > max(TOO_SHORT_SECONDS, MOST_GROWTH * short) or long == float("inf"):
                    yield f"{place}, {run}, {call}: {short:.2f} s, then {long:.2f} s"


@click.command()
@click.option("--length", default=20_000, show_default=True, help="Characters of the shorter text.")
@click.option("--seconds", default=60, show_default=True, help="Most processor time of a call.")
@click.option("--place", "places", multiple=True, type=click.Choice(list(PLACES)))
@click.option("--only", "runs", multiple=True, type=click.Choice(list(RUNS)))
def main(length: int, seconds: int, places: tuple[str, ...], runs: tuple[str, ...]) -> None:
    """Print each call whose cost grows faster than its text."""
    chosen = {name: note for name, note in PLACES.items() if name in places or not places}
    repeated = {name: piece for name, piece in RUNS.items() if name in runs or not runs}
    with tempfile.TemporaryDirectory() as folder:  # imports all that the measured calls import
        _, unheard = pipe = multiprocessing.Pipe()
        _run(Path(folder), PLACES["paragraph"], "Ann", 10**6, unheard)
        for end in pipe:
            end.close()
    found = 0
    for line in find_growing(chosen, repeated, length, seconds):
        found += 1
        print(line, flush=True)
    print(f"{len(chosen) * len(repeated)} texts in their places; {found} calls grow faster.")
    raise SystemExit(1 if found else 0)


if __name__ == "__main__":
    main()
