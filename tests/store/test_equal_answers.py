"""SQLite and PostgreSQL answer alike: every capability that reads, on every fixture vault."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from sqlalchemy import event

from tests.asking import BUILT_IN
from writeros_entities.errors import WriterosError
from writeros_entities.session import Session
from writeros_entities.store.postings import find_named_notes, find_postings
from writeros_entities.store.view import StoredView
from writeros_entities.store.words import Postings, Term

from ..sync.snapshot import take_snapshot
from .conftest import Twins

MACHINE = ("database", "database_bytes", "last_sync", "mode")
"""What `status` says of the machine."""

NAMES = {
    "novel": (
        *("Isolde Marrow", "Izzy", "Captain Vane", "Wren", "Hope", "林月", "O'Dara"),
        *("Søren Hald", "House Marrow", "nobody of that name"),
    ),
    "technical": ("Berthbook", "postgres", "Redis", "Ines Okafor", "k8s", "Quayside", "Home"),
    "hostile": ("Odile Farrow", "Bram Sallis", "Zoe Quill", "First act", "Typewriter"),
}
QUERIES = (
    *("the", "salt road", '"salt road"', "mar*", "who lost the ledger?", "fox", "queue", "ÉTÉ"),
    *("林月", "lantern light on the water", "nothing-at-all-like-this", "it's"),
)
NOTES = {
    "novel": ("Isolde Marrow", "Timeline", "01 - The Salt Road"),
    "technical": ("Berthbook", "Home"),
    "hostile": ("Odile Farrow", "First act"),
}
PASSAGES = {
    "novel": "Old Tobias Wren told Izzy and Lin Yue (林月) at the Salt Road Inn of Wat Sallow.",
    "technical": "Berthbook writes to postgres and Redis on k8s, says Ines Okafor.",
    "hostile": "Odile Farrow gave Bram Sallis the prompt book before the First act.",
}


def questions(vault: str, as_of: int | None) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every question that is asked of a vault: of each name with `as_of` or without."""
    when = {"as_of": as_of}
    names = NAMES[vault][as_of is not None :: 2]
    queries = (*names, *QUERIES[as_of is not None :: 2])
    yield "status", when
    yield "doctor", when | {"severity": "info", "limit": 500}
    yield "list_questions", when | {"limit": 500}
    for order in ("mentions", "name", "first"):
        yield "list_entities", when | {"order": order, "limit": 500}
    yield "list_entities", when | {"containing": "A", "types": ["person", "concept"]}
    for include_unknown in (True, False):
        passage = {"text": PASSAGES[vault], "include_unknown": include_unknown}
        yield "extract_entities", when | passage
    for name in names:
        yield "get_entity", when | {"entity": name}
        yield "find_mentions", when | {"entity": name, "limit": 500}
        yield "find_mentions", when | {"entity": name, "below": "Manuscript"}
        yield "find_uses", when | {"entity": name, "limit": 500}
        yield "get_family_tree", when | {"entity": name, "generations": 7}
        yield "describe_voice", when | {"entity": name}
        yield "get_entity_history", when | {"entity": name}
        yield "analyze_entity_evolution", when | {"entity": name}
        yield "get_relationship_timeline", when | {"entity": name}
        yield "get_entity_graph", when | {"center_entity": name, "evidence": 1, "limit": 50}
        asked = {"entities": [name], "top_k": 50, "min_score": 0.0, "include_content": True}
        yield "search_by_entities", when | asked
        yield "build_context", when | {"entities": [name], "max_tokens": 300}
    for form in ("json", "mermaid", "canvas", "graphml"):
        yield "get_entity_graph", when | {"format": form, "include_counts": True, "limit": 500}
    yield "find_communities", when | {"min_size": 1, "limit": 100}
    for strategy in ("usage", "recency", "narrative", "relevance"):
        told = {"strategy": strategy, "max_tokens": 1_500, "query": QUERIES[4]}
        yield "build_context", when | told | {"entities": list(NAMES[vault][:2])}
        yield "context_for_text", when | told | {"text": PASSAGES[vault]}
    for scene in (*NOTES[vault], 1, 3):
        yield "brief_scene", when | {"scene": scene, "max_tokens": 4_000, "quiet_chapters": 1}
    yield "check_continuity", when | {"min_confidence": 0, "limit": 500}
    for one, other in pairwise(names):
        yield "find_paths", when | {"entities": [one, other], "limit": 20}
        yield "get_relationship_timeline", when | {"entity": one, "other": other}
        yield "infer_relationship", when | {"head_entity": one, "tail_entity": other}
        claim = {"subject": one, "predicate": "depends_on", "object": other}
        yield "validate_knowledge", when | claim
        yield "who_knows", when | {"about": f"{one}, {other}"}
        yield "brief_scene", when | {"cast": [one, other], "max_tokens": 4_000}
    for about in queries:
        yield "who_knows", when | {"about": about}
    for relation in ("member_of", "created_by"):
        yield "find_related_entities", when | {"entity": NAMES[vault][0], "relation": relation}
    for query in (*queries, PASSAGES[vault]):
        yield "reason_over_entities", when | {"query": query, "top_k": 50}
    for mode in ("any", "all"):
        pair = {"entities": list(NAMES[vault][:2]), "match_mode": mode, "min_score": 0.0}
        yield "search_by_entities", when | pair
    for mode in ("hybrid", "text"):
        for query in queries:
            shown = {"query": query, "mode": mode, "trace": True, "include_content": True}
            yield "search", when | shown | {"limit": 50}
    below = {"query": "the", "below": "Manuscript", "note_types": ["person"]}
    yield "search", when | below
    yield "list_notes", when | below
    yield "list_notes", when | {"order": "story"}
    yield "search", when | {"query": "night", "mentioning": [NAMES[vault][0]]}
    for note in NOTES[vault]:
        yield "find_related_notes", when | {"note": note}
        yield "find_speeches", when | {"note": note}
        yield "list_events", when | {"note": note}
        yield "list_events", when | {"order": "story", "to_date": note}
        yield "get_entity", when | {"entity": NAMES[vault][0], "at": note}
        yield "get_entity_history", when | {"entity": NAMES[vault][0], "at": note}
        yield "read_note", when | {"note": note}
        yield "list_note_entities", when | {"note": note, "include_text": True}
    if as_of is None:
        yield "list_plugins", {}
        yield "evaluate_relations", {}


def ask(session: Session, name: str, arguments: dict[str, Any]) -> str:
    """Return an answer as JSON, with the order of its keys, or what the error says."""
    try:
        answer = session.call(name, arguments).model_dump(mode="json")
    except WriterosError as error:
        answer = {"error": type(error).__name__, "message": str(error)}
    kept = {key: value for key, value in answer.items() if key not in MACHINE}
    return json.dumps(kept, ensure_ascii=False, indent=1)


@pytest.mark.parametrize("as_of", [None, 3])
def test_every_answer_is_the_same_on_both_engines(twins: Twins, as_of: int | None) -> None:
    for name, arguments in questions(twins.vault, as_of):
        expected = ask(twins.sqlite, name, arguments)
        assert ask(twins.postgresql, name, arguments) == expected, (name, arguments)


def test_every_capability_that_reads_is_asked() -> None:
    asked = {name for name, _ in questions("novel", None)}
    assert {one.name for one in BUILT_IN if not one.writes} <= asked


def test_the_rows_are_the_same_on_both_engines(twins: Twins) -> None:
    expected = take_snapshot(twins.sqlite)
    found = take_snapshot(twins.postgresql)
    for table, rows in expected.items():
        assert found[table] == rows, table


# -- Words ----------------------------------------------------------------------------------------

TERMS = [
    *(Term(((word,),)) for word in ("the", "isolde", "hope", "redis", "odile", "ete", "nothing")),
    Term((("wren",), ("wrens",), ("hope",))),
    *(Term((tuple(text.split()),)) for text in ("salt road", "salt road inn", "of the", "the fox")),
    *(Term(((text,),), is_beginning=True) for text in ("t", "mar", "ber", "zzz")),
    Term((("salt", "r"), ("old", "t")), is_beginning=True),
    *(Term(piece=piece) for piece in ("林月", "ing", "'s")),
]


def plain(postings: Postings) -> list[list[int]]:
    columns = postings.chunk_ids, postings.in_text, postings.in_heading
    return [column.tolist() for column in columns]


@contextmanager
def opened(session: Session, as_of: int | None) -> Iterator[StoredView]:
    """Open a view as of a position, which a vault without chapters need not have."""
    with session.view() as view:
        yield replace(view, as_of=as_of)


@pytest.mark.parametrize("as_of", [None, 2])
def test_words_and_phrases_are_counted_alike(twins: Twins, as_of: int | None) -> None:
    with opened(twins.sqlite, as_of) as here, opened(twins.postgresql, as_of) as there:
        expected, found = find_postings(here, TERMS), find_postings(there, TERMS)
        for term, one, other in zip(TERMS, expected, found, strict=True):
            assert plain(other) == plain(one), term
        named_here, named_there = find_named_notes(here, TERMS), find_named_notes(there, TERMS)
        for term, ours, theirs in zip(TERMS, named_here, named_there, strict=True):
            assert theirs.tolist() == ours.tolist(), term


@pytest.mark.parametrize("as_of", [None, 2])
def test_words_asked_for_before_are_counted_as_at_first(twins: Twins, as_of: int | None) -> None:
    for session in (twins.sqlite, twins.postgresql):
        with opened(session, as_of) as view:
            expected = [plain(one) for one in find_postings(anew(view), TERMS)]
            reader = anew(view)
            for asked in (TERMS[::2], TERMS[::-1], TERMS):
                found = [plain(one) for one in find_postings(reader, asked)]
                assert found == [expected[TERMS.index(term)] for term in asked]


def anew(view: StoredView) -> StoredView:
    """Return the view of somebody who has asked for nothing yet."""
    return StoredView(view.connection, view.vault_id, view.as_of)


def test_a_words_chunks_are_read_once(twins: Twins) -> None:
    for session in (twins.sqlite, twins.postgresql):
        with session.view() as view:
            reader = anew(view)
            find_postings(reader, TERMS[:3])
            statements: list[str] = []
            event.listen(view.connection, "before_cursor_execute", partial(note_down, statements))
            find_postings(reader, TERMS[:3])
            assert statements == []
            find_postings(reader, TERMS[3:4])
            assert statements != []


def note_down(statements: list[str], connection: object, cursor: object, *more: Any) -> None:
    statements.append(more[0])
