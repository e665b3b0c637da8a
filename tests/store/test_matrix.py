"""The file of vectors beside a database, which several processes write."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from writeros_entities.store import similarity
from writeros_entities.store.similarity import FEW, HASH, VectorMatrix

MANY = FEW + 1


def fetch(hashes: np.ndarray[tuple[int], np.dtype[np.bytes_]]) -> Iterable[tuple[str, bytes]]:
    """Return for each hash, `h12`, the vector (12, 12)."""
    names = [one.decode() for one in hashes.tolist()]
    return [(name, np.full(2, float(name[1:]), np.float32).tobytes()) for name in names]


def hashes(first: int) -> np.ndarray[tuple[int], np.dtype[np.bytes_]]:
    return np.array([f"h{first + at}" for at in range(MANY)], HASH)


def test_a_row_stays_where_it_was_found_when_another_process_writes_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    VectorMatrix(2, tmp_path / "theirs").find(hashes(1_000), fetch)
    theirs = (tmp_path / "theirs").read_bytes()
    write = similarity._write

    def write_and_be_overtaken(file: Path, held: similarity._Rows, dimensions: int) -> None:
        write(file, held, dimensions)
        file.write_bytes(theirs)

    monkeypatch.setattr(similarity, "_write", write_and_be_overtaken)
    mine = VectorMatrix(2, tmp_path / "mine")
    found = mine.find(hashes(0), fetch)
    assert mine.vectors(found)[:3].tolist() == [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]


def test_a_file_is_read_by_who_comes_later(tmp_path: Path) -> None:
    VectorMatrix(2, tmp_path / "file").find(hashes(0), fetch)
    later = VectorMatrix(2, tmp_path / "file")
    found = later.find(np.array([b"h7"], HASH), lambda missing: pytest.fail("read again"))
    assert later.vectors(found).tolist() == [[7.0, 7.0]]
