"""Build the computation of all-MiniLM-L6-v2 as an ONNX graph that refers to the weights' file.

The graph takes a few kilobytes, and is built in memory from the header of `model.safetensors`; each
weight is a reference into that file, which onnxruntime maps instead of copying. So nothing is
exported or cached, and PyTorch is not needed. For OpenVINO, which does not follow external
references from a graph in memory, the weights are embedded. For a batch of `texts` × `length`
tokens, where all texts have the same length, so that no padding or mask is needed:

    x = LayerNorm(word + position + type)                             embeddings
    x = LayerNorm(x + W·attention(Q·x, K·x, V·x))                     six times,
    x = LayerNorm(x + W·gelu(W·x))                                    12 heads, exact gelu

The mean over the tokens is left to the caller.

An ONNX model is a Protocol Buffers message, a sequence of (field number, wire type) and value. The
numbers below are those of https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

LAYERS = 6
HEADS = 12
WIDTH = 384
EPSILON = 1e-12

IR_VERSION = 8
OPSET = 17
CONTRIBUTED = "com.microsoft"
"""The domain of operators that onnxruntime adds to ONNX: fused attention, gelu with bias."""

FLOAT, INT32, INT64 = 1, 6, 7
"""ONNX's numbers for element types."""

EXTERNAL = 1
"""Marks a tensor whose data is in another file."""


def build_graph(weights: Path, *, is_whole: bool = False) -> bytes:
    """Return the graph for a file of weights: (texts, length) → (texts, length, 384).

    `is_whole` embeds the weights; otherwise the graph refers to the file. The inputs are the token
    `ids` and their `places` (0 … length - 1), both int32; the output `hidden` is float32, the last
    hidden state of every token.
    """
    nodes = list(_nodes())
    used = {name for _, inputs, *_ in nodes for name in inputs}
    graph = [
        *(_field(1, _node(*node)) for node in nodes),
        _field(2, "all-MiniLM-L6-v2"),
        *(_field(5, tensor) for tensor in _tensors(weights, used, is_whole=is_whole)),
        _field(5, _integers("rows", [-1, WIDTH])),
        _field(5, _integers("width", [WIDTH])),
        _field(5, _integers("first", [0])),
        _field(11, _declared("ids", INT32, ["texts", "length"])),
        _field(11, _declared("places", INT32, ["length"])),
        _field(12, _declared("hidden", FLOAT, ["texts", "length", WIDTH])),
    ]
    return b"".join(
        [
            _number(1, IR_VERSION),
            _field(7, b"".join(graph)),
            _field(8, _number(2, OPSET)),
            _field(8, _field(1, CONTRIBUTED) + _number(2, 1)),
        ]
    )


# -- The computation -------------------------------------------------------------------------------

Node = tuple[str, Sequence[str], str, dict[str, float | int]]
"""Operator, inputs, output, attributes."""


def _nodes() -> Iterator[Node]:
    table = "embeddings.{}_embeddings.weight"
    yield "Gather", [table.format("word"), "ids"], "words", {}
    yield "Gather", [table.format("position"), "places"], "positions", {}
    yield "Gather", [table.format("token_type"), "first"], "type", {}
    yield "Add", ["positions", "type"], "places.types", {}
    yield "Add", ["words", "places.types"], "summed", {}
    norm = ["summed", "embeddings.LayerNorm.weight", "embeddings.LayerNorm.bias"]
    yield "LayerNormalization", norm, "embedded", {"axis": -1, "epsilon": EPSILON}
    yield "Shape", ["ids"], "batch", {}
    yield "Concat", ["batch", "width"], "shape", {"axis": 0}
    yield "Reshape", ["embedded", "rows"], "layer.0", {}
    for number in range(LAYERS):
        yield from _layer(f"encoder.layer.{number}", f"layer.{number}", f"layer.{number + 1}")
    yield "Reshape", [f"layer.{LAYERS}", "shape"], "hidden", {}


def _layer(weights: str, given: str, out: str) -> Iterator[Node]:
    own = f"{out}.own"
    for part in ("query", "key", "value"):
        yield _dense(f"{weights}.attention.self.{part}", given, f"{own}.{part}.rows")
        yield "Reshape", [f"{own}.{part}.rows", "shape"], f"{own}.{part}", {}
    heads = [f"{own}.query", f"{own}.key", f"{own}.value"]
    yield "MultiHeadAttention", heads, f"{own}.attended", {"num_heads": HEADS}
    yield "Reshape", [f"{own}.attended", "rows"], f"{own}.attended.rows", {}
    yield _dense(f"{weights}.attention.output.dense", f"{own}.attended.rows", f"{own}.attention")
    yield from _residual(f"{weights}.attention.output", f"{own}.attention", given, f"{own}.middle")
    yield _dense(f"{weights}.intermediate.dense", f"{own}.middle", f"{own}.wide", bias=False)
    biased = [f"{own}.wide", f"{weights}.intermediate.dense.bias"]
    yield "BiasGelu", biased, f"{own}.active", {}
    yield _dense(f"{weights}.output.dense", f"{own}.active", f"{own}.narrow")
    yield from _residual(f"{weights}.output", f"{own}.narrow", f"{own}.middle", out)


def _dense(weights: str, given: str, out: str, *, bias: bool = True) -> Node:
    terms = [given, f"{weights}.weight", *([f"{weights}.bias"] if bias else [])]
    return "Gemm", terms, out, {"transB": 1}


def _residual(weights: str, given: str, other: str, out: str) -> Iterator[Node]:
    """Yield sum and norm as two nodes: onnxruntime's fused operator is slower."""
    yield "Add", [given, other], f"{out}.sum", {}
    norm = [f"{out}.sum", f"{weights}.LayerNorm.weight", f"{weights}.LayerNorm.bias"]
    yield "LayerNormalization", norm, out, {"axis": 1, "epsilon": EPSILON}


_CONTRIBUTED = {"MultiHeadAttention", "BiasGelu"}


# -- Its notation ----------------------------------------------------------------------------------


def _tensors(weights: Path, names: Iterable[str], *, is_whole: bool) -> Iterator[bytes]:
    """Yield the tensors of a safetensors file, which is a length, a JSON header, and the data."""
    with weights.open("rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        for name in sorted(set(names) & set(header)):
            begin, end = (8 + length + offset for offset in header[name]["data_offsets"])
            declared = b"".join(_number(1, size) for size in header[name]["shape"])
            declared += _number(2, FLOAT) + _field(8, name)
            if is_whole:
                file.seek(begin)
                yield declared + _field(9, file.read(end - begin))
            else:
                yield declared + _pointer(weights.name, begin, end - begin)


def _pointer(file: str, offset: int, length: int) -> bytes:
    place = {"location": file, "offset": offset, "length": length}
    entries = (_field(13, _field(1, key) + _field(2, str(place[key]))) for key in place)
    return b"".join(entries) + _number(14, EXTERNAL)


def _integers(name: str, values: Sequence[int]) -> bytes:
    data = struct.pack(f"<{len(values)}q", *values)
    return _number(1, len(values)) + _number(2, INT64) + _field(8, name) + _field(9, data)


def _node(
    operator: str, inputs: Sequence[str], out: str, attributes: dict[str, float | int]
) -> bytes:
    named = [_field(1, name) for name in inputs] + [_field(2, out), _field(4, operator)]
    named += [_field(5, _attribute(name, value)) for name, value in attributes.items()]
    if operator in _CONTRIBUTED:
        named.append(_field(7, CONTRIBUTED))
    return b"".join(named)


def _attribute(name: str, value: float | int) -> bytes:
    if isinstance(value, float):
        return _field(1, name) + _key(2, 5) + struct.pack("<f", value) + _number(20, 1)
    return _field(1, name) + _number(3, value) + _number(20, 2)


def _declared(name: str, element: int, shape: Sequence[str | int]) -> bytes:
    sizes = (_field(2, size) if isinstance(size, str) else _number(1, size) for size in shape)
    dimensions = b"".join(_field(1, size) for size in sizes)
    return _field(1, name) + _field(2, _field(1, _number(1, element) + _field(2, dimensions)))


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
