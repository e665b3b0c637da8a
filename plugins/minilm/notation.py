"""Write a computation as an ONNX model, in the notation of Protocol Buffers.

Such a message is a sequence of (field number, wire type) and value. The numbers below are those of
https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

IR_VERSION = 8
OPSET = 17

CONTRIBUTED = "com.microsoft"
"""The domain of operators that onnxruntime adds to ONNX: fused attention, gelu with bias, products
with weights of four bits.
"""

OF_ONNXRUNTIME = {"MultiHeadAttention", "BiasGelu", "MatMulNBits"}

FLOAT, BYTE, INT32, INT64 = 1, 2, 6, 7
"""ONNX's numbers for element types."""

EXTERNAL = 1
"""Marks a tensor whose data is in another file."""


class Node(NamedTuple):
    """One step of a computation."""

    operator: str
    inputs: Sequence[str]
    out: str
    attributes: Mapping[str, float | int] = {}


class Declared(NamedTuple):
    """What is given to a computation, or comes out of it; a size may be a name."""

    name: str
    element: int
    shape: Sequence[str | int]


def write_model(
    name: str,
    nodes: Iterable[Node],
    tensors: Iterable[bytes],
    inputs: Iterable[Declared],
    output: Declared,
) -> bytes:
    """Return a model of these steps; `tensors` are made by `tensor` and `tensor_in_file`."""
    graph = [
        *(_field(1, _node(node)) for node in nodes),
        _field(2, name),
        *(_field(5, one) for one in tensors),
        *(_field(11, _declared(one)) for one in inputs),
        _field(12, _declared(output)),
    ]
    return b"".join(
        [
            _number(1, IR_VERSION),
            _field(7, b"".join(graph)),
            _field(8, _number(2, OPSET)),
            _field(8, _field(1, CONTRIBUTED) + _number(2, 1)),
        ]
    )


def tensor(name: str, element: int, shape: Iterable[int], data: bytes) -> bytes:
    """Return a constant with its data, little-endian and row by row."""
    return _constant(name, element, shape) + _field(9, data)


def tensor_in_file(name: str, shape: Iterable[int], file: str, offset: int, length: int) -> bytes:
    """Return a constant of 32-bit floats whose data is a part of a file."""
    place = {"location": file, "offset": offset, "length": length}
    entries = (_field(13, _field(1, key) + _field(2, str(value))) for key, value in place.items())
    return _constant(name, FLOAT, shape) + b"".join(entries) + _number(14, EXTERNAL)


def integers(name: str, values: Sequence[int]) -> bytes:
    """Return a constant vector of 64-bit integers."""
    return tensor(name, INT64, [len(values)], struct.pack(f"<{len(values)}q", *values))


def _constant(name: str, element: int, shape: Iterable[int]) -> bytes:
    sizes = b"".join(_number(1, size) for size in shape)
    return sizes + _number(2, element) + _field(8, name)


def _node(node: Node) -> bytes:
    named = [_field(1, name) for name in node.inputs]
    named += [_field(2, node.out), _field(4, node.operator)]
    named += [_field(5, _attribute(name, value)) for name, value in node.attributes.items()]
    if node.operator in OF_ONNXRUNTIME:
        named.append(_field(7, CONTRIBUTED))
    return b"".join(named)


def _attribute(name: str, value: float | int) -> bytes:
    if isinstance(value, float):
        return _field(1, name) + _key(2, 5) + struct.pack("<f", value) + _number(20, 1)
    return _field(1, name) + _number(3, value) + _number(20, 2)


def _declared(one: Declared) -> bytes:
    sizes = (_field(2, size) if isinstance(size, str) else _number(1, size) for size in one.shape)
    dimensions = b"".join(_field(1, size) for size in sizes)
    shaped = _number(1, one.element) + _field(2, dimensions)
    return _field(1, one.name) + _field(2, _field(1, shaped))


def _number(field: int, value: int) -> bytes:
    return _key(field, 0) + _variable(value)


def _field(field: int, value: str | bytes) -> bytes:
    data = value.encode() if isinstance(value, str) else value
    return _key(field, 2) + _variable(len(data)) + data


def _key(field: int, kind: int) -> bytes:
    return _variable(field << 3 | kind)


def _variable(value: int) -> bytes:
    """Return a 64-bit integer as a base-128 varint."""
    value &= 2**64 - 1  # a negative number is written as its complement
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
