"""Words that are not there but meant: found by the vectors of single words, told in the trace."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import log, pi, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from writeros_entities import EmbeddedText, ModelError
from writeros_entities.embedding import Embedder
from writeros_entities.session import Session
from writeros_entities.store.chunk_vectors import nearest_words, pack_words

from ..databases import one_engine
from ..models import WordwiseModel, with_meaning

databases = one_engine

WriteVault = Callable[[dict[str, str]], Path]

VAULT = {
    "Manuscript/01 - Fog.md": "A vessel came out of the fog. Nobody waved.\n",
    "Manuscript/02 - Nets.md": "Ann mended nets by the stove.\n",
    "Manuscript/03 - Gulls.md": "Gulls screamed over the quay.\n",
}
FOG = "Manuscript/01 - Fog.md"


@pytest.fixture
def wordwise(write_vault: WriteVault, database: str) -> Iterator[Session]:
    with with_meaning(write_vault(VAULT), database, WordwiseModel()) as session:
        session.call("sync", {})
        yield session


def reasons(session: Session, query: str, path: str, mode: str = "hybrid") -> list[str]:
    """Return why full text holds a note for an answer: the reasons in the trace."""
    request = {"query": query, "trace": True, "mode": mode}
    passages = session.call("search", request).model_dump()["passages"]
    trace = next(one["trace"] for one in passages if one["path"] == path)
    return [reason for one in trace if one["channel"] == "text" for reason in one["reasons"]]


# -- In search -------------------------------------------------------------------------------------


def test_a_word_that_is_meant_and_not_there_counts_for_most_of_itself(wordwise: Session) -> None:
    rarity = log(1 + (3 - 0 + 0.5) / (0 + 0.5))  # of a word that is in none of three chunks
    (reason,) = reasons(wordwise, "boat", FOG)
    word, share = reason.rsplit(" ", 1)
    assert word == "like boat"
    assert float(share) == pytest.approx(0.6 * rarity, rel=0.03)  # a bit a dimension is not exact


def test_the_word_itself_is_not_told_to_be_like_itself(wordwise: Session) -> None:
    assert [one.rpartition(" ")[0] for one in reasons(wordwise, "vessel", FOG)] == ["vessel"]


def test_the_word_itself_counts_no_less_than_one_that_means_the_same(
    write_vault: WriteVault, database: str
) -> None:
    root = write_vault({"A.md": "A vessel sank.\n", "B.md": "A boat sank.\n"})
    with with_meaning(root, database, WordwiseModel()) as session:
        session.call("sync", {})
        for query, first in (("vessel", "A.md"), ("boat", "B.md")):
            passages = session.call("search", {"query": query}).model_dump()["passages"]
            scores = {one["path"]: one["score"] for one in passages}
            assert scores[first] == max(scores.values())


@pytest.mark.parametrize("query", ["Boat", '"boat"', "boa*"])
def test_names_and_what_asks_for_letters_mean_nothing_else(wordwise: Session, query: str) -> None:
    request = {"query": f"{query} fog", "trace": True}
    passages = wordwise.call("search", request).model_dump()["passages"]
    told = [reason for one in passages for part in one["trace"] for reason in part["reasons"]]
    assert any(reason.startswith("fog ") for reason in told)
    assert not any(reason.startswith("like ") for reason in told)


def test_only_hybrid_search_counts_what_is_meant_as_text(wordwise: Session) -> None:
    assert wordwise.call("search", {"query": "boat", "mode": "text"}).model_dump()["total"] == 0
    assert reasons(wordwise, "boat", FOG, mode="vector") == []


def test_what_no_word_comes_near_to_is_not_meant(wordwise: Session) -> None:
    passages = wordwise.call("search", {"query": "zeppelin", "trace": True}).model_dump()[
        "passages"
    ]
    channels = {part["channel"] for one in passages for part in one["trace"]}
    assert "text" not in channels


# -- How they are kept -----------------------------------------------------------------------------


def test_a_vector_of_one_dimension_keeps_its_sign() -> None:
    packed = {7: pack_words(np.array([[3.0]], np.float32)) or b""}
    packed[8] = pack_words(np.array([[-2.0], [-1.0]], np.float32)) or b""
    near = nearest_words(packed, np.array([[1.0], [-1.0]], np.float32))
    assert near.tolist() == [[1.0, -1.0], [-1.0, 1.0]]


def test_a_text_without_words_keeps_nothing() -> None:
    assert pack_words(np.empty((0, 384), np.float32)) is None
    assert nearest_words({}, np.ones((2, 384), np.float32)).shape == (0, 2)


def directions(seed: int, number: int) -> Any:
    drawn = np.random.default_rng(seed).normal(size=(number, 384)).astype(np.float32)
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


@given(st.integers(0, 2**32), st.integers(1, 20))
def test_the_nearness_estimates_the_cosine(seed: int, number: int) -> None:
    """Off by less than five deviations of 1/sqrt(384), for any of up to twenty words."""
    words, (query,) = directions(seed, number), directions(seed + 1, 1)
    query = (query + words[0]) / np.linalg.norm(query + words[0])
    (near,) = nearest_words({1: pack_words(words) or b""}, query[None])[0]
    expected = sqrt(2 / pi) * float((words @ query).max())
    assert near == pytest.approx(expected, abs=5 / sqrt(384))


# -- What a model may answer -----------------------------------------------------------------------


class Careless(WordwiseModel):
    """Answers with whatever it is told to."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def embed_words(self, texts: Sequence[str]) -> Any:
        return self._answer

    def embed_query_words(self, text: str) -> Any:
        return self._answer[0]


VECTOR = [1.0] + [0.0] * 383


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ([], "returned word vectors of 0 texts, expected 1"),
        ([VECTOR], "failed: TypeError"),
        ([(VECTOR, [(0, 9)], [VECTOR])], "returned a word outside its text"),
        ([(VECTOR, [(3, 3)], [VECTOR])], "returned a word outside its text"),
        ([(VECTOR, [0], [VECTOR])], "failed: TypeError"),
        ([(VECTOR, [(0, 3)], [VECTOR, VECTOR])], r"shape \(2, 384\), expected \(1, 384\)"),
        ([(VECTOR[1:], [], [])], r"shape \(383,\), expected \(384,\)"),
    ],
)
def test_what_is_no_answer_is_refused_in_words(answer: Any, complaint: str) -> None:
    with pytest.raises(ModelError, match=complaint):
        Embedder(Careless(answer)).embed_words(["A boat."])


def test_a_question_is_held_to_the_same_contract() -> None:
    with pytest.raises(ModelError, match="returned a word outside its text"):
        Embedder(Careless([EmbeddedText(VECTOR, [(4, 12)], [VECTOR])])).embed_query_words("A boat.")
