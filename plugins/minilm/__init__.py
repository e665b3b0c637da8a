"""The embedding model that comes with the product: all-MiniLM-L6-v2, on this machine alone.

    v = mean(BERT(tokens)) / |mean(BERT(tokens))|

with 6 layers of 384 dimensions over the first 256 tokens of a text (Reimers & Gurevych 2019,
"Sentence-BERT", https://arxiv.org/abs/1908.10084). On a CPU it runs in onnxruntime, straight from
the published weights; on a GPU in PyTorch. Both reckon in 32 bits and agree to 1e-6 in every
component, far below what tells two texts apart, so that they share one identity.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol

from writeros_plugins.minilm.devices import find_accelerator
from writeros_plugins.minilm.weights import SHA256, find_weights

from writeros_entities import EmbeddingModel, ModelError, Settings, hookimpl

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

__version__ = "1"

FEW = 16
"""So few texts, a question for instance, are not worth the seconds that PyTorch takes to load."""


class Encoder(Protocol):
    """Something that runs the model."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector of unit length for each text."""
        ...


class MiniLM:
    """all-MiniLM-L6-v2; finds its weights and its library when it is first asked for either."""

    name = "all-MiniLM-L6-v2"
    dimensions = 384

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._loading = threading.Lock()

    @property
    def identity(self) -> str:
        """The model, the beginning of its weights' hash, and how it reckons."""
        self._folder  # noqa: B018  # raises where the weights are missing or wrong
        self._check_library()
        return f"{self.name} {SHA256[:8]} fp32"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector of unit length for each text."""
        return self._encoder(len(texts)).encode(texts)

    def _encoder(self, texts: int) -> Encoder:
        with self._loading:
            if not _has("onnxruntime", "tokenizers"):
                return self._torch
            is_loaded = "_torch" in vars(self)
            if self._accelerator is None or (texts < FEW and not is_loaded):
                return self._onnx
            return self._torch

    @cached_property
    def _accelerator(self) -> str | None:
        device = self._settings.embedding_device
        if device == "auto":
            return find_accelerator() if _has("sentence_transformers") else None
        return None if device == "cpu" else device

    @cached_property
    def _folder(self) -> Path:
        found: Path = find_weights(
            self._settings.embedding_path, may_download=self._settings.embedding_download
        )
        return found

    @cached_property
    def _onnx(self) -> Encoder:
        from writeros_plugins.minilm.onnx import OnnxEncoder

        encoder: Encoder = OnnxEncoder(self._folder)
        return encoder

    @cached_property
    def _torch(self) -> Encoder:
        from writeros_plugins.minilm.sentences import TorchEncoder, is_usable

        device = self._accelerator or "cpu"
        if self._settings.embedding_device == "auto" and not is_usable(device):
            device = "cpu"
        encoder: Encoder = TorchEncoder(self._folder, device)
        return encoder

    def _check_library(self) -> None:
        if not (_has("onnxruntime", "tokenizers") or _has("sentence_transformers")):
            raise ModelError(
                f"Nothing is installed that can run the embedding model {self.name}. "
                "For vectors: pip install 'writeros-entities[onnx]'.",
                is_missing=True,
            )


def _has(*libraries: str) -> bool:
    return all(find_spec(library) is not None for library in libraries)


@hookimpl
def register_embedding_models(settings: Settings) -> Iterable[EmbeddingModel]:
    """Return all-MiniLM-L6-v2."""
    return [MiniLM(settings)]
