"""Ask the index of a filled world everything, through `Session.call`, and measure the answers.

    python benchmarks/answering.py VAULT DATABASE

Each question is asked of the whole vault and as of the chapter in the middle, about ten leading
entities and ten others, each once in a process that has answered one like it. The milliseconds are
those of `Session.call` and of the answer's text. With `--json`, one line for each, and a last one
with the private memory of the process that has answered all.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import psutil
from sqlalchemy import func, select
from vaults import WORDS

from writeros_entities.session import Session

ASKED = 10
"""How many leading entities, and how many others, questions are about."""

PAGE = 2_000
"""Characters of a text to find entities in."""

BARS = {
    "get_entity": 5,
    "find_related_entities": 10,
    "find_mentions": 15,
    "list_entities": 15,
    "extract_entities": 15,
    "find_paths, 2 hops": 15,
    "find_paths, 3 hops": 25,
    "find_paths, 4 hops": 10,
}
"""Milliseconds that an answer should take at most, warm, at 100,000 entities."""

COLD = 3
"""How often a command is started."""

Question = tuple[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Answered:
    """What one kind of question took: milliseconds, warm and the first time.

    `median_ms`, `worst_ms` and `cpu_ms` (the median of processor time) are of the whole vault,
    `bounded_ms` is the median as of a chapter.
    """

    what: str
    median_ms: float
    worst_ms: float
    cpu_ms: float
    first_ms: float
    bounded_ms: float


def ask_everything(vault: Path, database: str, only: str | None = None) -> Iterator[Answered]:
    """Yield what each kind of question takes, or one kind alone."""
    with Session.open(vault, database=database, embedding_model="") as session:
        middle, questions = questions_about(session)
        for what, asked in questions.items():
            if only not in (None, what):
                continue
            first, whole = _ask(session, asked, None)
            _, bounded = _ask(session, asked, middle)
            walls = [wall for wall, _ in whole]
            yield Answered(
                what,
                statistics.median(walls),
                max(walls),
                statistics.median(cpu for _, cpu in whole),
                first,
                statistics.median(wall for wall, _ in bounded),
            )


def _ask(
    session: Session, asked: Sequence[Question], as_of: int | None
) -> tuple[float, list[tuple[float, float]]]:
    """Return the milliseconds of the first answer, and those of the others with their processor
    time.
    """
    taken = []
    for capability, arguments in asked:
        wall, cpu = time.perf_counter(), time.process_time()
        session.call(capability, {**arguments, "as_of": as_of}).as_text()
        taken.append((1000 * (time.perf_counter() - wall), 1000 * (time.process_time() - cpu)))
    return taken[0][0], taken[1:]


def questions_about(session: Session) -> tuple[int, dict[str, list[Question]]]:
    """Return the position in the middle, and the questions by what they measure.

    They are about entities of which a reader knows there; the first of each is to warm up.
    """
    chance = random.Random(7)
    with session.view() as view:
        entity, note = view.entity, view.note
        last = view.scalar(select(func.max(note.c.position)))
        middle = last // 2
        known = select(entity.c.name).where(
            entity.c.status == "noted", entity.c.first_position <= middle
        )
        ordered = known.order_by(entity.c.mention_count.desc(), entity.c.name)
        names = [row.name for row in view.all(ordered)]
        people = [row.name for row in view.all(ordered.where(entity.c.type == "person").limit(40))]
    others = chance.sample(names[50:], ASKED + 1)
    about = [others.pop(), *names[:ASKED], *others]
    pairs = [*pairwise(about)]
    far = [(one, other) for one, other in pairwise(chance.sample(names[50:], 2 * ASKED))]
    scenes = range(max(1, middle - 2 * ASKED), middle + 1)
    texts = [_page(chance, pair) for pair in pairs]
    return middle, {
        "get_entity": [("get_entity", {"entity": name}) for name in about],
        "find_related_entities": [
            ("find_related_entities", {"entity": name, "relation": "friend_of"}) for name in people
        ],
        "find_mentions": [("find_mentions", {"entity": name}) for name in about],
        "list_entities": [
            ("list_entities", {"limit": 50, "offset": 50 * page}) for page in range(ASKED)
        ],
        "list_entities, by name": [
            ("list_entities", {"limit": 50, "offset": 50 * page, "order": "name"})
            for page in range(ASKED)
        ],
        "extract_entities": [("extract_entities", {"text": text}) for text in texts],
        "list_note_entities": [("list_note_entities", {"note": str(at)}) for at in scenes],
        "search": [("search", {"query": f"the river and {name}"}) for name in about],
        "search_by_entities": [("search_by_entities", {"entities": pair}) for pair in pairs],
        "build_context": [("build_context", {"entities": [name]}) for name in about],
        "context_for_text": [("context_for_text", {"text": text}) for text in texts],
        "brief_scene": [("brief_scene", {"scene": at}) for at in scenes],
        "get_entity_history": [("get_entity_history", {"entity": name}) for name in about],
        **{
            f"find_paths, {hops} hops": [
                ("find_paths", {"entities": [one], "to": [other], "max_hops": hops})
                for one, other in far
            ]
            for hops in (2, 3, 4)
        },
        "get_entity_graph": [("get_entity_graph", {"center_entity": name}) for name in about],
        "find_communities": [("find_communities", {"limit": 10 + at}) for at in range(3)],
    }


def _page(chance: random.Random, names: Sequence[str]) -> str:
    text = ""
    while len(text) < PAGE:
        told = [*chance.choices(WORDS, k=10), chance.choice(names), *chance.choices(WORDS, k=3)]
        text += f"Then {' '.join(told)}. "
    return text[:PAGE]


def private_megabytes(process: psutil.Process) -> float:
    """Return the memory of a process that no other shares."""
    return float(process.memory_full_info().uss) / 1e6


def answer_apart(
    vault: Path, database: str, only: str | None = None
) -> tuple[list[Answered], float]:
    """Ask everything in a process of its own; return the answers' figures, and its memory."""
    command = [sys.executable, __file__, str(vault), database, "--json"]
    command += [] if only is None else ["--only", only]
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    *answered, last = map(json.loads, told.splitlines())
    return [Answered(**one) for one in answered], last["megabytes"]


def measure_commands(vault: Path, database: str) -> Iterator[tuple[str, float]]:
    """Yield the median milliseconds of each kind of question as a command of its own."""
    with Session.open(vault, database=database, embedding_model="") as session:
        _, questions = questions_about(session)
        declared = {name: one.request for name, one in session.capabilities.items()}
    for what, asked in questions.items():
        capability, arguments = asked[1]
        options: list[str] = []
        for name, value in arguments.items():
            values = value if isinstance(value, (list, tuple)) else [value]
            if declared[capability].model_fields[name].is_required():
                options += map(str, values)
            else:
                options += [f"--{name.replace('_', '-')}={one}" for one in values]
        program = "from writeros_entities.surfaces.cli import main; main()"
        where = ["--vault", str(vault), "--database", database]
        command = [sys.executable, "-c", program, *where, capability.replace("_", "-"), *options]
        taken = []
        for _ in range(COLD):
            begun = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            taken.append(time.perf_counter() - begun)
        yield what, 1000 * statistics.median(taken)


@click.command()
@click.argument("vault", type=click.Path(path_type=Path))
@click.argument("database")
@click.option("--json", "as_json", is_flag=True, help="Print lines of JSON.")
@click.option("--only", help="One kind of question.")
@click.option("--commands", is_flag=True, help="Measure commands instead, each as a process.")
def main(vault: Path, database: str, as_json: bool, only: str | None, commands: bool) -> None:
    """Measure the answers about a synced world."""
    if commands:
        for what, milliseconds in measure_commands(vault, database):
            click.echo(f"{what:24} {milliseconds:9.1f} ms")
        return
    if not as_json:
        click.echo(f"{'':24}    median     worst       cpu     first   bounded   (ms)")
    for one in ask_everything(vault, database, only):
        if as_json:
            click.echo(json.dumps(asdict(one)))
            continue
        figures = (one.median_ms, one.worst_ms, one.cpu_ms, one.first_ms, one.bounded_ms)
        click.echo(f"{one.what:24} " + " ".join(f"{figure:9.2f}" for figure in figures))
    megabytes = private_megabytes(psutil.Process())
    click.echo(json.dumps({"megabytes": megabytes}) if as_json else f"memory {megabytes:.0f} MB")


if __name__ == "__main__":
    main()
