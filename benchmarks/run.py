"""Measure all figures of `docs/benchmarks.md`, and write that page.

    python benchmarks/run.py            # vaults of 10,000 and 50,000 notes, and a full world
    python benchmarks/run.py --quick    # 1,000 notes; prints, writes nothing
    python benchmarks/run.py --only world --world 10000    # a part of it; prints, writes nothing

Vaults are generated from a seed. Cold figures are taken in a new interpreter. Repeated questions
differ each time, so that no answer comes from a cache; a line that says warm has the reader's other
caches filled.
"""

from __future__ import annotations

import compileall
import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import writeros_plugins
from answering import BARS, Answered, answer_apart, measure_commands
from asking import (
    measure_brief,
    measure_context,
    measure_continuity,
    measure_reasoning,
    measure_search,
)
from embedding import measure_embedding
from server import open_server
from starting import measure_cold_search, measure_help, measure_tools
from syncing import index_of, measure_saves, measure_sync
from vaults import generate_vault
from world import RELATIONS_EACH, generate_world

import writeros_entities
from writeros_entities.session import Session

ENTITIES_BAR_AT = 12_000
"""Search by entities has a target only up to this many chunks (for a vault of 10,000)."""

PAGE = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table: what was measured, at which size, and its target."""

    what: str
    at: str
    bar: str
    median: float
    unit: str
    is_met: bool

    def row(self) -> str:
        """Return the cells of the line."""
        mark = "" if self.is_met else " (missed)"
        return f"| {self.what} | {self.at} | {self.bar} | {digits(self.median)} {self.unit}{mark} |"


def digits(measured: float) -> str:
    """Return a figure with three digits, and more if it is nearly one."""
    precision = 3 if measured < 0.99 or measured > 1 else 7
    return f"{measured:,.0f}" if measured >= 100 else f"{measured:.{precision}g}"


def at_most(what: str, at: str, bar: float, unit: str, measured: float) -> Figure:
    """Return a figure with an upper target."""
    return Figure(what, at, f"≤ {bar:g} {unit}", measured, unit, measured <= bar)


def at_least(what: str, at: str, bar: float, unit: str, measured: float) -> Figure:
    """Return a figure with a lower target."""
    return Figure(what, at, f"≥ {bar:,g} {unit}", measured, unit, measured >= bar)


def measure_notes(scratch: Path, sizes: tuple[int, int], searched: int) -> Iterator[Figure]:
    """Take the measurements of vaults by their notes, one after the other."""
    small = sizes[0]
    vaults = {}
    for number in dict.fromkeys(sizes):
        vaults[number] = scratch / f"vault-{number}"
        generate_vault(vaults[number], number)
    at = f"{small:,} notes"
    first = measure_sync(vaults[small], scratch)
    yield at_least("first sync, without embeddings", at, 1_000, "notes/s", first.notes_per_second)
    yield Figure("processor time of it, all together", at, "", first.cpu_seconds, "s", True)
    yield at_most("private memory of it, workers included", at, 600, "MB", first.megabytes)
    yield at_most("no-change sync", at, 0.5, "s", first.again_seconds)
    yield at_most("database, size by that of the text", at, 5, "×", first.size_ratio)
    for number in dict.fromkeys(sizes):
        saved = measure_saves(vaults[number], scratch)
        yield at_most("save → searchable, watching", f"{number:,} notes", 0.3, "s", saved)
    for notes in dict.fromkeys((max(1, searched // 5), searched)):
        yield from measure_searches(notes, scratch)
    reasoned = small * 3 // 5
    reasoning = measure_reasoning(reasoned, scratch)
    size = f"{reasoned:,} notes"
    walk = "what a question leads to over shared names, after its search"
    yield at_most(walk, size, 10, "ms", reasoning.walk_ms)
    yield Figure("reason_over_entities, lexical, warm", size, "", reasoning.whole_ms, "ms", True)
    yield Figure("loading the names and phrases, once", size, "", reasoning.load_seconds, "s", True)
    yield at_most("build_context", "100 mentions", 15, "ms", measure_context(scratch))
    brief = measure_brief(vaults[small], scratch)
    yield at_most("brief_scene, warm", at, 50, "ms", brief)
    checked = measure_continuity(vaults[small], scratch)
    yield Figure("check_continuity, processor time", at, "", checked, "s", True)
    made = measure_embedding(scratch)
    chunks = "200-token chunks"
    yield Figure("embedding, on all cores", chunks, "", made.texts_per_second, "chunks/s", True)
    plain = "embedding, beside a plain sentence-transformers loop"
    yield at_least(plain, chunks, 1.8, "×", made.times_plain)
    cosine = "cosine to its vectors, the least"
    yield at_least(cosine, chunks, 0.9999, "", made.least_cosine)
    yield at_most("embed a query, cold", "a process", 0.6, "s", made.cold_seconds)
    yield Figure("embed a query, warm", "12 tokens", "", made.query_ms, "ms", True)
    yield at_most("`--help`, cold", "", 0.25, "s", measure_help())
    yield at_most(
        "MCP start to first tools/list", at, 1, "s", measure_tools(vaults[small], scratch)
    )


def measure_world(scratch: Path, entities: int) -> Iterator[Figure]:
    """Take the measurements of a world as it is synced, and of a small one's communities."""
    small, number = scratch / "world-small", min(entities, 10_000)
    generate_world(small, number)
    measure_sync(small, scratch, times=1)
    (communities,), _ = answer_apart(small, sqlite(index_of(small, scratch)), "find_communities")
    size = (
        f"{min(entities, 10_000):,} entities, {RELATIONS_EACH * min(entities, 10_000):,} relations"
    )
    yield at_most("find_communities, the first time", size, 300, "ms", communities.first_ms)
    world = scratch / "world"
    generate_world(world, entities)
    at = f"a world of {entities:,} entities"
    first = measure_sync(world, scratch, times=1)
    yield Figure("first sync, without embeddings", at, "", first.seconds, "s", True)
    yield Figure("processor time of it, all together", at, "", first.cpu_seconds, "s", True)
    yield at_most("private memory of its first process", at, 1_000, "MB", first.own_megabytes)
    yield Figure("workers included", at, "", first.megabytes, "MB", True)
    yield Figure("no-change sync", at, "", first.again_seconds, "s", True)
    yield at_most("database", at, 400, "MB", first.size_megabytes)


def measure_answers(scratch: Path) -> Iterator[tuple[str, list[Answered], float]]:
    """Ask the world that `measure_world` has synced, on each engine; yield also the memory."""
    world = scratch / "world"
    own = sqlite(index_of(world, scratch))
    yield "SQLite", *answer_apart(world, own)
    with open_server() as server:
        with Session.open(world, database=own, embedding_model="") as session:
            session.call("migrate", {"to": server})
        yield "PostgreSQL", *answer_apart(world, server)


def write_answers(scratch: Path) -> Iterator[str]:
    """Yield the lines of the table of answers about the world."""
    engines = list(measure_answers(scratch))
    world = scratch / "world"
    cold = dict(measure_commands(world, sqlite(index_of(world, scratch))))
    each = "median | worst | processor | as of a chapter"
    yield f"| | bar | {each} | as a command | on PostgreSQL: {each} |"
    yield "|---" * 11 + "|"
    by_engine = [{one.what: one for one in answered} for _, answered, _ in engines]
    for what, own in by_engine[0].items():
        other = by_engine[1][what]
        bar = BARS.get(what)
        mark = " (missed)" if bar is not None and own.median_ms > bar else ""
        cells = [what, "" if bar is None else f"≤ {bar}", digits(own.median_ms) + mark]
        cells += map(digits, (own.worst_ms, own.cpu_ms, own.bounded_ms, cold[what]))
        cells += map(digits, (other.median_ms, other.worst_ms, other.cpu_ms, other.bounded_ms))
        yield f"| {' | '.join(cells)} |"
    memory = ", ".join(f"{megabytes:,.0f} MB on {name}" for name, _, megabytes in engines)
    yield ""
    yield f"Private memory of the process that has answered all of it: {memory} (bar: 700 MB)."


def sqlite(index: Path) -> str:
    """Return the URL of an index in a file."""
    return f"sqlite:///{index}"


def measure_searches(notes: int, scratch: Path) -> Iterator[Figure]:
    """Measure searches of a vault of `notes` notes, on both engines."""
    vault = scratch / f"searched-{notes}"
    people = generate_vault(vault, notes).people
    with open_server() as server:
        for engine, database in (("SQLite", f"sqlite:///{vault}.sqlite3"), ("PostgreSQL", server)):
            search = measure_search(vault, people, database)
            at = f"{search.chunks:,} chunks"
            yield at_most(f"hybrid search, warm, {engine}", at, 50, "ms", search.hybrid_ms)
            unheard = f"for words in most chunks, never asked for before, {engine}"
            yield Figure(unheard, at, "", search.unheard_ms, "ms", True)
            by_entities = f"search_by_entities, {engine}"
            if search.chunks <= ENTITIES_BAR_AT:
                yield at_most(by_entities, at, 20, "ms", search.by_entities_ms)
            else:
                yield Figure(by_entities, at, "", search.by_entities_ms, "ms", True)
            cold = measure_cold_search(vault, database)
            yield at_most(f"one-shot hybrid `search`, cold, {engine}", at, 1, "s", cold)


def compile_packages() -> None:
    """Compile the product's modules, as pip does, so that no cold start includes it."""
    for package in (writeros_entities, writeros_plugins):
        compileall.compile_dir(package.__path__[0], quiet=1)


def describe_machine() -> str:
    """Describe the machine of the measurement."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    model = platform.processor() or platform.machine()
    memory = ""
    information = Path("/proc/cpuinfo")
    if information.exists():
        lines = (line.partition(":") for line in information.read_text("utf-8").splitlines())
        told = {key.strip(): value.strip() for key, _, value in lines}
        model = told.get("model name", model)
        if "cpu family" in told and "model" in told:
            model += f", family {told['cpu family']} model {told['model']}"
        memory = f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB, "
    return f"{cores} cores ({model}), {memory}{platform.system()}, Python {sys.version.split()[0]}"


HOW = """
Written by `python benchmarks/run.py` (`make bench`). What is missed stands here as well.

The first table is about generated vaults whose notes have 2.3 kB in the mean
(`benchmarks/vaults.py`). The figures are medians. Each first sync has a process of its own.

The second is about a *world* (`benchmarks/world.py`): a vault with 100,000 sheets and a thousand
chapters, whose sync leaves 500,000 stated relations and 300,000 mentions, with leading characters
of thousands of mentions and a long tail. Its lines begin with what it took to sync it, once.
Private memory is what no other process shares, at its peak. Then
(`benchmarks/answering.py`) one process asks everything through `Session.call`, ten times about the
most mentioned entities and ten times about others, none of it twice, and makes each answer's text.
Milliseconds are those of the clock, *processor* those of the processor, *worst* is the slowest of
the twenty. *As of a chapter* asks the same as of the chapter in the middle. *As a command* is the
median of three starts of the command, from nothing, on SQLite. The index on PostgreSQL is a copy
of that on SQLite, on a server with default settings.
"""


def write_page(figures: list[Figure], answers: list[str], load: float) -> None:
    """Write the page."""
    text = [
        "# Benchmarks",
        *HOW.splitlines(),
        "",
        f"Machine: {describe_machine()}. Load when it began: {load:.1f}.",
        "",
        "| what | at | bar | median |",
        "|---|---|---|---|",
        *(figure.row() for figure in figures),
        "",
        "## Answers about a world",
        "",
        "Milliseconds.",
        "",
        *answers,
    ]
    PAGE.write_text("\n".join(text) + "\n", "utf-8")


@click.command()
@click.option("--quick", is_flag=True, help="Vaults of 1,000 notes; nothing is written.")
@click.option("--only", type=click.Choice(["notes", "world"]), help="A part; nothing is written.")
@click.option("--world", "entities", default=100_000, show_default=True, help="Its entities.")
@click.option("--folder", type=click.Path(path_type=Path), help="Where the vaults are made.")
def main(quick: bool, only: str | None, entities: int, folder: Path | None) -> None:
    """Measure, print, and write docs/benchmarks.md."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    compile_packages()
    figures, answers = [], []
    with tempfile.TemporaryDirectory(dir=folder) as made:
        scratch = Path(made)
        sizes = (1_000, 1_000) if quick else (10_000, 50_000)
        entities = min(entities, 1_000) if quick else entities
        measured = {
            "notes": measure_notes(scratch, sizes, 1_000 if quick else 17_000),
            "world": measure_world(scratch, entities),
        }
        for part in measured if only is None else (only,):
            for figure in measured[part]:
                print(figure.row(), flush=True)
                figures.append(figure)
        if only != "notes":
            for line in write_answers(scratch):
                print(line, flush=True)
                answers.append(line)
    if not quick and only is None:
        write_page(figures, answers, load)


if __name__ == "__main__":
    main()
