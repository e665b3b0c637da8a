"""Runs multilingual-e5-small in onnxruntime, with its weights in four bits and all else in 32.

The layers are those of all-MiniLM-L6-v2, but twelve. The embeddings of a quarter of a million
pieces of words stay in the file: those of a batch are looked up in it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from tokenizers import Regex, Tokenizer, normalizers
from tokenizers.models import Unigram
from tokenizers.pre_tokenizers import Metaspace
from tokenizers.processors import TemplateProcessing
from writeros_plugins.minilm.graph import HIDDEN, SHAPES, WIDTH, encoder
from writeros_plugins.minilm.notation import BYTE, FLOAT, Declared, Node, tensor, write_model
from writeros_plugins.minilm.onnx import open_session
from writeros_plugins.minilm.processor import ProcessorEncoder

if TYPE_CHECKING:
    from numpy.typing import NDArray

PRODUCTS = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "fi": "intermediate.dense",
    "fo": "output.dense",
}
NORMS = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}
"""The parts of a layer by their names in the file."""

WIDE = 4 * WIDTH
IN_32_BITS = 1
"""Products are of 32-bit floats, whatever the processor could do faster."""

CONTROLS = r"[\x00-\x08\x0B\x0E-\x1F\x7F\x8F\x9F]"
SPACES = r"[\s\u1680\u200B-\u200F\u2028\u2029\u2581\uFEFF\uFFFD]+"
"""What the published tokenizer leaves out, and what it takes for a space."""


_BLOCK = np.dtype([("factor", "<f2"), ("halves", "u1", 16)])
_BLOCK_SIZE = 32

_HEADER = struct.Struct("<4sI7ifi")
"""The mark, a version, the model's sizes, the epsilon of its norms, and the size of a block."""

_VOCABULARY = struct.Struct("<5iQ")
"""How many pieces there are, the ids of four special ones, and how many bytes all of them have."""

_SPELLINGS = struct.Struct("<iI")
"""How many letters have other spellings, and how many bytes these have, which are not read."""

_ENTRY = struct.Struct("<BIQQ")
"""Of a tensor: whether it has four bits, its numbers, and where it is."""


def load_network(file: Path) -> ProcessorEncoder:
    """Load the model from the file of its weights."""
    weights = _read_weights(file)
    session = open_session(_build_graph(weights))
    blocks = weights.tensors["emb.word"].reshape(-1, WIDTH // _BLOCK_SIZE)
    places = weights.tensors["emb.pos"].reshape(-1, WIDTH) + weights.tensors["emb.type"][:WIDTH]

    def network(ids: NDArray[np.int32]) -> NDArray[np.float32]:
        words = _numbers_of(blocks[ids.ravel()]).reshape(*ids.shape, WIDTH)
        given = {"summed": words + places[: ids.shape[1]]}
        hidden: NDArray[np.float32] = session.run(None, given)[0]
        return hidden

    return ProcessorEncoder(_tokenizer(weights), network)


def _tokenizer(weights: _Weights) -> Tokenizer:
    tokenizer = Tokenizer(Unigram(list(weights.pieces), weights.unknown))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.NFKC(),
            normalizers.Replace(Regex(CONTROLS), ""),
            normalizers.Replace(Regex(SPACES), " "),
        ]
    )
    tokenizer.pre_tokenizer = Metaspace()
    special = [("<s>", weights.begin), ("</s>", weights.end)]
    tokenizer.post_processor = TemplateProcessing("<s> $A </s>", special_tokens=special)
    tokenizer.enable_truncation(weights.most_tokens)
    return tokenizer


def _build_graph(weights: _Weights) -> bytes:
    nodes = encoder(weights.layers, weights.epsilon, _product)
    tensors = [*_tensors(weights), *SHAPES]
    summed = Declared("summed", FLOAT, HIDDEN.shape)
    graph: bytes = write_model("multilingual-e5-small", nodes, tensors, [summed], HIDDEN)
    return graph


def _product(name: str, given: str, out: str, *, bias: bool = True) -> Iterator[Node]:
    rows = WIDE if name.endswith("intermediate.dense") else WIDTH
    columns = WIDE if name.endswith("output.dense") and "attention" not in name else WIDTH
    sizes = {"N": rows, "K": columns, "bits": 4, "block_size": _BLOCK_SIZE}
    product = f"{out}.product" if bias else out
    yield Node(
        "MatMulNBits",
        [given, f"{name}.weight", f"{name}.scales"],
        product,
        sizes | {"accuracy_level": IN_32_BITS},
    )
    if bias:
        yield Node("Add", [product, f"{name}.bias"], out)


def _tensors(weights: _Weights) -> Iterator[bytes]:
    own = weights.tensors
    yield from _floats("embeddings.LayerNorm.weight", own["emb.ln.w"])
    yield from _floats("embeddings.LayerNorm.bias", own["emb.ln.b"])
    for number in range(weights.layers):
        layer = f"encoder.layer.{number}"
        for short, name in NORMS.items():
            yield from _floats(f"{layer}.{name}.weight", own[f"l{number}.{short}.w"])
            yield from _floats(f"{layer}.{name}.bias", own[f"l{number}.{short}.b"])
        for short, name in PRODUCTS.items():
            bias = own[f"l{number}.{short}.b"]
            blocks = own[f"l{number}.{short}.w"].reshape(len(bias), -1)
            yield from _floats(f"{layer}.{name}.bias", bias)
            yield from _floats(f"{layer}.{name}.scales", blocks["factor"].ravel())
            yield tensor(f"{layer}.{name}.weight", BYTE, *_packed(blocks))


def _floats(name: str, values: NDArray[Any]) -> Iterator[bytes]:
    yield tensor(name, FLOAT, values.shape, values.astype("<f4").tobytes())


def _packed(blocks: NDArray[Any]) -> tuple[tuple[int, ...], bytes]:
    """Return the shape and the bytes of blocks whose neighbours share a byte, as ONNX has them."""
    numbers = _halves_of(blocks)
    pairs = numbers[..., 0::2] | numbers[..., 1::2] << 4
    return pairs.shape, pairs.tobytes()


@dataclass(frozen=True, eq=False)
class _Weights:
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


def _read_weights(file: Path) -> _Weights:
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
    return _Weights(layers, epsilon, most_tokens, pieces, begin, end, unknown, tensors)


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
        kind, many = (_BLOCK, size // _BLOCK.itemsize) if has_blocks else (np.float32, numbers)
        tensors[name] = np.frombuffer(data, kind, many, begin)
    return tensors


def _numbers_of(blocks: NDArray[Any]) -> NDArray[np.float32]:
    """Return the numbers of rows of blocks: (rows, blocks) → (rows, numbers)."""
    whole = _halves_of(blocks).astype(np.float32) - 8
    whole *= blocks["factor"].astype(np.float32)[..., None]
    return whole.reshape(len(blocks), -1)


def _halves_of(blocks: NDArray[Any]) -> NDArray[np.uint8]:
    """Return the numbers of blocks before they are scaled, 0-15, in their order."""
    halves = blocks["halves"]
    return np.concatenate([halves & 15, halves >> 4], axis=-1)
