"""What an object has to be to be registered under a name: one method each, as a rule.

Every one of them has a `name`, by which settings choose it, and, where what it makes is stored, an
`identity`: a string that changes whenever the same input would give another output, so that notes
made with an older one are made again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from writeros_entities.story import Story
    from writeros_entities.values import (
        JSON,
        ChunkSpan,
        ContextPiece,
        ContextTask,
        Endpoint,
        Facts,
        Finding,
        KnownEntity,
        Note,
        OrderClaim,
        RankedChunk,
        TrainedModel,
    )


@runtime_checkable
class Named(Protocol):
    """Something that settings can choose by name."""

    @property
    def name(self) -> str:
        """The name that settings use: lower case, unique among its kind."""
        ...


@runtime_checkable
class Chunker(Named, Protocol):
    """Cuts a note into the spans that are stored, searched and quoted."""

    @property
    def identity(self) -> str:
        """Name, version and parameters: what two equal cuts have in common."""
        ...

    def chunk(self, note: Note, counter: TokenCounter) -> Sequence[ChunkSpan]:
        """Cut all prose of `note` into spans: in order, disjoint, each prose character in one."""
        ...


@runtime_checkable
class TokenCounter(Named, Protocol):
    """Counts tokens as some model would."""

    def count(self, texts: Sequence[str]) -> Sequence[int]:
        """Return the number of tokens of each text."""
        ...


@runtime_checkable
class EmbeddingModel(Named, Protocol):
    """Turns texts into vectors."""

    @property
    def identity(self) -> str:
        """Model and weights: vectors of different identities are never compared.

        Asked before every use, so it has to be quick. Raises ModelError, in words for a writer,
        where the weights or a library are missing: then search is lexical.
        """
        ...

    @property
    def dimensions(self) -> int:
        """The length of every vector."""
        ...

    def embed(self, texts: Sequence[str]) -> ArrayLike:
        """Return one vector of unit length for each text: a list of lists, or an array."""
        ...


@runtime_checkable
class QueryEmbeddingModel(EmbeddingModel, Protocol):
    """An embedding model that has a way of its own for what somebody asks.

    For models that were trained with an instruction before a question, or that embed one text
    sooner in another way than many.
    """

    def embed_query(self, text: str) -> ArrayLike:
        """Return the vector of a question, to be compared with those that `embed` returns."""
        ...


class EmbeddedText(NamedTuple):
    """The vector of a text, and those of its words, each as it is meant where it stands.

    `spans` are where the words begin and end, in code points; `words` has a vector for each of
    them, of any length: shape (words, dimensions).
    """

    vector: ArrayLike
    spans: Sequence[tuple[int, int]]
    words: ArrayLike


@runtime_checkable
class WordEmbeddingModel(EmbeddingModel, Protocol):
    """An embedding model that also has vectors of the words of a text.

    Search compares each word of a question with those of a passage. Words that say nothing of what
    a text is about are better left out: a bit is kept of each component of each word.
    """

    def embed_words(self, texts: Sequence[str]) -> Sequence[EmbeddedText]:
        """Return the vector of each text, as `embed` does, with those of its words."""
        ...

    def embed_query_words(self, text: str) -> EmbeddedText:
        """Return the vector of a question, with those of its words."""
        ...


@runtime_checkable
class PriorityStrategy(Named, Protocol):
    """Ranks chunks for a prompt: best first."""

    def rank(self, chunks: Sequence[RankedChunk]) -> Sequence[RankedChunk]:
        """Return the same chunks in the order in which they should enter a prompt.

        They come in reading order, the manuscript first, then other notes by path: a stable sort
        leaves what it finds equal in that order, and answers the same on every machine.
        """
        ...


@runtime_checkable
class ContextBuilder(Named, Protocol):
    """Packs passages into a token budget."""

    def pack(self, task: ContextTask) -> Sequence[ContextPiece]:
        """Return the pieces that enter the prompt, in order, each chunk at most once.

        They have to measure no more than `task.budget`; if they do, the request fails, naming the
        builder.
        """
        ...


@runtime_checkable
class KnowledgeBase(Named, Protocol):
    """Entities known before any vault is read."""

    @property
    def identity(self) -> str:
        """Name and version of the data."""
        ...

    def entities(self) -> Iterable[KnownEntity]:
        """Return the entities: unique ids, and no form that two of them share."""
        ...


@runtime_checkable
class TripleScorer(Protocol):
    """Scores triples of entities that it was given, by their numbers."""

    def score(
        self, heads: NDArray[np.int64], relations: NDArray[np.int64], tails: NDArray[np.int64]
    ) -> NDArray[np.floating]:
        """Return a score for each triple; higher is likelier.

        The three arrays broadcast against each other: (n, 1), (n, 1) and (1, m) ask for m tails of
        n questions.
        """
        ...


@runtime_checkable
class TranslationScorer(TripleScorer, Protocol):
    """A scorer whose relations are translations, which can be asked for as vectors."""

    def predict_tail(self, head: int, relation: int) -> NDArray[np.floating]:
        """Return where the tail of (head, relation, ?) should lie: (dimensions,)."""
        ...

    def predict_relation(self, head: int, tail: int) -> NDArray[np.floating]:
        """Return the translation that leads from head to tail: (dimensions,)."""
        ...


@runtime_checkable
class RelationModel(Named, Protocol):
    """Learns from triples how plausible other triples are."""

    @property
    def identity(self) -> str:
        """Model, version and what it comes with: weights of different identities never mix."""
        ...

    def shipped(self) -> TrainedModel | None:
        """Return what the model knows before it has seen a vault, or None for nothing."""
        ...

    def train(self, facts: Facts) -> bytes:
        """Return weights that know these facts, and what the model comes with.

        The same facts give the same bytes. Raises ModelError where a library is missing.
        """
        ...

    def relations(self, weights: bytes) -> Sequence[str]:
        """Return the kinds of relation that some weights know, in the order of their numbers."""
        ...

    def place(self, weights: bytes, endpoints: Sequence[Endpoint]) -> TripleScorer:
        """Return a scorer of triples between these entities, also ones never trained on."""
        ...

    def is_trained(self, weights: bytes, endpoints: Sequence[Endpoint]) -> Sequence[bool]:
        """Say of each entity whether the weights have seen it in a triple."""
        ...


@runtime_checkable
class ReadingOrder(Named, Protocol):
    """Reads from one note what it says about the order in which the manuscript is read."""

    def claim(self, path: str, frontmatter: Mapping[str, JSON]) -> OrderClaim | None:
        """Return the note's claim, or None where it makes none."""
        ...


@runtime_checkable
class ContinuityRule(Named, Protocol):
    """Looks for one kind of fault of continuity."""

    def check(self, story: Story) -> Iterable[Finding]:
        """Return possible faults, each with the two quotes that clash, the earlier one first.

        Pure: the same story gives the same findings. What the writer is shown of a quote, and the
        id by which a finding is waived, follow from its evidence; so quote whole sentences.
        """
        ...
