"""An embedding model that counts words: small, exact, and it remembers what it was asked."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from writeros_entities import EmbeddingModel, Settings, hookimpl
from writeros_entities.plugins import Plugins, load_plugins
from writeros_entities.session import Session

DIMENSIONS = 64


class WordModel:
    """A text's vector counts its words, each at a place of its own: equal words, cosine 1."""

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
        """Return what was embedded since this was last asked, sorted."""
        taken, self.texts = sorted(self.texts), []
        return taken

    def _count(self, text: str) -> list[float]:
        vector = [0.0] * DIMENSIONS
        for word in re.findall(r"\w+", text.lower()):
            vector[zlib.crc32(word.encode()) % DIMENSIONS] += 1.0
        return vector


class ModelPlugin:
    """A plugin that has some models."""

    def __init__(self, *models: Any) -> None:
        self._models = models

    @hookimpl
    def register_embedding_models(self) -> Iterable[EmbeddingModel]:
        return self._models


def with_model(*models: Any) -> dict[str, Any]:
    """Return what a session is opened with to embed by the first of these models."""
    return {"plugins": load_models(*models), "embedding_model": models[0].name}


def load_models(*models: Any, **settings: Any) -> Plugins:
    """Return all plugins, and one more that has these models."""
    return load_plugins(Settings(**settings), {"test_models": ModelPlugin(*models)})


SAME = {"boat": "ship", "vessel": "ship", "infant": "child"}


class MeaningModel(WordModel):
    """Knows a few words that mean the same, which full text does not."""

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return super().embed(
            [re.sub(r"\w+", lambda word: SAME.get(word[0], word[0]), text) for text in texts]
        )


def with_meaning(root: Path, database: str) -> Session:
    """Open a vault with a model for which some words mean the same."""
    return Session.open(root, database=database, **with_model(MeaningModel()))
