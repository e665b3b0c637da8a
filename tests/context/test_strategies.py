"""In which order mentions enter a context: by the strategy, a plugin, that was asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from writeros_entities import (
    ContextBuilder,
    ContextPiece,
    ContextTask,
    PluginError,
    PriorityStrategy,
    RankedChunk,
    Session,
    Settings,
    WriterosError,
    hookimpl,
)
from writeros_entities.plugins import load_plugins

from .conftest import PERSON

Synced = Callable[..., Session]

FERRY = {
    "Characters/Ann Reed.md": PERSON,
    "Characters/Bo Finch.md": PERSON,
    "Characters/Cy Marsh.md": PERSON,
    "Manuscript/01.md": "Ann Reed slept.\n",
    "Manuscript/02.md": "Ann Reed met Bo Finch and Cy Marsh at the ferry.\n",
    "Manuscript/03.md": "Ann Reed woke. Ann Reed rowed.\n",
    "Notes/A.md": "Ann Reed owes rent.\n",
    "Notes/B.md": "Ann Reed keeps bees.\n",
}
ONE, TWO, THREE = "Manuscript/01.md", "Manuscript/02.md", "Manuscript/03.md"
A, B = "Notes/A.md", "Notes/B.md"


@pytest.fixture
def order(write_vault: Any, synced: Synced) -> Callable[..., list[str]]:
    """Return a function that gives the paths of a context's mentions; B was saved after A."""

    def paths(arguments: dict[str, Any], **settings: Any) -> list[str]:
        root = write_vault(FERRY)
        for saved, path in enumerate((A, B), 1):
            os.utime(root / path, (saved * 1_000_000, saved * 1_000_000))
        with Session.open(root, **settings) as session:
            session.call("sync", {})
            asked = {"entities": ["Ann Reed"], "include": ["mentions"], **arguments}
            answer = session.call("build_context", asked).model_dump()
        return [chunk["path"] for chunk in answer["chunks"]]

    return paths


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        # She stands twice in 03, once in the others: 02 is the longest of these, 01 the shortest.
        pytest.param({}, [THREE, TWO, A, B, ONE], id="usage, by default"),
        pytest.param({"strategy": "recency"}, [THREE, TWO, ONE, B, A], id="recency"),
        pytest.param({"strategy": "narrative"}, [ONE, TWO, THREE, A, B], id="narrative"),
        pytest.param({"strategy": "relevance"}, [THREE, ONE, TWO, A, B], id="relevance"),
        pytest.param({"query": "bees"}, [B, THREE, ONE, TWO, A], id="a query, by default"),
        pytest.param(
            {"query": "bees", "strategy": "narrative"}, [ONE, TWO, THREE, A, B], id="not asked"
        ),
        pytest.param({"strategy": "recency", "as_of": 2}, [TWO, ONE], id="recency as of 2"),
    ],
)
def test_a_strategy_ranks(
    order: Callable[..., list[str]],
    database: str,
    arguments: dict[str, Any],
    expected: list[str],
) -> None:
    assert order(arguments, database=database) == expected


CRIB = {
    "Cast/Ann Reed.md": f"{PERSON}A girl.\n\n# Likes\n\n- Ann Reed likes bees.\n",
    "Story/01.md": "Ann Reed, the captain of the Heron, slept.\n",
    "Story/02.md": "- Ann Reed woke.\n- She rowed.\n",
    "Notes/Bees.md": "Ann Reed keeps bees.\n",
    "Notes/Names.md": "# Names\n\n- Ann Reed: Ann, Miss Reed\n- Ann Reed: Ann\n- The cat\n",
    "Notes/Years.md": "| year | who |\n| --- | --- |\n| 1180 | Ann Reed, Ann Reed |\n",
}


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_prose_about_somebody_comes_before_lists_of_names(
    request: pytest.FixtureRequest, write_vault: Any, engine: str
) -> None:
    databases = request.getfixturevalue(f"{engine}_databases")
    with Session.open(write_vault(CRIB), database=databases.create()) as session:
        session.call("sync", {})
        asked = {"entities": ["Ann Reed"], "strategy": "usage", "include": ["mentions"]}
        chunks = session.call("build_context", asked).model_dump()["chunks"]
    assert [chunk["path"] for chunk in chunks] == [
        "Story/01.md",
        "Cast/Ann Reed.md",
        "Story/02.md",
        "Notes/Bees.md",
        "Notes/Names.md",
        "Notes/Years.md",
    ]


def test_relevance_is_said(shared: Synced) -> None:
    asked = {"entities": ["Ann Reed"], "query": "bees", "include": ["mentions"]}
    first = shared(FERRY).call("build_context", asked).model_dump()["chunks"][0]
    assert first["why"] == "1 mention of Ann Reed, relevance 1.00"


def test_building_contexts_changes_no_ranking(synced: Synced, database: str) -> None:
    session = synced(FERRY)
    asked = {"entities": ["Ann Reed"], "strategy": "usage", "as_of": 3}
    before = session.call("build_context", asked).model_dump()
    for at in range(1, 6):
        session.call("build_context", {"entities": ["Ann Reed"], "max_tokens": 10 * at})
    with Session.open(session.root, database=database) as other:
        assert other.call("build_context", asked).model_dump() == before


class Alphabet:
    """A stranger's plugin: the shortest chunks first, and prompts of a single chunk."""

    name = "shortest"

    def rank(self, chunks: Sequence[RankedChunk]) -> Sequence[RankedChunk]:
        return sorted(chunks, key=lambda chunk: chunk.tokens)

    def pack(self, task: ContextTask) -> Sequence[ContextPiece]:
        return [task.passages[0].whole()]

    @hookimpl
    def register_priority_strategies(self) -> Iterable[PriorityStrategy]:
        return [self]

    @hookimpl
    def register_context_builders(self) -> Iterable[ContextBuilder]:
        return [self]


def test_a_stranger_ranks_and_packs(order: Callable[..., list[str]], database: str) -> None:
    plugins = load_plugins(Settings(), {"stranger": Alphabet()})
    asked = {"strategy": "shortest"}
    ranked = order(asked, database=database, plugins=plugins)
    assert ranked == [ONE, A, B, THREE, TWO]
    packed = order(asked | {"builder": "shortest"}, database=database, plugins=plugins)
    assert packed == [ONE]


def test_an_unknown_strategy_is_answered_with_those_there_are(shared: Synced) -> None:
    with pytest.raises(WriterosError, match="narrative, recency, relevance, usage"):
        shared(FERRY).call("build_context", {"entities": ["Ann Reed"], "strategy": "luck"})


class Losing(Alphabet):
    def rank(self, chunks: Sequence[RankedChunk]) -> Sequence[RankedChunk]:
        return chunks[1:]


class Naming(Alphabet):
    def rank(self, chunks: Sequence[RankedChunk]) -> Any:
        return [str(chunk.id) for chunk in chunks]

    def pack(self, task: ContextTask) -> Any:
        return [passage.text for passage in task.passages]


class Packing(Naming):
    def rank(self, chunks: Sequence[RankedChunk]) -> Sequence[RankedChunk]:
        return chunks


class Failing(Alphabet):
    def rank(self, chunks: Sequence[RankedChunk]) -> Sequence[RankedChunk]:
        raise ValueError("no order")


class Spending(Alphabet):
    def pack(self, task: ContextTask) -> Sequence[ContextPiece]:
        return [passage.whole() for passage in task.passages]


class Doubling(Alphabet):
    def pack(self, task: ContextTask) -> Sequence[ContextPiece]:
        return [task.passages[0].whole()] * 2


class Forging(Alphabet):
    def pack(self, task: ContextTask) -> Sequence[ContextPiece]:
        return [replace(task.passages[0]).whole()]


class Cutting(Alphabet):
    def pack(self, task: ContextTask) -> Sequence[ContextPiece]:
        return [ContextPiece(task.passages[0], 3, 10_000)]


@pytest.mark.parametrize(
    ("plugin", "message"),
    [
        (Losing(), "The priority strategy 'shortest' returned other chunks than it was given."),
        (Failing(), "The priority strategy 'shortest' failed: ValueError('no order')."),
        (
            Naming(),
            "The priority strategy 'shortest' failed: "
            "AttributeError(\"'str' object has no attribute 'id'\").",
        ),
        (
            Packing(),
            "The context builder 'shortest' failed: "
            "AttributeError(\"'str' object has no attribute 'passage'\").",
        ),
        (Spending(), "The context builder 'shortest' packed 59 tokens into a budget of 20."),
        (
            Forging(),
            "The context builder 'shortest' returned a passage that it was not given.",
        ),
        (Doubling(), "The context builder 'shortest' returned a chunk twice."),
        (
            Cutting(),
            "The context builder 'shortest' returned a piece that lies outside its passage.",
        ),
    ],
    ids=["loses", "fails", "names", "packs texts", "spends", "forges", "doubles", "cuts"],
)
def test_a_plugin_that_breaks_its_contract_is_named(
    synced: Synced, plugin: Alphabet, message: str
) -> None:
    session = synced(FERRY, plugins=load_plugins(Settings(), {"stranger": plugin}))
    asked = {"entities": ["Ann Reed"], "include": ["mentions"], "max_tokens": 20}
    asked["token_counter"] = "characters"
    with pytest.raises(PluginError) as raised:
        session.call("build_context", asked | {"strategy": "shortest", "builder": "shortest"})
    assert str(raised.value) == message
