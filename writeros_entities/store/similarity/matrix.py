"""All vectors of one model in one matrix, in memory and in a file beside the database.

Rows are keyed by content hash. The vector of a hash under a model never changes, so the file is
never wrong: it can only lack rows, which are then read from the database, or contain unused ones.
It is written to a temporary file and renamed into place; readers of the old file are not disturbed.
Deleting it costs only the time to read the database again.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from writeros_entities.store.columns import STORED
from writeros_entities.store.similarity.cosines import products

if TYPE_CHECKING:
    from writeros_entities.arrays import Hashes, Integers, Vector, Vectors

    Fetch = Callable[[Hashes], Iterable[tuple[str, bytes]]]

HASH = "S24"

FORMAT = 1
"""Version of the file's layout: two `.npy` arrays, [format, dimensions] and the hashes, followed by
the vectors as raw float32.
"""

FEW = 256
SHARE = 0.02
"""The file is rewritten once it lacks more rows than FEW and than this share of its own rows."""


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
            FEW, SHARE * len(self._rows.stored)
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
            if header.tolist() != [FORMAT, dimensions]:
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
            np.lib.format.write_array(stream, np.array([FORMAT, dimensions]))
            np.lib.format.write_array(stream, rows.hashes)
            for part in (rows.stored, rows.added):
                stream.write(np.ascontiguousarray(part, STORED).data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(file)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
