"""Compute vectors of texts with any embedding model.

    embedder = workspace.embedder()
    if embedder is not None:
        vector = embedder.embed_query("who rowed the boat?")

Plugins provide models (`register_embedding_models`); the rest of the product uses them through
`Embedder`, which checks their results, so that all stored vectors are comparable. Vectors are
stored by the hash of their text and the identity of their model.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeVar, cast

from writeros_entities.errors import FAULTS, ModelError, SettingsError, describe_error
from writeros_entities.protocols import EmbeddedText

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from writeros_entities.arrays import Vector, Vectors
    from writeros_entities.plugins import Plugins
    from writeros_entities.protocols import EmbeddingModel, WordEmbeddingModel

Answer = TypeVar("Answer")

ENGLISH = "all-MiniLM-L6-v2"
MULTILINGUAL = "multilingual-e5-small"
"""The models that are used unless the writer chooses one, by the language of her vault."""

SHORTEST = 1e-12
"""A vector shorter than this has no direction, and is not normalised."""


@dataclass(frozen=True, eq=False)
class WordVectors:
    """The vector of a text and those of its words, all of unit length.

    `spans` are the start and end offsets of the words in the text; `words` has shape (words,
    dimensions).
    """

    whole: Vector
    spans: Sequence[tuple[int, int]]
    words: Vectors


class Embedder:
    """A model that is ready to use: texts in, vectors of unit length out.

    `better_missing` says, in a sentence, which model would suit the vault better but is not
    installed. The constructor raises ModelError if the model cannot report its identity, for
    example because its weights are missing.
    """

    def __init__(self, model: EmbeddingModel, better_missing: str | None = None) -> None:
        self._model = model
        self.better_missing = better_missing
        try:
            self.identity = model.identity
            self.dimensions = model.dimensions
        except ModelError:
            raise
        except FAULTS as error:
            raise _broken(model, error) from error
        if not isinstance(self.identity, str) or not self.identity:
            raise ModelError(f"The embedding model {self.name!r} has no valid identity.")
        if not isinstance(self.dimensions, int) or self.dimensions < 1:
            raise ModelError(
                f"The embedding model {self.name!r} has no valid number of dimensions."
            )

    @property
    def name(self) -> str:
        """The name by which settings select the model."""
        return self._model.name

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts, one per row: float32, shape (texts, dimensions).

        Rows have unit length, except that a text in which the model finds nothing has a zero
        vector. Raises ModelError if the model fails or returns anything else.
        """
        import numpy as np

        if not texts:
            return np.empty((0, self.dimensions), np.float32)
        return self._checked(lambda: self._model.embed(texts), (len(texts), self.dimensions))

    def embed_query(self, text: str) -> Vector:
        """Return the vector of a query: float32, shape (dimensions,); see `embed`."""
        query = getattr(self._model, "embed_query", None)
        if query is None:
            first: Vector = self.embed([text])[0]
            return first
        return self._checked(lambda: query(text), (self.dimensions,))

    @property
    def has_words(self) -> bool:
        """Whether the model also provides vectors of words."""
        return hasattr(self._model, "embed_words") and hasattr(self._model, "embed_query_words")

    @property
    def _with_word_vectors(self) -> WordEmbeddingModel:
        return cast("WordEmbeddingModel", self._model)

    def embed_words(self, texts: Sequence[str]) -> list[WordVectors]:
        """Return the vector of each text, as `embed` does, with those of its words.

        Raises ModelError as `embed` does, and if a word lies outside its text.
        """
        found = self._call(lambda: list(self._with_word_vectors.embed_words(texts)))
        if len(found) != len(texts):
            raise ModelError(
                f"The embedding model {self.name!r} returned word vectors of {len(found):,} texts, "
                f"expected {len(texts):,}."
            )
        return [self._with_words(text, one) for text, one in zip(texts, found, strict=True)]

    def embed_query_words(self, text: str) -> WordVectors:
        """Return the vector of a query, with those of its words; see `embed_words`."""
        found = self._call(lambda: self._with_word_vectors.embed_query_words(text))
        return self._with_words(text, found)

    def _with_words(self, text: str, found: EmbeddedText) -> WordVectors:
        vector, spans, words = self._call(lambda: EmbeddedText(*found))
        if not self._call(lambda: all(0 <= start < end <= len(text) for start, end in spans)):
            raise ModelError(f"The embedding model {self.name!r} returned a word outside its text.")
        whole = self._checked(lambda: vector, (self.dimensions,))
        if not len(spans):
            return WordVectors(whole, (), whole[None][:0])
        checked = self._checked(lambda: words, (len(spans), self.dimensions))
        return WordVectors(whole, spans, checked)

    def _call(self, embed: Callable[[], Answer]) -> Answer:
        try:
            return embed()
        except ModelError:
            raise
        except FAULTS as error:
            raise _broken(self._model, error) from error

    def _checked(self, embed: Callable[[], ArrayLike], shape: tuple[int, ...]) -> Vectors:
        import numpy as np

        vectors = self._call(lambda: np.asarray(embed(), np.float32))
        if vectors.shape != shape:
            raise ModelError(
                f"The embedding model {self.name!r} returned an array of shape {vectors.shape}, "
                f"expected {shape}."
            )
        if not np.isfinite(vectors).all():
            raise ModelError(f"The embedding model {self.name!r} returned NaN or infinity.")
        lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
        lengths[lengths < SHORTEST] = 1.0
        unit: Vectors = np.divide(vectors, lengths, dtype=np.float32)
        return unit


@dataclass(frozen=True, slots=True)
class NoEmbedder:
    """Why there are no vectors, as a sentence, and how often a sync reports it.

    It is never reported if embedding is switched off, once if nobody has chosen a model, and else
    always.
    """

    reason: str
    said: Literal["never", "once", "always"] = "always"


def find_embedder(
    plugins: Plugins, names: Sequence[str], *, is_chosen: bool
) -> Embedder | NoEmbedder:
    """Return the embedder of the first name, or why there is none: search is then lexical.

    Further names are for a machine on which the model of the first is not installed. Raises
    SettingsError with the known models if a name is unknown and was chosen by the writer.
    """
    if names == [""]:
        return NoEmbedder("Embedding is switched off (setting embedding_model).", "never")
    missing = ""
    for name in names:
        try:
            return Embedder(plugins.choose("register_embedding_models", name), missing or None)
        except SettingsError as error:
            if is_chosen:
                raise
            missing = missing or str(error)
        except ModelError as error:
            if is_chosen or not error.is_missing:
                return NoEmbedder(str(error), "always")
            missing = missing or str(error)
    return NoEmbedder(missing, "once")


def hash_text(text: str) -> str:
    """Return the hash under which a text's vector is stored; for a chunk, its `content_hash`."""
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def entity_text(type: str, name: str) -> str:
    """Return the text that is embedded for an entity: `[PERSON] Isolde Marrow`."""
    return f"[{type.upper()}] {name}"


def _broken(model: EmbeddingModel, error: BaseException) -> ModelError:
    return ModelError(f"The embedding model {model.name!r} failed: {describe_error(error)}")
