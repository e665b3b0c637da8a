"""Measure all figures of `docs/benchmarks.md`, and write that page.

    python benchmarks/run.py            # vaults of 10,000 and 50,000 notes, and a full world
    python benchmarks/run.py --quick    # 1,000 notes; prints, writes nothing
    python benchmarks/run.py --only world --world 10000    # a piece of it; prints, writes nothing

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
from collections.abc import Callable, Iterator
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


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many notes two vaults have, and those to search; and how many entities two worlds."""

    notes: int = 10_000
    more: int = 50_000
    searched: tuple[int, ...] = (3_400, 17_000)
    entities: int = 100_000
    few: int = 10_000

    @property
    def at(self) -> str:
        """The size of the smaller vault, in words."""
        return f"{self.notes:,} notes"


def vault_of(scratch: Path, notes: int) -> Path:
    """Return a generated vault of so many notes, made if it is not there yet."""
    vault = scratch / f"vault-{notes}"
    if not vault.exists():
        generate_vault(vault, notes)
    return vault


def measure_syncs(sizes: Sizes, scratch: Path) -> Iterator[Figure]:
    """Measure a first sync and one without changes."""
    at, first = sizes.at, measure_sync(vault_of(scratch, sizes.notes), scratch)
    yield at_least("first sync, without embeddings", at, 1_000, "notes/s", first.notes_per_second)
    yield Figure("processor time of it, all together", at, "", first.cpu_seconds, "s", True)
    yield at_most("private memory of it, workers included", at, 600, "MB", first.megabytes)
    yield at_most("no-change sync", at, 0.3, "s", first.again_seconds)
    yield at_most("database, size by that of the text", at, 4.6, "×", first.size_ratio)


def measure_watching(sizes: Sizes, scratch: Path) -> Iterator[Figure]:
    """Measure how soon what a writer saves is found."""
    for notes in dict.fromkeys((sizes.notes, sizes.more)):
        saved = measure_saves(vault_of(scratch, notes), scratch)
        yield at_most("save → searchable, watching", f"{notes:,} notes", 0.2, "s", saved)


def measure_searching(sizes: Sizes, scratch: Path) -> Iterator[Figure]:
    """Measure searches."""
    for notes in dict.fromkeys(sizes.searched):
        yield from measure_searches(notes, scratch)


def measure_questions(sizes: Sizes, scratch: Path) -> Iterator[Figure]:
    """Measure questions over several hops."""
    notes = sizes.notes * 3 // 5
    reasoned = measure_reasoning(notes, scratch)
    yield Figure("reason_over_entities, lexical", f"{notes:,} notes", "", reasoned, "ms", True)


def measure_contexts(_: Sizes, scratch: Path) -> Iterator[Figure]:
    """Measure contexts."""
    yield at_most("build_context", "100 mentions", 15, "ms", measure_context(scratch))


def measure_briefs(sizes: Sizes, scratch: Path) -> Iterator[Figure]:
    """Measure briefs of scenes."""
    brief = measure_brief(vault_of(scratch, sizes.notes), scratch)
    yield at_most("brief_scene", sizes.at, 50, "ms", brief)


def measure_checks(sizes: Sizes, scratch: Path) -> Iterator[Figure]:
    """Measure the check of a vault's continuity."""
    checked = measure_continuity(vault_of(scratch, sizes.notes), scratch)
    yield Figure("check_continuity, processor time", sizes.at, "", checked, "s", True)


def measure_vectors(_: Sizes, scratch: Path) -> Iterator[Figure]:
    """Measure the embedding of texts, which has no capability of its own."""
    made = measure_embedding(scratch)
    chunks = "200-token chunks"
    yield Figure("embedding, on all cores", chunks, "", made.texts_per_second, "chunks/s", True)
    plain = "embedding, beside a plain sentence-transformers loop"
    yield at_least(plain, chunks, 2, "×", made.times_plain)
    cosine = "cosine to its vectors, the least"
    yield at_least(cosine, chunks, 0.9999, "", made.least_cosine)


def measure_starts(sizes: Sizes, scratch: Path) -> Iterator[Figure]:
    """Measure commands from nothing."""
    yield at_most("`--help`, cold", "", 0.2, "s", measure_help())
    tools = measure_tools(vault_of(scratch, sizes.notes), scratch)
    yield at_most("MCP start to first tools/list", sizes.at, 0.7, "s", tools)


def measure_communities(sizes: Sizes, scratch: Path) -> Iterator[Figure]:
    """Measure the first communities of a small world."""
    world, few = scratch / "world-small", sizes.few
    generate_world(world, few)
    measure_sync(world, scratch, times=1)
    (found,), _ = answer_apart(world, sqlite(index_of(world, scratch)), "find_communities")
    size = f"{few:,} entities, {RELATIONS_EACH * few:,} relations"
    yield at_most("find_communities, the first time", size, 300, "ms", found.first_ms)


def measure_world(sizes: Sizes, scratch: Path) -> Iterator[Figure]:
    """Measure a world as it is synced, and the graph as the first path is asked for."""
    world, entities = scratch / "world", sizes.entities
    generate_world(world, entities)
    at = f"a world of {entities:,} entities"
    first = measure_sync(world, scratch, times=1)
    yield Figure("first sync, without embeddings", at, "", first.seconds, "s", True)
    yield Figure("processor time of it, all together", at, "", first.cpu_seconds, "s", True)
    yield at_most("private memory of its first process", at, 1_000, "MB", first.own_megabytes)
    yield Figure("workers included", at, "", first.megabytes, "MB", True)
    yield Figure("no-change sync", at, "", first.again_seconds, "s", True)
    yield at_most("database", at, 400, "MB", first.size_megabytes)
    index = sqlite(index_of(world, scratch))
    _, without = answer_apart(world, index, "find_mentions")
    (paths,), with_graph = answer_apart(world, index, "find_paths, 2 hops")
    yield at_most("first path, which loads the graph", at, 3, "s", paths.first_ms / 1000)
    yield at_most("private memory of the graph", at, 200, "MB", with_graph - without)


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
            yield at_most(f"hybrid search, warm, {engine}", at, 40, "ms", search.hybrid_ms)
            unheard = f"for words in most chunks, never asked for before, {engine}"
            yield Figure(unheard, at, "", search.unheard_ms, "ms", True)
            by_entities = f"search_by_entities, {engine}"
            if search.chunks <= ENTITIES_BAR_AT:
                yield at_most(by_entities, at, 15, "ms", search.by_entities_ms)
            else:
                yield Figure(by_entities, at, "", search.by_entities_ms, "ms", True)
            cold = measure_cold_search(vault, database)
            yield at_most(f"one-shot hybrid `search`, cold, {engine}", at, 0.7, "s", cold)


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


PIECES: dict[str, Callable[[Sizes, Path], Iterator[Figure]]] = {
    "sync": measure_syncs,
    "saves": measure_watching,
    "search": measure_searching,
    "reasoning": measure_questions,
    "context": measure_contexts,
    "brief": measure_briefs,
    "continuity": measure_checks,
    "embedding": measure_vectors,
    "starting": measure_starts,
    "communities": measure_communities,
    "world": measure_world,
}
"""What can be measured alone, in the order of the page."""

HOW = """
Written by `python benchmarks/run.py` (`make bench`); `--only NAME` measures a piece of it alone.
What is missed stands here as well.

Every figure is of what a user calls: a capability through `Session.call`, or a command in a process
of its own; only embedding, which has no capability, is timed by itself. The figures are medians,
and questions differ each time, so that no answer comes from a cache. The milliseconds are those of
the clock unless a line says otherwise.

The first table is about generated vaults whose notes have 2.3 kB in the mean
(`benchmarks/vaults.py`).

- A *first sync* is the capability `sync` in a process of its own, without vectors and close
  reading; the *no-change sync* follows it there. Memory is what no other process shares, at its
  peak, in one more sync.
- *Save → searchable* is from a note's replacement on disk until `search` returns its new word,
  while another session watches.
- A *search* is for two very common words and a name, with the vectors of 384 random numbers, after
  two others; *never asked for before* means the words. *Cold* is a command.
- `build_context` is about one of twenty entities with 100 mentions each, `brief_scene` about one of
  the last forty chapters.
- The *first path* is the first `find_paths` of a process, by which the graph is read; the graph's
  memory is what that process has more than one that asked for mentions.

The second is about a *world* (`benchmarks/world.py`): a vault with 100,000 sheets and a thousand
chapters, whose sync leaves 500,000 stated relations and 300,000 mentions, with leading characters
of thousands of mentions and a long tail. One process (`benchmarks/answering.py`) asks everything
through `Session.call`, ten times about the most mentioned entities and ten times about others, none
of it twice, and makes each answer's text. *Processor* is processor time, *worst* the slowest of the
twenty. *As of a chapter* asks the same as of the chapter in the middle. *As a command* is the
median of three starts of the command, from nothing, on SQLite. The index on PostgreSQL is a copy of
that on SQLite, on a server with default settings.
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
@click.option("--only", type=click.Choice([*PIECES]), help="A piece; nothing is written.")
@click.option("--world", "entities", default=100_000, show_default=True, help="Its entities.")
@click.option("--folder", type=click.Path(path_type=Path), help="Where the vaults are made.")
def main(quick: bool, only: str | None, entities: int, folder: Path | None) -> None:
    """Measure, print, and write docs/benchmarks.md."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    compile_packages()
    sizes = Sizes(entities=entities, few=min(entities, 10_000))
    if quick:
        sizes = Sizes(1_000, 1_000, (1_000,), min(entities, 1_000), min(entities, 1_000))
    figures, answers = [], []
    with tempfile.TemporaryDirectory(dir=folder) as made:
        scratch = Path(made)
        for name, measure in PIECES.items():
            if only in (None, name):
                for figure in measure(sizes, scratch):
                    print(figure.row(), flush=True)
                    figures.append(figure)
        if only in (None, "world"):
            for line in write_answers(scratch):
                print(line, flush=True)
                answers.append(line)
    if not quick and only is None:
        write_page(figures, answers, load)


if __name__ == "__main__":
    main()
