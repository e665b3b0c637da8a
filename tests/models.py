"""Embedding models for tests: small, exact, and they record what they embed."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from writeros_entities import EmbeddedText, EmbeddingModel, Settings, hookimpl
from writeros_entities.plugins import Plugins, load_plugins
from writeros_entities.session import Session

DIMENSIONS = 64


class WordModel:
    """Counts words: each word has its own dimension, so that equal texts have cosine 1."""

    dimensions = DIMENSIONS

    def __init__(self, name: str = "words", identity: str = "words 1") -> None:
        self.name = name
        self.identity = identity
        self.texts: list[str] = []
        self.before: Callable[[Sequence[str]], object] = len

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.before(texts)
        self.texts += texts
        return [self._count(text) for text in texts]

    def take(self) -> list[str]:
        """Return the texts embedded since the last call, sorted."""
        taken, self.texts = sorted(self.texts), []
        return taken

    def _count(self, text: str) -> list[float]:
        vector = [0.0] * DIMENSIONS
        for word in re.findall(r"\w+", text.lower()):
            vector[zlib.crc32(word.encode()) % DIMENSIONS] += 1.0
        return vector


class ModelPlugin:
    """A plugin that registers the given models."""

    def __init__(self, *models: Any) -> None:
        self._models = models

    @hookimpl
    def register_embedding_models(self) -> Iterable[EmbeddingModel]:
        return self._models


def with_model(*models: Any) -> dict[str, Any]:
    """Return the options of a session that embeds with the first of these models."""
    return {"plugins": load_models(*models), "embedding_model": models[0].name}


def load_models(*models: Any, **settings: Any) -> Plugins:
    """Return all plugins and one more with these models."""
    return load_plugins(Settings(**settings), {"test_models": ModelPlugin(*models)})


SAME = {"boat": "ship", "vessel": "ship", "infant": "child"}


class MeaningModel(WordModel):
    """Knows a few synonyms, which full text does not."""

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return super().embed(
            [re.sub(r"\w+", lambda word: SAME.get(word[0], word[0]), text) for text in texts]
        )


class WordwiseModel:
    """Like `MeaningModel`, with a vector for each word of at least three letters."""

    name = "wordwise"
    identity = "wordwise 1"
    dimensions = 384

    def embed(self, texts: Sequence[str]) -> list[Any]:
        return [one.vector for one in self.embed_words(texts)]

    def embed_words(self, texts: Sequence[str]) -> list[EmbeddedText]:
        return [self.embed_query_words(text) for text in texts]

    def embed_query_words(self, text: str) -> EmbeddedText:
        spans = [found.span() for found in re.finditer(r"\w{3,}", text)]
        words = [self._direction(text[start:end].lower()) for start, end in spans]
        return EmbeddedText(sum(words, np.zeros(self.dimensions)), spans, words)

    def _direction(self, word: str) -> Any:
        seed = zlib.crc32(SAME.get(word, word).encode())
        return np.random.default_rng(seed).normal(size=self.dimensions)


def with_meaning(root: Path, database: str, model: Any = None) -> Session:
    """Open a vault with a model that knows synonyms."""
    return Session.open(root, database=database, **with_model(model or MeaningModel()))
