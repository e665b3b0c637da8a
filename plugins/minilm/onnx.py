"""Runs the model in onnxruntime: texts of one length at a time, one batch on each core."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import onnxruntime
from tokenizers import Tokenizer
from writeros_plugins.minilm.graph import WIDTH, build_graph
from writeros_plugins.minilm.weights import MOST_TOKENS, WEIGHTS

from writeros_entities import ModelError

if TYPE_CHECKING:
    from numpy.typing import NDArray

VOCABULARY = 30_522

BATCH_TOKENS = 1024
"""Tokens that are computed together: what is computed for them fits into a core's cache."""

MOST_THREADS = 8

FOLDER_OF_WEIGHTS = "session.model_external_initializers_file_folder_path"
WITHOUT_COPIES = "session.disable_prepacking"
"""Weights are multiplied as they lie in the file: copies in another order take longer to make than
a question to embed, and longer texts gain nothing by them.
"""
ERRORS_ONLY = 3

Batch = tuple[list[int], "NDArray[np.int32]"]
"""The places of some texts, and their token ids: shape (texts, length)."""


class OnnxEncoder:
    """The model, loaded; calls may overlap.

    A text's vector does not depend on the texts that it is embedded with: no batch has padding,
    and every core computes whole batches by itself.
    """

    def __init__(self, folder: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        if self._tokenizer.get_vocab_size() != VOCABULARY:
            raise ModelError(
                f"{folder / 'tokenizer.json'} is another model's: it knows "
                f"{self._tokenizer.get_vocab_size():,} tokens and not {VOCABULARY:,}."
            )
        self._tokenizer.no_padding()  # as published, it pads and cuts every text to 128 tokens
        self._tokenizer.enable_truncation(MOST_TOKENS)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.log_severity_level = ERRORS_ONLY
        options.add_session_config_entry(FOLDER_OF_WEIGHTS, str(folder))
        options.add_session_config_entry(WITHOUT_COPIES, "1")
        self._session = onnxruntime.InferenceSession(
            build_graph(folder / WEIGHTS), options, providers=["CPUExecutionProvider"]
        )

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector of unit length for each text."""
        vectors = np.empty((len(texts), WIDTH), np.float32)

        def run(batch: Batch) -> None:
            places, ids = batch
            tokens = np.arange(ids.shape[1], dtype=np.int32)
            (hidden,) = self._session.run(None, {"ids": ids, "places": tokens})
            means = hidden.mean(axis=1)
            vectors[places] = means / np.linalg.norm(means, axis=1, keepdims=True)

        batches = list(self._batches(texts))
        if len(batches) == 1:
            run(batches[0])
        else:
            with ThreadPoolExecutor(min(_cores(), MOST_THREADS)) as pool:
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


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1
