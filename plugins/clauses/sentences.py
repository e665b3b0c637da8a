"""What a sentence states: its verbs, and its nouns for somebody in relation to somebody."""

from __future__ import annotations

from collections.abc import Iterator

from writeros_entities import InferredRelation, Ontology, Words

from .nouns import NounReader
from .sides import Sides
from .verbs import VerbReader


def read_sentence(sides: Sides, ontology: Ontology, words: Words) -> Iterator[InferredRelation]:
    """Yield what a sentence that has been parsed states."""
    verbs, nouns = VerbReader(sides, ontology, words), NounReader(sides, ontology, words)
    for at, word in enumerate(sides.sentence.words):
        if word.kind in ("verb", "auxiliary"):
            if word.role not in ("auxiliary", "passive auxiliary"):
                yield from verbs.read(at)
        elif word.kind in ("noun", "name", "adjective"):
            yield from nouns.read(at)
