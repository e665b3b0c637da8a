"""A question of several steps is answered over the names and phrases that notes share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from writeros_entities.capabilities.search.phrases import (
    find_known,
    find_names,
    find_pairs,
    key_of,
    read_words,
)
from writeros_entities.graph.walk import build_ways
from writeros_entities.session import Session

OpenVault = Callable[..., Session]

WAREHOUSE = {
    "Alder.md": "Alder was built by Mira Holt.",
    "Birch.md": "Birch was burnt.",
    "Mira Holt.md": "Born in a storm.",
}


def write_vault(root: Path, notes: Mapping[str, str]) -> Path:
    (root / ".obsidian").mkdir(parents=True)
    for path, text in notes.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    return root


def ask(session: Session, **arguments: Any) -> dict[str, Any]:
    return session.call("reason_over_entities", arguments).model_dump()


# -- The walk --------------------------------------------------------------------------------------


def test_a_walk_is_found_where_its_equations_say() -> None:
    """Two chunks with one term, half of the walks ending: c = (1/2 + t/4, t/4), t = (c₁ + c₂)/2."""
    ways = build_ways(
        np.array([0, 1]), np.array([0, 0]), np.array([3.0, 5.0]), np.array([1.0, 1.0]), (2, 1)
    )
    found = ways.walk(np.array([1.0, 0.0]), damping=0.5)
    assert found.chunks == pytest.approx([7 / 12, 1 / 12], abs=1e-6)
    assert found.terms == pytest.approx([1 / 3], abs=1e-6)
    terms, shares = ways.arrivals(found, 0, damping=0.5)
    assert (terms.tolist(), shares.tolist()) == ([0], [pytest.approx(1 / 7, abs=1e-5)])


weights = st.sampled_from((0.3, 1.0, 2.5, 10.0))


@st.composite
def walks(draw: st.DrawFn) -> tuple[int, dict[tuple[int, int], tuple[float, float]], list[float]]:
    """Return how many chunks there are, edges to terms with both weights, and seeds."""
    chunks = draw(st.integers(1, 7))
    pairs = st.tuples(st.integers(0, chunks - 1), st.integers(0, 5))
    edges = draw(st.dictionaries(pairs, st.tuples(weights, weights), max_size=20))
    seeds = draw(st.lists(st.sampled_from((0.0, 1.0, 4.0)), min_size=chunks, max_size=chunks))
    return chunks, edges, seeds if any(seeds) else [1.0] * chunks


@given(walks(), st.sampled_from((0.3, 0.7, 0.85)))
def test_a_walk_is_found_where_an_independent_library_finds_it(
    walk: tuple[int, dict[tuple[int, int], tuple[float, float]], list[float]], damping: float
) -> None:
    chunks, edges, seeds = walk
    terms = sorted({term for _, term in edges})
    graph: nx.DiGraph[Any] = nx.DiGraph()
    graph.add_nodes_from(range(chunks))
    for (chunk, term), (out, back) in edges.items():
        graph.add_edge(chunk, f"t{term}", weight=out)
        graph.add_edge(f"t{term}", chunk, weight=back)
    reference = nx.pagerank(
        graph, damping, dict(enumerate(seeds)), tol=1e-12, max_iter=1000, weight="weight"
    )
    ways = build_ways(
        np.array([chunk for chunk, _ in edges], np.int64),
        np.array([terms.index(term) for _, term in edges], np.int64),
        np.array([out for out, _ in edges.values()]),
        np.array([back for _, back in edges.values()]),
        (chunks, len(terms)),
    )
    found = ways.walk(np.array(seeds) / sum(seeds), damping)
    assert found.chunks == pytest.approx([reference[at] for at in range(chunks)], abs=1e-5)
    assert found.terms == pytest.approx([reference[f"t{term}"] for term in terms], abs=1e-5)


# -- Names and phrases -----------------------------------------------------------------------------


def test_names_are_runs_of_capitals_and_phrases_two_plain_words() -> None:
    words = read_words(["Lin Yue lit the storm lamp of Lin's Hope.", "In 1186 a Storm Lamp fell"])
    nothing = np.zeros(len(words.ids), np.bool_)
    names = find_names(words, nothing)
    pairs = find_pairs(words)
    assert [
        words.shown(place, length)
        for place, length in zip(names.place.tolist(), names.length.tolist(), strict=True)
    ] == ["Lin Yue", "Lin", "Hope", "Storm Lamp"]
    assert [words.shown(place, 2) for place in pairs.place.tolist()] == ["storm lamp"]
    assert names.key[3] == pairs.key[0] == key_of(words.ids_of("Storm lamp"))


def test_of_known_names_the_longest_is_found_and_a_single_word_needs_a_capital() -> None:
    words = read_words(["the curse of the jade scorpion, the jade and a Jade"])
    known = [words.ids_of(name) for name in ("Jade", "Curse of the Jade", "Scorpion", "Emerald")]
    found = find_known(words, known)
    shown = zip(found.place.tolist(), found.length.tolist(), strict=True)
    assert [words.shown(*one) for one in shown] == ["curse of the jade", "Jade"]


# -- The answer ------------------------------------------------------------------------------------


def test_a_question_leads_to_a_note_that_has_none_of_its_words(
    open_vault: OpenVault, tmp_path: Path
) -> None:
    """One term, the title Mira Holt: 1 of 11 parts leads back to Alder, 10 to her own note.

    With d = 0.7 and all walks beginning at Alder, t = 7/17, c(Alder) = 0.3 + 0.7 t / 11 = 61/187
    and c(Mira Holt) = 7 t / 11 = 49/187.
    """
    with open_vault(write_vault(tmp_path / "vault", WAREHOUSE)) as session:
        session.call("sync", {})
        answer = ask(session, query="Who built Alder?")
        text = session.call("reason_over_entities", {"query": "Who built Alder?"}).as_text()
    first, second = answer["results"]
    assert "- Mira Holt.md:1 (0.80; by Mira Holt from Alder.md) — Born in a storm." in text
    assert (first["path"], first["walk_score"], first["reasoning_type"]) == (
        "Alder.md",
        1,
        "search",
    )
    assert first["carried_by"] == [
        {"name": "Mira Holt", "kind": "note", "share": 0.0803, "path": "Mira Holt.md"}
    ]
    assert (second["path"], second["walk_score"]) == ("Mira Holt.md", 0.8033)
    assert (second["base_score"], second["reasoning_type"]) == (0, "walk")
    assert second["carried_by"] == [
        {"name": "Mira Holt", "kind": "note", "share": 1, "path": "Alder.md"}
    ]


def test_what_only_the_author_sees_connects_nothing(open_vault: OpenVault, tmp_path: Path) -> None:
    notes = {**WAREHOUSE, "Alder.md": "Alder was built. %%by Mira Holt%% `Mira Holt`"}
    with open_vault(write_vault(tmp_path / "vault", notes)) as session:
        session.call("sync", {})
        answer = ask(session, query="Who built Alder?")
    assert [one["path"] for one in answer["results"]] == ["Alder.md"]


def test_entities_on_paths_raise_what_the_walk_finds(novel: Session) -> None:
    query = "What binds Lin Yue to Søren Hald?"
    for weight in (0, 0.3, 1):
        answer = ask(novel, query=query, entity_reasoning_weight=weight)
        assert any(one["entity_score"] for one in answer["results"])
        for one in answer["results"]:
            expected = one["walk_score"] * (1 + weight * one["entity_score"])
            assert one["score"] == pytest.approx(expected, abs=2e-4)


def test_a_question_may_be_asked_without_looking_for_entities_in_it(novel: Session) -> None:
    question = "How is Isolde Marrow connected with James Ferris?"
    assert len(ask(novel, query=question)["query_entities"]) == 2
    answer = ask(novel, query=question, query_entity_extraction=False)
    assert (answer["query_entities"], answer["paths"]) == ([], [])
    assert answer["results"]
    assert {one["reasoning_type"] for one in answer["results"]} <= {"search", "walk"}


def test_two_whose_name_is_nearly_said_stand_by_their_own_names_however_they_came(
    open_vault: OpenVault, tmp_path: Path
) -> None:
    person = "---\ntype: person\naliases: [Lamplighter]\n---\n"
    root = write_vault(tmp_path / "vault", {"Zoe.md": person, "Day.md": "Zoe came. Abe came."})
    session = open_vault(root)
    session.call("sync", {})
    (root / "Abe.md").write_text(person)
    session.call("sync", {})
    answer = ask(session, query="Where is the Lamplightr?")
    assert [
        (one["entity"]["name"], one["surface_form"], one["method"])
        for one in answer["query_entities"]
    ] == [("Abe", "Lamplightr", "similar"), ("Zoe", "Lamplightr", "similar")]


def test_an_empty_vault_answers_nothing(open_vault: OpenVault, tmp_path: Path) -> None:
    with open_vault(write_vault(tmp_path / "vault", {})) as session:
        session.call("sync", {})
        assert ask(session, query="Who built Alder?")["results"] == []
