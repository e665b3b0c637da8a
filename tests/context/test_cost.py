"""What a context costs: five queries at most, and one until the index changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event

from writeros_entities import EntityContextBuilder, Session

from .conftest import KEEPERS

Synced = Callable[..., Session]


@contextmanager
def queries(session: Session) -> Iterator[list[str]]:
    """Collect the queries of a session: all statements but the beginning of a transaction."""
    asked: list[str] = []

    def add(connection: object, cursor: object, statement: str, *more: object) -> None:
        if not statement.startswith("BEGIN"):
            asked.append(statement)

    engine = session.database._pool
    event.listen(engine, "before_cursor_execute", add)
    yield asked
    event.remove(engine, "before_cursor_execute", add)


@pytest.mark.parametrize(
    "arguments",
    [
        {"entities": ["Isolde Marrow"]},
        {"entities": ["Isolde Marrow"], "as_of": 7, "max_tokens": 500},
        {"entities": ["Gannet"], "as_of": 12, "strategy": "recency"},
        {"entities": ["Isolde Marrow", "Hope", "林月", "Harrowmouth"], "max_tokens": 8_000},
    ],
    ids=["one", "as of 7", "a mask", "several"],
)
def test_a_context_takes_five_queries(novel: Session, arguments: dict[str, Any]) -> None:
    novel.call("extract_entities", {"text": "Hope"})  # the names are read once
    unlike_others = arguments | {"max_tokens": arguments.get("max_tokens", 4_000) - 1}
    with queries(novel) as asked:
        assert novel.call("build_context", unlike_others).model_dump()["chunks"]
    assert len(asked) == 5
    with queries(novel) as asked:
        novel.call("build_context", unlike_others)
    assert len(asked) == 1


def test_a_context_is_built_anew_when_the_index_has_changed(synced: Synced) -> None:
    session = synced(KEEPERS)
    asked = {"entities": ["Bo Finch"], "include": ["primary_source"]}
    session.call("build_context", asked)
    (session.root / "Characters/Bo Finch.md").write_text("Bo Finch counts terns now.\n", "utf-8")
    session.call("sync", {})
    assert session.call("build_context", asked).as_text() == (
        "[Characters/Bo Finch.md:1]\nBo Finch counts terns now."
    )


def test_a_sync_by_another_process_is_noticed(synced: Synced, database: str) -> None:
    session = synced(KEEPERS)
    asked = {"entities": ["Bo Finch"], "include": ["primary_source"]}
    session.call("build_context", asked)
    (session.root / "Characters/Bo Finch.md").write_text("Bo Finch counts terns now.\n", "utf-8")
    with Session.open(session.root, database=database) as other:
        other.call("sync", {})
    assert "counts terns now" in session.call("build_context", asked).as_text()


def test_a_note_that_is_gone_is_not_shown_even_before_a_sync(synced: Synced) -> None:
    session = synced(KEEPERS)
    asked = {"entities": ["Ann Reed"]}
    assert "Notes/Plan.md" in session.call("build_context", asked).as_text()
    (session.root / "Notes/Plan.md").unlink()
    assert "Notes/Plan.md" not in session.call("build_context", asked).as_text()


def test_a_caller_cannot_spoil_what_is_kept(synced: Synced) -> None:
    builder = EntityContextBuilder(session=synced(KEEPERS))
    first, second = (builder.build_context("Ann Reed") for _ in range(2))
    expected = second.model_dump()
    for given in (first, second):
        given.chunks.clear()
        given.chunks_by_source.clear()
    assert builder.build_context("Ann Reed").model_dump() == expected
