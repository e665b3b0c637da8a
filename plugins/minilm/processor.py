"""Runs the model on a processor: texts of one length at a time, one batch on each core."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from tokenizers import Tokenizer
from writeros_plugins.minilm.weights import MOST_TOKENS

from writeros_entities import ModelError

if TYPE_CHECKING:
    from numpy.typing import NDArray

VOCABULARY = 30_522
DIMENSIONS = 384

BATCH_TOKENS = 1024
"""Tokens that are computed together: what is computed for them fits into a core's cache."""

MOST_THREADS = 8

Network: TypeAlias = "Callable[[NDArray[np.int32]], NDArray[np.float32]]"
"""From the token ids of texts of one length, shape (texts, length), to the mean of what the last
layer makes of their tokens, shape (texts, 384). It computes on the core that calls it, and may be
called on several at once."""

Batch: TypeAlias = "tuple[list[int], NDArray[np.int32]]"
"""The places of some texts, and their token ids: shape (texts, length)."""


class ProcessorEncoder:
    """A network with its tokenizer; calls may overlap.

    A text's vector does not depend on the texts that it is embedded with: no batch has padding,
    and every core computes whole batches by itself.
    """

    def __init__(self, folder: Path, network: Network) -> None:
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        if self._tokenizer.get_vocab_size() != VOCABULARY:
            raise ModelError(
                f"{folder / 'tokenizer.json'} is another model's: it knows "
                f"{self._tokenizer.get_vocab_size():,} tokens and not {VOCABULARY:,}."
            )
        self._tokenizer.no_padding()  # as published, it pads and cuts every text to 128 tokens
        self._tokenizer.enable_truncation(MOST_TOKENS)
        self._network = network

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector of unit length for each text."""
        vectors = np.empty((len(texts), DIMENSIONS), np.float32)

        def run(batch: Batch) -> None:
            places, ids = batch
            means = self._network(ids)
            vectors[places] = means / np.linalg.norm(means, axis=1, keepdims=True)

        batches = list(self._batches(texts))
        if len(batches) == 1:
            run(batches[0])
        else:
            with ThreadPoolExecutor(count_threads()) as pool:
                list(pool.map(run, batches))
        return vectors

    def _batches(self, texts: Sequence[str]) -> Iterator[Batch]:
        """Cut texts into batches of one length in tokens, the longest first."""
        tokens = [found.ids for found in self._tokenizer.encode_batch_fast(list(texts))]
        order = sorted(range(len(texts)), key=lambda place: -len(tokens[place]))
        for length, places in groupby(order, key=lambda place: len(tokens[place])):
            same = list(places)
            step = max(1, BATCH_TOKENS // length)
            for at in range(0, len(same), step):
                part = same[at : at + step]
                yield part, np.array([tokens[place] for place in part], np.int32)


def count_threads() -> int:
    """Return how many batches are computed at once."""
    return min(_cores(), MOST_THREADS)


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1
