"""The interfaces of things that plugins register by name: mostly one method each.

Each has a `name`, by which settings choose it, and, if its results are stored, an `identity`: a
string that must change whenever the same input would give another result, so that stored results
are computed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from writeros_entities.language.words import Words
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
        Word,
    )
    from writeros_entities.values.story import Story


@runtime_checkable
class Named(Protocol):
    """Something that settings can choose by name."""

    @property
    def name(self) -> str:
        """The name that settings use: lower case, unique among its kind."""
        ...


@runtime_checkable
class Chunker(Named, Protocol):
    """Splits a note into the spans that are stored, searched and quoted."""

    @property
    def identity(self) -> str:
        """Name, version and parameters: equal identities split every note alike."""
        ...

    def chunk(self, note: Note, counter: TokenCounter) -> Sequence[ChunkSpan]:
        """Split all prose of `note` into spans, in order and disjoint, that cover every prose
        character.

        The properties of a note about an entity are given as a note of their own: one list, which
        begins at `body_start`.
        """
        ...


@runtime_checkable
class TokenCounter(Named, Protocol):
    """Counts tokens as a particular model does."""

    def count(self, texts: Sequence[str]) -> Sequence[int]:
        """Return the number of tokens of each text."""
        ...


@runtime_checkable
class EmbeddingModel(Named, Protocol):
    """Turns texts into vectors."""

    @property
    def identity(self) -> str:
        """The model and its weights: vectors of different identities are never compared.

        It is read before every use, so it has to be fast. Raises ModelError with a message for the
        writer if the weights or a library are missing; search is then lexical.
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
    """An embedding model that embeds queries in a different way.

    For models that were trained with an instruction before queries, or that embed a single text
    faster by other means.
    """

    def embed_query(self, text: str) -> ArrayLike:
        """Return the vector of a query, comparable with those that `embed` returns."""
        ...


class EmbeddedText(NamedTuple):
    """The vector of a text, and contextual vectors of its words.

    `spans` are the start and end offsets of the words, in code points; `words` has a vector for
    each, not necessarily of unit length: shape (words, dimensions).
    """

    vector: ArrayLike
    spans: Sequence[tuple[int, int]]
    words: ArrayLike


@runtime_checkable
class WordEmbeddingModel(EmbeddingModel, Protocol):
    """An embedding model that also returns vectors of the words of a text.

    Search compares each word of a query with the words of a passage. Leave out stop words: for each
    word that is returned, one bit is stored per dimension.
    """

    def embed_words(self, texts: Sequence[str]) -> Sequence[EmbeddedText]:
        """Return the vector of each text, as `embed` does, with those of its words."""
        ...

    def embed_query_words(self, text: str) -> EmbeddedText:
        """Return the vector of a query, with those of its words."""
        ...


@runtime_checkable
class PriorityStrategy(Named, Protocol):
    """Ranks chunks for a prompt: best first."""

    def rank(self, chunks: Sequence[RankedChunk]) -> Sequence[RankedChunk]:
        """Return the same chunks in the order in which they should enter a prompt.

        They are given in reading order, the manuscript first, then other notes by path. So a stable
        sort leaves ties in reading order, and has the same result on every machine.
        """
        ...


@runtime_checkable
class ContextBuilder(Named, Protocol):
    """Packs passages into a token budget."""

    def pack(self, task: ContextTask) -> Sequence[ContextPiece]:
        """Return the pieces that enter the prompt, in order, each chunk at most once.

        Together they must measure at most `task.budget`; otherwise the request fails with an error
        that names the builder.
        """
        ...


@runtime_checkable
class KnowledgeBase(Named, Protocol):
    """Entities that are known independently of any vault."""

    @property
    def identity(self) -> str:
        """Name and version of the data."""
        ...

    def entities(self) -> Iterable[KnownEntity]:
        """Return the entities; their ids are unique, and no two of them share a form."""
        ...


@runtime_checkable
class TripleScorer(Protocol):
    """Scores triples of numbered entities."""

    def score(
        self, heads: NDArray[np.int64], relations: NDArray[np.int64], tails: NDArray[np.int64]
    ) -> NDArray[np.floating]:
        """Return a score for each triple; a higher one is more plausible.

        The three arrays broadcast against each other: shapes (n, 1), (n, 1) and (1, m) score m
        tails for each of n questions.
        """
        ...


@runtime_checkable
class TranslationScorer(TripleScorer, Protocol):
    """A scorer whose relations are translations between vectors."""

    def predict_tail(self, head: int, relation: int) -> NDArray[np.floating]:
        """Return the expected vector of the tail of (head, relation, ?): (dimensions,)."""
        ...

    def predict_relation(self, head: int, tail: int) -> NDArray[np.floating]:
        """Return the translation from head to tail: (dimensions,)."""
        ...


@runtime_checkable
class RelationModel(Named, Protocol):
    """Learns from triples how plausible other triples are.

    A model that ships with vectors of texts may name the embedding model that they are of, as
    `text_model`: entities are then given vectors of that model only.
    """

    @property
    def identity(self) -> str:
        """Model, version and shipped data: weights of different identities are never mixed."""
        ...

    def shipped(self) -> TrainedModel | None:
        """Return what the model knows without training on a vault, or None for nothing."""
        ...

    def train(self, facts: Facts) -> bytes:
        """Return weights trained on these facts, and on those that the model ships with.

        The same facts give the same bytes. Raises ModelError if a library is missing.
        """
        ...

    def relations(self, weights: bytes) -> Sequence[str]:
        """Return the kinds of relation that the weights know, in the order of their numbers."""
        ...

    def place(self, weights: bytes, endpoints: Sequence[Endpoint]) -> TripleScorer:
        """Return a scorer of triples between these entities, trained on or not."""
        ...

    def is_trained(self, weights: bytes, endpoints: Sequence[Endpoint]) -> Sequence[bool]:
        """Return for each entity whether the weights were trained on a triple with it."""
        ...


@runtime_checkable
class ReadingOrder(Named, Protocol):
    """Reads from a note what it says about the reading order of the manuscript."""

    def claim(self, path: str, frontmatter: Mapping[str, JSON]) -> OrderClaim | None:
        """Return the note's claim, or None if it makes none."""
        ...


@runtime_checkable
class ContinuityRule(Named, Protocol):
    """Finds one kind of continuity fault."""

    def check(self, story: Story) -> Iterable[Finding]:
        """Return possible faults, each with the two conflicting quotes, the earlier one first.

        Must be pure: the same story gives the same findings. The quotes that the writer sees, and
        the id by which a finding is waived, follow from its evidence, so quote whole sentences.
        """
        ...


@runtime_checkable
class Parser(Protocol):
    """Reads the sentences of a language."""

    @property
    def identity(self) -> str:
        """The parser and its model: equal identities read every text alike."""
        ...

    @property
    def placeholder(self) -> str:
        """A name of the language, for the missing subject of a fragment ("Works at the Temple")."""
        ...

    @property
    def copula(self) -> str:
        """The word for "is" between that name and what somebody is ("Daughter of Ruth")."""
        ...

    @property
    def finite_endings(self) -> Sequence[str]:
        """How a word ends that may be a verb behind the placeholder ("Works")."""
        ...

    def parse(
        self, texts: Sequence[str], names: Sequence[Sequence[tuple[int, int]]]
    ) -> Iterable[Sequence[Sequence[Word]]]:
        """Return for each text its sentences, as their words in order, with offsets in the text.

        `names` are the spans in each text that are one word each. A word's head is an index in its
        sentence. What a text is read as depends on the texts of this call alone.
        """
        ...


@runtime_checkable
class Language(Protocol):
    """A language that notes are written in."""

    @property
    def code(self) -> str:
        """The code of ISO 639-1, such as `en`, which notes and settings use."""
        ...

    @property
    def words(self) -> Words:
        """Its words; read them on first use, not before."""
        ...

    def parser(self) -> Parser | None:
        """Return what reads its sentences, or None if nothing can.

        Called before every use, so it has to be fast; load a model at the first `parse`. Raises
        ModelError with a message for the writer if a library or a model is not installed.
        """
        ...
