"""Tables of small integers, with texts beside them, as bytes: for what is stored of a page.

unpack(pack([[(3, 9), (12, 15)], []], ["en"])) == ([[(3, 9), (12, 15)], []], ["en"])
"""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Sequence

Table = Sequence[tuple[int, ...]]

_SIZES = (("b", 1 << 7), ("h", 1 << 15), ("i", 1 << 31))


def pack(tables: Sequence[Table], texts: Sequence[str] = ()) -> bytes:
    """Return tables and texts as bytes, by column, each number in as few as its column needs."""
    about: list[tuple[int, str]] = []
    columns: list[bytes] = []
    for table in tables:
        kinds = ""
        for column in zip(*table, strict=True):
            most = max(map(abs, column))
            kind = next(kind for kind, limit in _SIZES if most < limit)
            columns.append(_in_order(array(kind, column)).tobytes())
            kinds += kind
        about.append((len(table), kinds))
    head = json.dumps([about, texts], ensure_ascii=False, separators=(",", ":")).encode()
    return b"\n".join([head, b"".join(columns)])


def unpack(packed: bytes) -> tuple[list[Table], list[str]]:
    """Return the tables and texts that were packed."""
    head, _, rest = packed.partition(b"\n")
    about, texts = json.loads(head)
    tables: list[Table] = []
    cursor = 0
    for length, kinds in about:
        columns: list[Sequence[int]] = []
        for kind in kinds:
            column = array(kind)
            end = cursor + length * column.itemsize
            column.frombytes(rest[cursor:end])
            cursor = end
            columns.append(_in_order(column))
        tables.append(list(zip(*columns, strict=True)))
    return tables, texts


def _in_order(numbers: array[int]) -> array[int]:
    """Return numbers with their bytes in the order in which they are stored."""
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers
