"""Build the computation of all-MiniLM-L6-v2 as an ONNX graph that refers to the weights' file.

The graph takes a few kilobytes, and is built in memory from the header of `model.safetensors`; each
weight is a reference into that file, which onnxruntime maps instead of copying. So nothing is
exported or cached, and PyTorch is not needed. For OpenVINO, which does not follow external
references from a graph in memory, the weights are embedded. For a batch of `texts` × `length`
tokens, where all texts have the same length, so that no padding or mask is needed:

    x = LayerNorm(word + position + type)                             embeddings
    x = LayerNorm(x + W·attention(Q·x, K·x, V·x))                     six times,
    x = LayerNorm(x + W·gelu(W·x))                                    12 heads, exact gelu

The mean over the tokens is left to the caller. Other models of this make have the same layers.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

from writeros_plugins.minilm.notation import (
    FLOAT,
    INT32,
    Declared,
    Node,
    integers,
    tensor,
    tensor_in_file,
    write_model,
)

LAYERS = 6
HEADS = 12
WIDTH = 384
EPSILON = 1e-12

HIDDEN = Declared("hidden", FLOAT, ["texts", "length", WIDTH])
"""The last hidden state of every token."""


def build_graph(weights: Path, *, is_whole: bool = False) -> bytes:
    """Return the graph for a file of weights: (texts, length) → (texts, length, 384).

    `is_whole` embeds the weights; otherwise the graph refers to the file. The inputs are the token
    `ids` and their `places` (0 … length - 1), both int32; the output is `HIDDEN`.
    """
    nodes = [*_embeddings(), *encoder(LAYERS, EPSILON, _dense)]
    used = {name for node in nodes for name in node.inputs}
    tensors = [*_tensors(weights, used, is_whole=is_whole), integers("first", [0]), *SHAPES]
    inputs = [
        Declared("ids", INT32, ["texts", "length"]),
        Declared("places", INT32, ["length"]),
    ]
    graph: bytes = write_model("all-MiniLM-L6-v2", nodes, tensors, inputs, HIDDEN)
    return graph


def _embeddings() -> Iterator[Node]:
    table = "embeddings.{}_embeddings.weight"
    yield Node("Gather", [table.format("word"), "ids"], "words")
    yield Node("Gather", [table.format("position"), "places"], "positions")
    yield Node("Gather", [table.format("token_type"), "first"], "type")
    yield Node("Add", ["positions", "type"], "places.types")
    yield Node("Add", ["words", "places.types"], "summed")


def _dense(weights: str, given: str, out: str, *, bias: bool = True) -> Iterator[Node]:
    terms = [given, f"{weights}.weight", *([f"{weights}.bias"] if bias else [])]
    yield Node("Gemm", terms, out, {"transB": 1})


# -- The layers of all models of this make ---------------------------------------------------------

Dense: TypeAlias = "Callable[..., Iterator[Node]]"
"""Yields the product of an input with weights, and the sum with a bias unless `bias` is false."""

SHAPES = (integers("rows", [-1, WIDTH]),)
"""Constants that `encoder` needs, besides the weights."""


def encoder(layers: int, epsilon: float, dense: Dense) -> Iterator[Node]:
    """Yield the steps from `summed`, the embeddings of the tokens, to the last hidden states."""
    norm = ["summed", "embeddings.LayerNorm.weight", "embeddings.LayerNorm.bias"]
    yield Node("LayerNormalization", norm, "embedded", {"axis": -1, "epsilon": epsilon})
    yield Node("Shape", ["summed"], "shape")
    yield Node("Reshape", ["embedded", "rows"], "layer.0")
    for number in range(layers):
        out = f"layer.{number + 1}"
        yield from _layer(f"encoder.layer.{number}", f"layer.{number}", out, epsilon, dense)
    yield Node("Reshape", [f"layer.{layers}", "shape"], HIDDEN.name)


def _layer(weights: str, given: str, out: str, epsilon: float, dense: Dense) -> Iterator[Node]:
    own = f"{out}.own"
    for part in ("query", "key", "value"):
        yield from dense(f"{weights}.attention.self.{part}", given, f"{own}.{part}.rows")
        yield Node("Reshape", [f"{own}.{part}.rows", "shape"], f"{own}.{part}")
    heads = [f"{own}.query", f"{own}.key", f"{own}.value"]
    yield Node("MultiHeadAttention", heads, f"{own}.attended", {"num_heads": HEADS})
    yield Node("Reshape", [f"{own}.attended", "rows"], f"{own}.attended.rows")
    attention = f"{weights}.attention.output"
    yield from dense(f"{attention}.dense", f"{own}.attended.rows", f"{own}.attention")
    yield from _residual(attention, [f"{own}.attention", given], f"{own}.middle", epsilon)
    intermediate = f"{weights}.intermediate.dense"
    yield from dense(intermediate, f"{own}.middle", f"{own}.wide", bias=False)
    yield Node("BiasGelu", [f"{own}.wide", f"{intermediate}.bias"], f"{own}.active")
    yield from dense(f"{weights}.output.dense", f"{own}.active", f"{own}.narrow")
    yield from _residual(f"{weights}.output", [f"{own}.narrow", f"{own}.middle"], out, epsilon)


def _residual(weights: str, given: list[str], out: str, epsilon: float) -> Iterator[Node]:
    """Yield sum and norm as two nodes: onnxruntime's fused operator is slower."""
    yield Node("Add", given, f"{out}.sum")
    norm = [f"{out}.sum", f"{weights}.LayerNorm.weight", f"{weights}.LayerNorm.bias"]
    yield Node("LayerNormalization", norm, out, {"axis": 1, "epsilon": epsilon})


def _tensors(weights: Path, names: Iterable[str], *, is_whole: bool) -> Iterator[bytes]:
    """Yield the tensors of a safetensors file, which is a length, a JSON header, and the data."""
    with weights.open("rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        for name in sorted(set(names) & set(header)):
            begin, end = (8 + length + offset for offset in header[name]["data_offsets"])
            shape = header[name]["shape"]
            if is_whole:
                file.seek(begin)
                yield tensor(name, FLOAT, shape, file.read(end - begin))
            else:
                yield tensor_in_file(name, shape, weights.name, begin, end - begin)
