"""The stages of a pipeline by batch: what a worker process does, and the writer's as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

from writeros_entities.sync.drafting.files import ParsedNotes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from writeros_entities.store.compiled import VaultLexicon
    from writeros_entities.sync.drafting.detector import Detected, DetectionJob
    from writeros_entities.sync.drafting.files import StoredNote
    from writeros_entities.sync.drafting.pipeline import (
        Drafted,
        FileToRead,
        FoundTopics,
        Pipeline,
    )


class Stages:
    """The stages of one pipeline, by batch; used by workers and by this process alike.

    A note drafted here is not parsed again later, if there was `room` to cache it.
    """

    def __init__(self, pipeline: Pipeline, room: int) -> None:
        self._pipeline = pipeline
        self._parsed = ParsedNotes(room)
        self._names: VaultLexicon | None = None

    def draft(self, batch: Sequence[FileToRead]) -> list[Drafted]:
        """Draft a batch of files."""
        return self._pipeline.draft(batch, self._parsed)

    def find_topics(self, batch: Sequence[StoredNote]) -> list[FoundTopics | None]:
        """Find the topics of a batch of notes."""
        return [self._pipeline.find_topics(note, self._parsed) for note in batch]

    def learn(self, names: VaultLexicon) -> None:
        """Set the names that `detect` looks for."""
        self._names = names

    def detect(self, batch: Sequence[DetectionJob]) -> list[Detected | None]:
        """Detect the mentions in a batch of notes."""
        assert self._names is not None, "learn comes before detect"
        return self._pipeline.detect(batch, self._names, self._parsed)
