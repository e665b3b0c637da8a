"""Measure all figures of `docs/benchmarks.md`, and write that page.

    python benchmarks/run.py            # vaults of 10,000 and 50,000 notes
    python benchmarks/run.py --quick    # 1,000 notes; prints, writes nothing

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
from asking import (
    measure_brief,
    measure_context,
    measure_continuity,
    measure_names,
    measure_page,
    measure_reasoning,
    measure_search,
)
from embedding import measure_embedding
from graph import measure_communities, measure_graph
from server import open_server
from starting import measure_cold_search, measure_help, measure_tools
from syncing import measure_saves, measure_sync
from vaults import generate_vault

import writeros_entities

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
        digits = 3 if self.median < 0.99 or self.median > 1 else 7
        measured = f"{self.median:,.0f}" if self.median >= 100 else f"{self.median:.{digits}g}"
        mark = "" if self.is_met else " (missed)"
        return f"| {self.what} | {self.at} | {self.bar} | {measured} {self.unit}{mark} |"


def at_most(what: str, at: str, bar: float, unit: str, measured: float) -> Figure:
    """Return a figure with an upper target."""
    return Figure(what, at, f"≤ {bar:g} {unit}", measured, unit, measured <= bar)


def at_least(what: str, at: str, bar: float, unit: str, measured: float) -> Figure:
    """Return a figure with a lower target."""
    return Figure(what, at, f"≥ {bar:,g} {unit}", measured, unit, measured >= bar)


def measure_all(
    scratch: Path, sizes: tuple[int, int], searched: int, names: int
) -> Iterator[Figure]:
    """Take all measurements, one after the other."""
    small = sizes[0]
    vaults = {}
    for number in dict.fromkeys(sizes):
        vaults[number] = scratch / f"vault-{number}"
        generate_vault(vaults[number], number)
    at = f"{small:,} notes"
    first = measure_sync(vaults[small], scratch)
    yield at_least("first sync, without embeddings", at, 1_000, "notes/s", first.notes_per_second)
    yield Figure("processor time of it, all together", at, "", first.cpu_seconds, "s", True)
    yield at_most("peak memory of it, workers included", at, 600, "MB", first.megabytes)
    yield at_most("no-change sync", at, 0.5, "s", first.again_seconds)
    yield at_most("database, size by that of the text", at, 5, "×", first.size_ratio)
    for number in dict.fromkeys(sizes):
        saved = measure_saves(vaults[number], scratch)
        yield at_most("save → searchable, watching", f"{number:,} notes", 0.3, "s", saved)
    yield at_most("detect entities in a page", "10,000 names", 1, "ms", measure_page())
    for notes in dict.fromkeys((max(1, searched // 5), searched)):
        yield from measure_searches(notes, scratch)
    reasoned = small * 3 // 5
    reasoning = measure_reasoning(reasoned, scratch)
    size = f"{reasoned:,} notes"
    walk = "what a question leads to over shared names, after its search"
    yield at_most(walk, size, 10, "ms", reasoning.walk_ms)
    yield Figure("reason_over_entities, lexical, warm", size, "", reasoning.whole_ms, "ms", True)
    yield Figure("loading the names and phrases, once", size, "", reasoning.load_seconds, "s", True)
    yield at_most("build_context", "100 mentions", 20, "ms", measure_context(scratch))
    brief = measure_brief(vaults[small], scratch)
    yield at_most("brief_scene, warm", at, 100, "ms", brief)
    checked = measure_continuity(vaults[small], scratch)
    yield Figure("check_continuity, processor time", at, "", checked, "s", True)
    yield at_most("entity by name", f"{names:,} entities", 1, "ms", measure_names(scratch, names))
    made = measure_embedding(scratch)
    chunks = "200-token chunks"
    yield Figure("embedding, on all cores", chunks, "", made.texts_per_second, "chunks/s", True)
    plain = "embedding, beside a plain sentence-transformers loop"
    yield at_least(plain, chunks, 1.8, "×", made.times_plain)
    cosine = "cosine to its vectors, the least"
    yield at_least(cosine, chunks, 0.9999, "", made.least_cosine)
    yield at_most("embed a query, cold", "a process", 0.6, "s", made.cold_seconds)
    yield Figure("embed a query, warm", "12 tokens", "", made.query_ms, "ms", True)
    graph = measure_graph(scratch, names, 5 * names)
    size = f"{names:,} entities, {5 * names:,} relations"
    yield at_most("direct relations", size, 5, "ms", graph.direct_ms)
    yield at_most("2-hop neighbourhood", size, 10, "ms", graph.two_hops_ms)
    yield at_most("3-hop neighbourhood", size, 50, "ms", graph.three_hops_ms)
    yield Figure("get_entity_graph, 2 hops, 50 entities", size, "", graph.answer_ms, "ms", True)
    yield Figure("the 5 strongest paths of 4 hops", size, "", graph.paths_ms, "ms", True)
    yield Figure("loading the graph, once", size, "", graph.load_seconds, "s", True)
    yield Figure("memory of it", size, "", graph.megabytes, "MB", True)
    communities = measure_communities() / 1000
    yield at_most("communities", "10,000 entities, 50,000 relations", 0.5, "s", communities)
    yield at_most("`--help`, cold", "", 0.25, "s", measure_help())
    yield at_most(
        "MCP start to first tools/list", at, 1, "s", measure_tools(vaults[small], scratch)
    )


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


def write_page(figures: list[Figure], load: float) -> None:
    """Write the page."""
    text = [
        "# Benchmarks",
        "",
        "Written by `python benchmarks/run.py` (`make bench`): medians, on generated vaults whose",
        "notes have 2.3 kB in the mean. What is missed stands here as well.",
        "",
        f"Machine: {describe_machine()}. Load when it began: {load:.1f}.",
        "",
        "| what | at | bar | median |",
        "|---|---|---|---|",
        *(figure.row() for figure in figures),
    ]
    PAGE.write_text("\n".join(text) + "\n", "utf-8")


@click.command()
@click.option("--quick", is_flag=True, help="Vaults of 1,000 notes; nothing is written.")
def main(quick: bool) -> None:
    """Measure, print, and write docs/benchmarks.md."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    compile_packages()
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        sizes = (1_000, 1_000) if quick else (10_000, 50_000)
        searched, names = (1_000, 10_000) if quick else (17_000, 100_000)
        for figure in measure_all(Path(folder), sizes, searched, names):
            print(figure.row(), flush=True)
            figures.append(figure)
    if not quick:
        write_page(figures, load)


if __name__ == "__main__":
    main()
