"""Runs the model in PyTorch, by sentence-transformers: for GPUs, or without onnxruntime."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from sentence_transformers import SentenceTransformer
from transformers.utils import logging
from writeros_plugins.minilm.processor import read_words
from writeros_plugins.minilm.weights import MOST_TOKENS

from writeros_entities import EmbeddedText, ModelError

if TYPE_CHECKING:
    from numpy.typing import NDArray

CPU_BATCH = 16
GPU_BATCH = 256


class TorchEncoder:
    """The model, loaded onto a device: `cpu`, `cuda` or `mps`."""

    def __init__(self, folder: Path, device: str) -> None:
        logging.disable_progress_bar()
        self._batch = CPU_BATCH if device == "cpu" else GPU_BATCH
        if not is_usable(device):
            raise ModelError(
                f"PyTorch cannot use the device {device!r} on this machine. Choose another with "
                "the setting embedding_device, or `auto`."
            )
        self._model = SentenceTransformer(
            str(folder),
            device=device,
            local_files_only=True,
            model_kwargs={"use_safetensors": True},
        )
        self._model.max_seq_length = MOST_TOKENS

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector of unit length for each text."""
        vectors = self._model.encode(
            list(texts),
            batch_size=self._batch,
            normalize_embeddings=True,
            show_progress_bar=False,
        )
        return np.asarray(vectors, np.float32)

    def encode_words(self, texts: Sequence[str]) -> list[EmbeddedText]:
        """Return the vector of each text, as `encode` does, with those of its words."""
        tokenizer = self._model.tokenizer
        tokens = tokenizer(list(texts), truncation=True, max_length=MOST_TOKENS).encodings
        states = self._model.encode(
            list(texts),
            batch_size=self._batch,
            output_value="token_embeddings",
            show_progress_bar=False,
        )
        made = []
        for text, one, state in zip(texts, tokens, states, strict=True):
            hidden = state[: len(one)].float().cpu().numpy()
            mean = hidden.mean(axis=0)
            words = read_words(text, one, hidden)
            made.append(EmbeddedText(mean / np.linalg.norm(mean), *words))
        return made


def is_usable(device: str) -> bool:
    """Say whether PyTorch can compute on a device: `cpu`, `cuda` or `mps`."""
    if device == "cuda":
        return bool(torch.cuda.is_available())
    return device != "mps" or bool(torch.backends.mps.is_available())
