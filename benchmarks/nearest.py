"""Measure the speed and recall of nearest-neighbour search over many chunks.

    python benchmarks/nearest.py                                      # SQLite: exact
    python benchmarks/nearest.py postgresql+psycopg://me@host/empty   # PostgreSQL: exact
    python benchmarks/nearest.py postgresql+psycopg://me@host/empty --vectors 100000    # with HNSW

The vectors are synthetic: a few dozen for each of many subjects, near to it but not too near, since
vectors without structure are harder to index than those of texts. Recall is the share of the true
nearest (by exact search) among those found: of the nearest 10, and of as many as search asks for,
most of which are about other subjects. The database should be empty.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray
from sqlalchemy import update

from writeros_entities.session import Session
from writeros_entities.store import rows
from writeros_entities.store.engine import engine_of

Floats = NDArray[np.float32]

MODEL = "made up"
DIMENSIONS = 384
SUBJECTS = 1_000
SPREAD = 1.0
"""Length of the random vector that is added to a subject's: texts of one subject then have a cosine
of about 0.5, as real passages on one subject have.
"""

QUERIES = 40
WARM = 2
LIMIT = 200

_NOTE = ("id", "vault_id", "path", "title", "link_key", "kind", "size", "mtime_ns")
_FLAGS = ("marks_inside_words", "has_claimed_sections")
_CHUNK = ("id", "vault_id", "note_id", "ordinal", "heading", "text", "start", "end", "line")
_COUNTS = ("tokens", "content_hash")


@dataclass(frozen=True, slots=True)
class NearestFigures:
    """The time of one search, its recall, and the time to build the index."""

    median_ms: float
    recall_of_ten: float
    recall: float
    index_seconds: float


def make_vectors(number: int, chance: np.random.Generator) -> Floats:
    """Return vectors of unit length, each near to the vector of its subject."""
    subjects = _units(np.random.default_rng(1), SUBJECTS)
    vectors = subjects[chance.integers(0, SUBJECTS, number)] + SPREAD * _units(chance, number)
    unit: Floats = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


def measure_nearest(session: Session, number: int) -> NearestFigures:
    """Fill the index of an empty vault with vectors, and search it with different queries."""
    chance = np.random.default_rng(7)
    vectors = make_vectors(number, chance)
    fill(session, vectors)
    started = time.perf_counter()
    with session.database.write() as connection:
        engine_of(connection).vectors.index_vectors(connection, MODEL)
    index_seconds = time.perf_counter() - started
    with session.database.write() as connection:
        engine_of(connection).refresh_statistics(connection)
    return search_nearest(session, vectors, make_vectors(QUERIES + WARM, chance), index_seconds)


def search_nearest(
    session: Session, vectors: Floats, queries: Floats, index_seconds: float
) -> NearestFigures:
    """Run all queries, the first two as warm-up, and compare the results with the truth."""
    first = rows.IDS_PER_VAULT * session.vault_id + 1
    taken, ten, all_of_them = [], [], []
    with session.view() as view:
        for query in queries[:WARM]:
            view.engine.vectors.nearest_chunks(view, MODEL, query, LIMIT)
        for query in queries[WARM:]:
            before = time.perf_counter()
            found = view.engine.vectors.nearest_chunks(view, MODEL, query, LIMIT)
            taken.append(time.perf_counter() - before)
            is_found = np.isin(np.argsort(-(vectors @ query))[:LIMIT] + first, found.chunk_ids)
            ten.append(float(is_found[:10].mean()))
            all_of_them.append(float(is_found.mean()))
    median = statistics.median(taken) * 1000
    return NearestFigures(
        median, statistics.fmean(ten), statistics.fmean(all_of_them), index_seconds
    )


def fill(session: Session, vectors: Floats) -> None:
    """Insert one chunk for each vector directly into the index, a hundred to a note."""
    vault_id = session.vault_id
    first = rows.IDS_PER_VAULT * vault_id + 1
    ids = range(first, first + len(vectors))
    notes = range(first, first + len(vectors) // 100 + 1)
    with session.database.write() as connection:
        engine_of(connection).insert_rows(
            connection,
            rows.note,
            (*_NOTE, *_FLAGS),
            [
                (at, vault_id, f"{at}.md", f"{at}", f"{at}", "note", 1, 1, False, False)
                for at in notes
            ],
        )
        engine_of(connection).insert_rows(
            connection,
            rows.chunk,
            (*_CHUNK, *_COUNTS),
            [(*_ids(vault_id, first, at), "", "", 0, 0, 1, 200, f"{at}") for at in ids],
        )
        engine_of(connection).insert_rows(
            connection,
            rows.embedding,
            ("vault_id", "model", "content_hash", "vector"),
            [(vault_id, MODEL, f"{at}", vector) for at, vector in zip(ids, vectors, strict=True)],
        )
        is_it = rows.vault.c.id == vault_id
        connection.execute(update(rows.vault).where(is_it).values(synced_at=0.0))


def _ids(vault_id: int, first: int, chunk_id: int) -> tuple[int, int, int, int]:
    """Return a chunk's id, its vault's, its note's, and its place there."""
    note, ordinal = divmod(chunk_id - first, 100)
    return chunk_id, vault_id, first + note, ordinal


def _units(chance: np.random.Generator, number: int) -> Floats:
    vectors = chance.standard_normal((number, DIMENSIONS), dtype=np.float32)
    unit: Floats = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


@click.command()
@click.argument("database", required=False)
@click.option("--vectors", default=50_000, show_default=True)
def main(database: str | None, vectors: int) -> None:
    """Measure one engine."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "vault").mkdir()
        url = database or f"sqlite:///{folder}/index.sqlite3"
        with Session.open(Path(folder) / "vault", database=url) as session:
            found = measure_nearest(session, vectors)
    print(
        f"nearest {LIMIT} of {vectors:,} vectors: {found.median_ms:.1f} ms, "
        f"recall of the nearest 10 {found.recall_of_ten:.4f}, of all {found.recall:.4f}, "
        f"index {found.index_seconds:.1f} s"
    )


if __name__ == "__main__":
    main()
