"""Every capability gives the same data on the command line, over MCP and to an agent."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from mcp import Client

from tests.asking import BUILT_IN
from writeros_entities.capabilities.graph.draw_entity_graph import draw_entity_graph
from writeros_entities.capability import Capability
from writeros_entities.errors import NotFoundError
from writeros_entities.session import Session
from writeros_entities.surfaces.cli import build_cli
from writeros_entities.surfaces.mcp import ServerOptions, build_server
from writeros_entities.surfaces.prompts import call

from ..databases import Databases, one_engine
from ..surfaces.command_line import command_line

databases = one_engine

NOVEL = Path(__file__).parents[2] / "vault_fixtures" / "novel"

ARGUMENTS: dict[str, list[dict[str, Any]]] = {
    "sync": [{}, {"wait": 1.5}],
    "status": [{}, {"as_of": 7}, {"as_of": "07 - Hope Is a Wren"}],
    "rebuild": [{}],
    "migrate": [{}],
    "doctor": [{}, {"severity": "info", "limit": 3, "offset": 2}],
    "list_plugins": [{}],
    "list_questions": [{}, {"as_of": 7, "limit": 2, "offset": 1}],
    "list_notes": [{}, {"below": "Manuscript", "chaptersOnly": True, "asOf": 9, "offset": 2}],
    "read_note": [
        {"note": "07 - Hope Is a Wren", "as_of": 7},
        {"note": "Lin Yue", "limit": 1, "offset": 1},
    ],
    "decide": [{"list": True}, {"line": "Tarn is a place", "propose": True}],
    "extract_entities": [
        {"text": "Captain Vane and 林月, on k8s.\n\n> “Ezra Pike?”"},
        {"text": "--as-of", "include_unknown": False, "group_by_type": True},
    ],
    "list_entities": [
        {},
        {"types": ["person", "place"], "statuses": ["noted"], "order": "first", "limit": 4},
        {"containing": "o'd", "asOf": 8},
    ],
    "get_entity": [{"entity": "Séraphine O'Dara", "as_of": 9}, {"entity": "Tobias Wren"}],
    "get_entity_history": [
        {"entity": "Marguerite Marrow", "as_of": 10},
        {"entity": "林月", "kinds": ["alias_added"], "limit": 2, "offset": 1},
    ],
    "analyze_entity_evolution": [
        {"entity": "Perrin"},
        {"entity": "Isolde Marrow", "fromPosition": 3, "to_position": 9, "limit": 2},
    ],
    "find_mentions": [{"entity": "林月"}, {"entity": "Toby", "below": "Manuscript", "limit": 2}],
    "get_family_tree": [
        {"entity": "Isolde"},
        {"entity": "Toby", "generations": 2, "language": "de", "as_of": 9, "limit": 1},
        {"entity": "Isolde Marrow", "format": "mermaid"},
    ],
    "find_uses": [
        {"entity": "Séraphine O'Dara", "renamed_to": "Søren Hald", "as_of": 9},
        {"entity": "Toby", "only": ["mention", "other_link"], "limit": 2, "offset": 1},
    ],
    "list_note_entities": [
        {"note": "07 - Hope Is a Wren", "types": ["person"], "limit": 2, "asOf": 8},
        {"note": "Characters/Lin Yue.md#Lin Yue", "fromLine": 2, "toLine": 40, "offset": 1},
    ],
    "search_by_entities": [
        {"entities": ["Isolde", "Captain Vane"], "matchMode": "all", "topK": 3},
        {"entities": ["Harrowmouth"], "include_content": True, "min_score": 0.5, "as_of": 5},
    ],
    "search": [
        {"query": 'Who holds the "salt road"? lant*', "limit": 3, "trace": True, "as_of": 9},
        {"query": "林月", "mode": "text", "below": "Manuscript", "offset": 1},
        {"query": "--limit", "noteTypes": ["person"], "mentioning": ["Isolde"]},
    ],
    "find_speeches": [
        {},
        {"speaker": "Hope Lascelles", "as_of": 7},
        {"speaker": "Hope", "addressee": "Toby", "query": "the"},
    ],
    "describe_voice": [
        {"entity": "Hope Lascelles"},
        {"entity": "Isolde Marrow", "as_of": 7},
    ],
    "list_events": [
        {},
        {"entity": "Hope Lascelles", "kind": "moves", "from_position": 2, "as_of": 7},
        {"entity": "Hope", "other": "Toby", "note": "chapter 3", "limit": 2},
        {"order": "story", "fromDate": "chapter 2", "toDate": "chapter 5", "limit": 2},
    ],
    "who_knows": [
        {"about": "Lin Yue"},
        {"about": "Hope, Toby", "person": "Old Tobias", "as_of": 7},
        {"about": "a page is gone from the Ledger", "limit": 1, "offset": 1},
    ],
    "find_related_notes": [
        {"note": "07 - Hope Is a Wren", "limit": 3, "asOf": 8},
        {"note": "Manuscript/10 - Gloves.md", "offset": 2},
    ],
    "get_entity_graph": [
        {},
        {"centerEntity": "Isolde", "maxDegrees": 1, "minStrength": 0.2, "includeTopics": True},
        {"center_entity": "Toby", "evidence": 1, "entityTypes": ["Person"], "limit": 9, "as_of": 7},
        {"format": "mermaid", "max_nodes": 6, "includeMemoryCounts": True},
        {
            "format": "graphml",
            "origins": ["co-occurrence"],
            "kinds": ["co occurs with"],
            "max_nodes": 5,
        },
        {"format": "canvas", "max_nodes": 9, "as_of": 4},
    ],
    "find_paths": [
        {"entities": ["Lin Yue", "Søren Hald"]},
        {"entities": ["Hope"], "to": ["James Ferris", "林月"], "order": "shortest", "as_of": 8},
    ],
    "find_communities": [{}, {"min_size": 2, "resolution": 2.0, "limit": 2, "as_of": 6}],
    "get_relationship_timeline": [
        {"entity": "Isolde", "other": "Aldous"},
        {"entity": "Hope", "clock": "days", "limit": 3, "as_of": 9},
    ],
    "infer_relationship": [
        {"head_entity": "Isolde", "tail_entity": "Lantern Guild", "topK": 3, "as_of": 9},
        {"head_entity": "Tokio", "tail_entity": "Rust", "includeVector": True},
    ],
    "find_related_entities": [
        {"entity": "Isolde", "relation": "parent of", "direction": "incoming"},
        {"entity": "Rust", "relation": "implementedIn", "direction": "incoming", "minScore": -0.4},
    ],
    "validate_knowledge": [
        {"subject": "Tobias Wren (younger)", "predicate": "serves", "object": "Lantern Guild"},
        {
            "subject": "A",
            "predicate": "loves",
            "object": "B",
            "subjectType": "Person",
            "objectType": "Person",
            "as_of": 3,
        },
    ],
    "evaluate_relations": [{}, {"shipped": True}],
    "build_context": [
        {"entities": ["Isolde Marrow"]},
        {"entities": ["Hope", "林月"], "maxTokens": 300, "query": "Who taught --her?", "as_of": 9},
        {"entities": ["Gannet"], "strategy": "recency", "include": ["mentions"], "max_tokens": 90},
    ],
    "context_for_text": [
        {"text": "Captain Vane and 林月 met Tobias.", "max_tokens": 400, "as_of": 7},
        {"text": "--as-of Hope", "note": "07 - Hope Is a Wren", "token_counter": "characters"},
    ],
    "brief_scene": [
        {"scene": "10 - Gloves"},
        {"scene": 7, "maxTokens": 500, "max_cast": 3, "tokenCounter": "characters"},
        {"scene": "Bad Ink", "quietChapters": 1, "as_of": 12},
        {"cast": ["Hope", "Captain Vane"], "place": "Salt Road Inn", "after": "Bad Ink"},
    ],
    "check_continuity": [
        {},
        {"rules": ["attribute-conflict"], "minConfidence": 0.75, "limit": 1},
        {"include_waived": True, "offset": 1, "as_of": 9},
    ],
    "reason_over_entities": [
        {"query": "What has Isolde Marow to do with the Lantern Guild?"},
        {"query": "Hope --as-of", "max_hops": 3, "minRelationshipStrength": 0.2, "as_of": 6},
    ],
}
"""Calls of each capability; one that is missing here fails."""

OPTIONS = ServerOptions(tools=["all"], answers="data", answer_tokens=1_000_000)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def index(databases: Databases) -> str:
    """Return the URL of the novel's index, synced and closed."""
    url = databases.create()
    with Session.open(NOVEL, database=url) as session:
        session.call("sync", {})
    return url


@pytest.fixture(scope="module")
def untouched(index: str, databases: Databases) -> str:
    """Return a copy of the index that nobody opens, to be copied for what writes."""
    return databases.copy(index)


@pytest.fixture(scope="module")
def reader(index: str, untouched: str) -> Iterator[Session]:
    """Return a session on the index, for what only reads."""
    with Session.open(NOVEL, database=index) as session:
        yield session


def settled(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer without the size of the database, which PostgreSQL changes by itself."""
    return {key: value for key, value in answer.items() if key != "database_bytes"}


@pytest.mark.anyio
@pytest.mark.parametrize(
    "capability",
    [one for one in BUILT_IN if one is not draw_entity_graph],  # it would write into the fixture
    ids=lambda capability: capability.name,
)
async def test_a_capability_answers_alike_everywhere(
    index: str,
    untouched: str,
    reader: Session,
    databases: Databases,
    capability: Capability[Any, Any],
) -> None:
    assert capability.name in ARGUMENTS, f"Give {capability.name} arguments in this test."

    @contextmanager
    def own_session() -> Iterator[Session]:
        """Open a session; what writes has an index of its own, and what only reads shares one."""
        if capability.writes:
            with Session.open(NOVEL, database=databases.copy(untouched)) as session:
                yield session
        else:
            yield reader

    for arguments in ARGUMENTS[capability.name]:
        with own_session() as session:
            from_agent = call(session, capability.name, arguments)
        with own_session() as session:
            async with Client(build_server(session, options=OPTIONS)) as client:
                result = await client.call_tool(capability.name, arguments)
        database = databases.copy(untouched) if capability.writes else index
        where = ["--vault", str(NOVEL), "--database", database]
        words = [*where, *command_line(capability, arguments)]
        printed = CliRunner().invoke(build_cli(), words)
        is_failure = capability.response.model_validate(from_agent).is_failure()
        assert printed.exit_code == int(is_failure), printed.output
        assert not result.is_error
        assert settled(result.structured_content or {}) == settled(from_agent)
        assert settled(json.loads(printed.stdout)) == settled(from_agent)
        assert "\\u0002" not in printed.stdout  # what stands for comments in the index


@pytest.mark.anyio
@pytest.mark.parametrize(
    "arguments", [{}, {"centerEntity": "Ann", "format": "json", "evidence": 1, "as_of": 1}]
)
async def test_a_drawing_is_the_same_file_everywhere(
    write_vault: Callable[[dict[str, str]], Path], database: str, arguments: dict[str, Any]
) -> None:
    root = write_vault({"Ann.md": "---\ntype: person\n---\n", "01 - One.md": "Ann met Bea."})
    with Session.open(root, database=database) as session:
        session.call("sync", {})
        drawn = call(session, "draw_entity_graph", arguments)
        written = Path(drawn["written"])
        first = written.read_bytes()
        written.unlink()
        options = ServerOptions(tools=["draw_entity_graph"], answers="data")
        async with Client(build_server(session, options=options)) as client:
            result = await client.call_tool("draw_entity_graph", arguments)
        assert result.structured_content == drawn
        assert written.read_bytes() == first
        written.unlink()
    words = ["--vault", str(root), "--database", database]
    words += command_line(draw_entity_graph, arguments)
    printed = CliRunner().invoke(build_cli(), words)
    assert json.loads(printed.stdout) == drawn
    assert written.read_bytes() == first


@pytest.mark.anyio
async def test_that_nothing_has_a_place_in_reading_order_is_told_alike_everywhere(
    write_vault: Callable[[dict[str, str]], Path], database: str
) -> None:
    root = write_vault({"Ann.md": "Ann ran."})
    with Session.open(root, database=database) as session:
        session.call("sync", {})
        with pytest.raises(NotFoundError, match="has a place in reading order") as refused:
            call(session, "list_entities", {"as_of": 7})
        async with Client(build_server(session)) as client:
            result = await client.call_tool("list_entities", {"as_of": 7})
    words = ["--vault", str(root), "--database", database, "list-entities", "--as-of", "7"]
    printed = CliRunner().invoke(build_cli(), words)
    assert result.is_error
    assert [part.text for part in result.content if part.type == "text"] == [str(refused.value)]
    assert (printed.exit_code, printed.stdout) == (1, "")
    assert printed.stderr == f"Error: {refused.value}\n"
