"""Runs the model on a CPU: batches of texts of equal length, one batch on each core."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from tokenizers import Tokenizer
from writeros_plugins.english import STOP_WORDS
from writeros_plugins.minilm.weights import MOST_TOKENS

from writeros_entities import EmbeddedText, ModelError

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tokenizers import Encoding

VOCABULARY = 30_522
DIMENSIONS = 384

BATCH_TOKENS = 1024
"""Tokens in a batch: its activations fit into a core's cache."""

MOST_THREADS = 8

Network: TypeAlias = "Callable[[NDArray[np.int32]], NDArray[np.float32]]"
"""Maps token ids of texts of equal length, (texts, length), to the last hidden states, (texts,
length, 384). It runs on the calling core, and may be called on several cores at once.
"""

Take: TypeAlias = "Callable[[list[int], NDArray[np.float32]], None]"
"""Receives the indexes of some texts, and their last hidden states."""


_Words: TypeAlias = "tuple[list[tuple[int, int]], NDArray[np.float32]]"
"""Spans in a text, in code points, and their vectors: shape (words, 384)."""


class ProcessorEncoder:
    """A network with its tokenizer; safe for concurrent calls.

    A text's vector does not depend on the other texts in a call: batches have no padding, and each
    is computed on a single core.
    """

    def __init__(self, tokenizer: Tokenizer, network: Network) -> None:
        self._tokenizer = tokenizer
        self._network = network

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector of unit length for each text."""
        vectors = np.empty((len(texts), DIMENSIONS), np.float32)

        def take(places: list[int], hidden: NDArray[np.float32]) -> None:
            vectors[places] = _unit_means(hidden)

        self._run(self._tokenizer.encode_batch_fast(list(texts)), take)
        return vectors

    def encode_words(self, texts: Sequence[str]) -> list[EmbeddedText]:
        """Return the vector of each text, as `encode` does, with those of its words."""
        tokens = self._tokenizer.encode_batch(list(texts))
        made: dict[int, EmbeddedText] = {}

        def take(places: list[int], hidden: NDArray[np.float32]) -> None:
            for place, vector, own in zip(places, _unit_means(hidden), hidden, strict=True):
                words = read_words(texts[place], tokens[place], own)
                made[place] = EmbeddedText(vector, *words)

        self._run(tokens, take)
        return [made[place] for place in range(len(texts))]

    def _run(self, tokens: Sequence[Encoding], take: Take) -> None:
        """Run the network on every text, one batch on each core."""

        def run(batch: list[int]) -> None:
            ids = np.array([tokens[place].ids for place in batch], np.int32)
            take(batch, self._network(ids))

        batches = list(_batches([len(one) for one in tokens]))
        if len(batches) == 1:
            run(batches[0])
        else:
            with ThreadPoolExecutor(count_threads()) as pool:
                list(pool.map(run, batches))


def load_tokenizer(folder: Path) -> Tokenizer:
    """Return the tokenizer of all-MiniLM-L6-v2; raises ModelError if it is another model's."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    if tokenizer.get_vocab_size() != VOCABULARY:
        raise ModelError(
            f"{folder / 'tokenizer.json'} is another model's: it has "
            f"{tokenizer.get_vocab_size():,} tokens, not {VOCABULARY:,}."
        )
    tokenizer.no_padding()  # as published, it pads and cuts every text to 128 tokens
    tokenizer.enable_truncation(MOST_TOKENS)
    return tokenizer


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield the indexes of texts in batches of equal length in tokens, longest first.

    The number of texts in one is a power of four: OpenVINO keeps almost a megabyte for each shape
    that it has met, for as long as the process lives.
    """
    order = sorted(range(len(lengths)), key=lambda place: -lengths[place])
    for length, places in groupby(order, key=lambda place: lengths[place]):
        same = list(places)
        while same:
            most = min(max(1, BATCH_TOKENS // length), len(same))
            size = 1 << ((most.bit_length() - 1) & ~1)
            yield same[:size]
            same = same[size:]


def _unit_means(hidden: NDArray[np.float32]) -> NDArray[np.float32]:
    means = hidden.mean(axis=1)
    unit: NDArray[np.float32] = means / np.linalg.norm(means, axis=1, keepdims=True)
    return unit


def count_threads() -> int:
    """Return how many batches are computed at once."""
    return min(_cores(), MOST_THREADS)


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def read_words(text: str, tokens: Encoding, hidden: NDArray[np.float32]) -> _Words:
    """Return the words of a text from the hidden states of its tokens, shape (tokens, 384)."""
    numbers = np.array([-1 if word is None else word for word in tokens.word_ids])
    firsts = np.flatnonzero((numbers >= 0) & (numbers != np.roll(numbers, 1)))
    if not len(firsts):
        return [], hidden[:0]
    pieces = np.diff([*firsts.tolist(), len(numbers) - 1])  # the last token ends the text
    offsets = tokens.offsets
    spans = [
        (offsets[first][0], offsets[first + count - 1][1])
        for first, count in zip(firsts.tolist(), pieces.tolist(), strict=True)
    ]
    telling = [at for at, (start, end) in enumerate(spans) if _is_telling(text[start:end])]
    means = np.add.reduceat(hidden, firsts, axis=0) / pieces[:, None]
    return [spans[at] for at in telling], means[telling].astype(np.float32)


def _is_telling(word: str) -> bool:
    return word.lower() not in STOP_WORDS and any(map(str.isalnum, word))
