"""Exact vector search in memory: the query is compared with every chunk that the view can see.

An engine only supplies the matrix and the function that reads missing vectors.

The matrix has all vectors of one model, in memory and in a file beside the database. Rows are keyed
by content hash. The vector of a hash under a model never changes, so the file is never wrong: it
can only lack rows, which are then read from the database, or contain unused ones. It is written to
a temporary file and renamed into place; readers of the old file are not disturbed. Deleting it
costs only the time to read the database again.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from writeros_entities.store.chunks import visible_chunks
from writeros_entities.store.columns import STORED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from writeros_entities.arrays import Floats, Hashes, Integers, Vector, Vectors
    from writeros_entities.store.view import StoredView

    ReadVectors = Callable[[StoredView, str, Sequence[str]], Iterable[tuple[str, bytes]]]
    Fetch = Callable[[Hashes], Iterable[tuple[str, bytes]]]

HASH = "S24"

_FORMAT = 1
"""Version of the file's layout: two `.npy` arrays, [format, dimensions] and the hashes, followed by
the vectors as raw float32.
"""

FEW = 256
_SHARE = 0.02
"""The file is rewritten once it lacks more rows than FEW and than this share of its own rows."""


_Number = TypeVar("_Number", np.float32, np.float64)

DIGITS = 6
"""Decimals to which a cosine is rounded, so that summation order makes no difference."""

SPARE = 20
"""Extra candidates fetched by an engine's own arithmetic before they are scored by ours."""


@dataclass(frozen=True, eq=False)
class HeldVectors:
    """A model's vectors in memory, as seen by one view.

    `fetch` reads the vectors of content hashes from the index, as bytes of float32.
    """

    view: StoredView
    model: str
    matrix: VectorMatrix
    fetch: ReadVectors

    def nearest(self, query: Vector, limit: int, note_ids: Collection[int] | None) -> Nearest:
        """Return the chunks nearest to a query vector."""
        chunks = visible_chunks(self.view)
        places = self._places()
        is_candidate = places >= 0
        if note_ids is not None:
            is_candidate &= np.isin(chunks.note_ids, np.fromiter(note_ids, np.int64))
        candidates = np.flatnonzero(is_candidate)
        near = self.matrix.products(query)[places[candidates]]
        best = candidates[top_k(near, limit + SPARE)]
        cosines = score(self.matrix.vectors(places[best]), query)
        order = np.lexsort((best, -cosines))[:limit]
        return Nearest(chunks.ids[best[order]], cosines[order])

    def cosines(self, query: Vector, chunk_ids: Sequence[int]) -> dict[int, float]:
        """Return the cosines of a query vector with chunks."""
        chunks = visible_chunks(self.view)
        asked = chunks.rows_of(np.array(chunk_ids, np.int64))
        places = self._places()[asked]
        asked, places = asked[places >= 0], places[places >= 0]
        cosines = score(self.matrix.vectors(places), query)
        return dict(zip(chunks.ids[asked].tolist(), cosines.tolist(), strict=True))

    def load(self, content_hashes: Sequence[str]) -> dict[str, Vector]:
        """Return the vectors of texts."""
        places = self._find(np.array(content_hashes, HASH))
        found = self.matrix.vectors(places[places >= 0])
        names = [name for name, at in zip(content_hashes, places, strict=True) if at >= 0]
        return dict(zip(names, found, strict=True))

    def count(self) -> int:
        """Return how many chunks have a vector."""
        return int((self._places() >= 0).sum())

    def _places(self) -> Integers:
        """Return the matrix row of each visible chunk's vector, or -1."""
        name = ("vectors", self.model, self.view.vector_revision)
        chunks = visible_chunks(self.view)
        return self.view.kept(name, lambda: self._find(chunks.hashes))

    def _find(self, hashes: Hashes) -> Integers:
        def fetch(missing: Hashes) -> Iterable[tuple[str, bytes]]:
            return self.fetch(self.view, self.model, [one.decode() for one in missing.tolist()])

        return self.matrix.find(hashes, fetch)


@dataclass(frozen=True, eq=False)
class _Rows:
    """Vectors in two parts, those in the file and those added since, with the hashes of both."""

    hashes: Hashes
    order: Integers
    stored: Vectors
    added: Vectors

    def find(self, wanted: Hashes) -> Integers:
        """Return the row of each hash, or -1."""
        if not len(self.hashes):
            return np.full(len(wanted), -1, np.int64)
        in_order = self.hashes[self.order]
        places = np.minimum(np.searchsorted(in_order, wanted), len(in_order) - 1)
        return np.where(in_order[places] == wanted, self.order[places], -1)

    def with_added(self, hashes: Hashes, vectors: Vectors) -> _Rows:
        """Return the rows with more vectors appended."""
        joined = np.concatenate([self.hashes, hashes])
        return _Rows(joined, np.argsort(joined), self.stored, np.concatenate([self.added, vectors]))


class VectorMatrix:
    """All vectors of one model that have been requested so far; thread-safe."""

    def __init__(self, dimensions: int, file: Path | None) -> None:
        self._dimensions = dimensions
        self._file = file
        self._lock = Lock()
        self._rows = _read(file, dimensions) if file is not None else _empty(dimensions)

    def find(self, wanted: Hashes, fetch: Fetch) -> Integers:
        """Return the row of each hash, or -1 for hashes that have no vector.

        `fetch` is called at most once, with all hashes not in memory; it returns (hash, bytes)
        pairs.
        """
        with self._lock:
            found = self._rows.find(wanted)
            missing = np.unique(wanted[found < 0])
            if len(missing) and self._add(fetch(missing)):
                found = self._rows.find(wanted)
            return found

    def vectors(self, rows: Integers) -> Vectors:
        """Return the vectors of rows, in an array of shape (rows, dimensions)."""
        held = self._rows
        stored = len(held.stored)
        vectors = np.empty((len(rows), self._dimensions), np.float32)
        is_stored = rows < stored
        vectors[is_stored] = held.stored[rows[is_stored]]
        vectors[~is_stored] = held.added[rows[~is_stored] - stored]
        return vectors

    def products(self, query: Vector) -> Vectors:
        """Return the inner product of every row with a query vector."""
        held = self._rows
        return np.concatenate([products(held.stored, query), products(held.added, query)])

    def _add(self, found: Iterable[tuple[str, bytes]]) -> bool:
        pairs = [pair for pair in found if len(pair[1]) == 4 * self._dimensions]
        if not pairs:
            return False
        hashes = np.array([pair[0] for pair in pairs], HASH)
        joined = np.frombuffer(b"".join(pair[1] for pair in pairs), STORED)
        vectors = joined.astype(np.float32, copy=False).reshape(len(pairs), self._dimensions)
        self._rows = self._rows.with_added(hashes, vectors)
        if self._file is not None and len(self._rows.added) > max(
            FEW, _SHARE * len(self._rows.stored)
        ):
            with suppress(OSError):
                _write(self._file, self._rows, self._dimensions)
                self._map(_read(self._file, self._dimensions))
        return True

    def _map(self, written: _Rows) -> None:
        """Use the vectors of the file just written, unless another process has replaced it.

        Row numbers that were already returned stay valid, since the hashes are the same.
        """
        if np.array_equal(written.hashes, self._rows.hashes):
            self._rows = written


def _empty(dimensions: int) -> _Rows:
    none = np.empty((0, dimensions), np.float32)
    return _Rows(np.empty(0, HASH), np.empty(0, np.int64), none, none)


def _read(file: Path, dimensions: int) -> _Rows:
    """Return the rows of a file, memory-mapped; none if the file is missing or damaged."""
    try:
        with file.open("rb") as stream:
            header = np.lib.format.read_array(stream, allow_pickle=False)
            if header.tolist() != [_FORMAT, dimensions]:
                return _empty(dimensions)
            hashes = np.lib.format.read_array(stream, allow_pickle=False)
            start = stream.tell()
        shape = (len(hashes), dimensions)
        stored = np.memmap(file, STORED, "r", start, shape) if len(hashes) else None
    except (OSError, ValueError, EOFError):
        return _empty(dimensions)
    none = np.empty((0, dimensions), np.float32)
    vectors = none if stored is None else np.asarray(stored).view(np.ndarray)
    return _Rows(hashes, np.argsort(hashes), vectors, none)


def _write(file: Path, rows: _Rows, dimensions: int) -> None:
    handle, name = tempfile.mkstemp(prefix=f"{file.name}.", dir=file.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            np.lib.format.write_array(stream, np.array([_FORMAT, dimensions]))
            np.lib.format.write_array(stream, rows.hashes)
            for part in (rows.stored, rows.added):
                stream.write(np.ascontiguousarray(part, STORED).data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(file)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


@dataclass(frozen=True, eq=False)
class Nearest:
    """Chunks and their cosines with a query, in descending order; ties are in reading order."""

    chunk_ids: Integers
    cosines: Floats


def score(stored: Vectors, query: Vector) -> Floats:
    """Return the cosines of stored vectors, shape (n, dimensions), with a query vector, rounded.

    All vectors must have unit length.
    """
    return products(stored.astype(np.float64), query.astype(np.float64)).round(DIGITS)


def products(vectors: NDArray[_Number], query: NDArray[_Number]) -> NDArray[_Number]:
    """Return the inner product of each row of `vectors`, of shape (n, dimensions), with a query.

    `einsum` runs in one thread, which is already limited by memory bandwidth. The threads that `@`
    uses wait for each other, and are slower if another program occupies a core.
    """
    found: NDArray[_Number] = np.einsum("ij,j->i", vectors, query)
    return found


def top_k(values: NDArray[np.floating], number: int) -> Integers:
    """Return the indices of the `number` greatest values, in descending order; stable."""
    if 0 < number < len(values):
        least = np.partition(values, len(values) - number)[len(values) - number]
        places = np.flatnonzero(values >= least)
    else:
        places = np.arange(len(values))
    return places[np.lexsort((places, -values[places]))][:number]


def first_of_each(keys: NDArray[np.int64]) -> Integers:
    """Return the indices at which a key stands for the first time, in order."""
    found: Integers = np.sort(np.unique(keys, return_index=True)[1])
    return found
