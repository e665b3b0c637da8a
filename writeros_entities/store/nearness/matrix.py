"""All vectors of one model in one matrix: in memory, and in a file beside the database.

A row is found by the hash of its text. What a hash and a model give never changes, so the file is
never wrong: it can only lack rows, which are then read from the database, or hold rows that nobody
asks for any more. It is written to a file of its own and renamed into place; who has the old one
open goes on with it. Losing it costs nothing but the time of reading the database.
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

from writeros_entities.store.nearness.products import products

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Hashes = NDArray[np.bytes_]
    Integers = NDArray[np.int64]
    Fetch = Callable[[Hashes], Iterable[tuple[str, bytes]]]

HASH = "S24"
STORED = "<f4"

FORMAT = 1
"""Number of the file's layout: format, dimensions; hashes; vectors; each as a `.npy` array."""

FEW = 256
SHARE = 0.02
"""Rows that the file may lack, at least and as a share of all, before it is written anew."""


@dataclass(frozen=True, eq=False)
class _Rows:
    """Vectors in two parts, as they lie on disk and as they were added since; hashes of both."""

    hashes: Hashes
    order: Integers
    stored: Floats
    added: Floats

    def find(self, wanted: Hashes) -> Integers:
        """Return the row of each hash, or -1."""
        if not len(self.hashes):
            return np.full(len(wanted), -1, np.int64)
        in_order = self.hashes[self.order]
        places = np.minimum(np.searchsorted(in_order, wanted), len(in_order) - 1)
        return np.where(in_order[places] == wanted, self.order[places], -1)

    def with_added(self, hashes: Hashes, vectors: Floats) -> _Rows:
        """Return the rows with some more behind them."""
        joined = np.concatenate([self.hashes, hashes])
        return _Rows(joined, np.argsort(joined), self.stored, np.concatenate([self.added, vectors]))


class VectorMatrix:
    """The vectors of one model that were ever asked for; safe to use from several threads."""

    def __init__(self, dimensions: int, file: Path | None) -> None:
        self._dimensions = dimensions
        self._file = file
        self._lock = Lock()
        self._rows = _read(file, dimensions) if file is not None else _empty(dimensions)

    def find(self, wanted: Hashes, fetch: Fetch) -> Integers:
        """Return the row of each hash, or -1 for those that have no vector.

        `fetch` is asked once for all that are not in memory, and gives (hash, bytes) pairs.
        """
        with self._lock:
            found = self._rows.find(wanted)
            missing = np.unique(wanted[found < 0])
            if len(missing) and self._add(fetch(missing)):
                found = self._rows.find(wanted)
            return found

    def vectors(self, rows: Integers) -> Floats:
        """Return the vectors of rows."""
        held = self._rows
        stored = len(held.stored)
        vectors = np.empty((len(rows), self._dimensions), np.float32)
        is_stored = rows < stored
        vectors[is_stored] = held.stored[rows[is_stored]]
        vectors[~is_stored] = held.added[rows[~is_stored] - stored]
        return vectors

    def products(self, query: Floats) -> Floats:
        """Return the inner product of every row with a query."""
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
        """Have the vectors lie in the file; not if another process has written its own since.

        Whoever has found a row by now looks for its vector in the same place.
        """
        if np.array_equal(written.hashes, self._rows.hashes):
            self._rows = written


def _empty(dimensions: int) -> _Rows:
    none = np.empty((0, dimensions), np.float32)
    return _Rows(np.empty(0, HASH), np.empty(0, np.int64), none, none)


def _read(file: Path, dimensions: int) -> _Rows:
    """Return what a file holds, its vectors mapped; nothing for one that is missing or damaged."""
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
