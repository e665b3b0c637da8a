"""Vectors on both engines: the same chunks, with the same scores, in the same order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
import pytest
from sqlalchemy import event, select, text

from writeros_entities.session import Session
from writeros_entities.store import rows
from writeros_entities.store.chunks import visible_chunks
from writeros_entities.store.engine import engine_of
from writeros_entities.store.engines.postgres import vectors as postgres
from writeros_entities.store.view import StoredView

from ..conftest import FIXTURES
from ..databases import Databases
from .conftest import Twins

MODEL = "o'model:1%"
OTHER = "other"
SAME = "same"
"""A model that has one vector for all texts."""


def unit(seed: int, length: int = 24) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    vector = np.random.default_rng(seed).normal(size=length).astype(np.float32)
    scaled: np.ndarray[tuple[int], np.dtype[np.float32]] = vector / np.linalg.norm(vector)
    return scaled


@pytest.fixture(scope="module")
def embedded(engines: Mapping[str, Databases]) -> Iterator[Twins]:
    """Return the novel on both engines, with vectors made up for all chunks but one."""
    sessions = []
    for name in ("sqlite", "postgresql"):
        session = Session.open(FIXTURES / "novel", database=engines[name].create())
        session.call("sync", {})
        with session.database.write() as connection:
            hashes = sorted(set(connection.scalars(select(rows.chunk.c.content_hash))))
            kept = [
                (session.vault_id, model, content_hash, unit(seed * step + len(model), length))
                for model, length, step in ((MODEL, 24, 1), (OTHER, 8, 1), (SAME, 8, 0))
                for seed, content_hash in enumerate(hashes[1:])
            ]
            columns = ("vault_id", "model", "content_hash", "vector")
            engine_of(connection).insert_rows(connection, rows.embedding, columns, kept)
        sessions.append(session)
    yield Twins("novel", *sessions)
    for session in sessions:
        session.close()


def test_of_more_chunks_at_one_distance_than_are_asked_for_the_first_are_given(
    embedded: Twins, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "_has_asked_before", lambda view, model: False)
    for session in (embedded.sqlite, embedded.postgresql):
        with session.view() as view:
            chunks = visible_chunks(view)
            nearest = partial(view.engine.vectors.nearest_chunks, view, SAME, unit(1, 8))
            every = nearest(len(chunks)).chunk_ids
            assert len(every) > 50
            assert np.array_equal(every, chunks.ids[np.isin(chunks.ids, every)])
            assert np.array_equal(nearest(5).chunk_ids, every[:5])


@pytest.mark.parametrize("as_of", [None, 4])
@pytest.mark.parametrize("by", ["server", "memory", "index"])
def test_the_nearest_chunks_are_the_same(
    embedded: Twins, as_of: int | None, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if by == "server":
        monkeypatch.setattr(postgres, "_has_asked_before", lambda view, model: False)
    if by == "index":
        monkeypatch.setattr(postgres, "MANY", 5)
        with embedded.postgresql.database.write() as connection:
            engine_of(connection).vectors.index_vectors(connection, MODEL)
            connection.execute(text("ANALYZE embedding"))
    with embedded.sqlite.view(as_of) as here, embedded.postgresql.view(as_of) as there:
        if by == "index":
            there.connection.execute(text("SET LOCAL enable_sort = off"))
        assert (
            there.engine.vectors.count_chunks_with_vectors(there, MODEL)
            == here.engine.vectors.count_chunks_with_vectors(here, MODEL)
            > 5
        )
        notes = [row.id for row in here.all(select(here.note.c.id))][::2]
        for seed in range(500, 520):
            for limit, among in ((1, None), (10, None), (1_000, None), (5, notes), (5, [])):
                one = here.engine.vectors.nearest_chunks(here, MODEL, unit(seed), limit, among)
                other = there.engine.vectors.nearest_chunks(there, MODEL, unit(seed), limit, among)
                assert other.chunk_ids.tolist() == one.chunk_ids.tolist()
                assert other.cosines.tolist() == pytest.approx(one.cosines.tolist(), abs=1e-6)


@pytest.mark.parametrize("as_of", [None, 4])
def test_only_the_first_question_of_a_reader_is_left_to_the_server(
    embedded: Twins, as_of: int | None
) -> None:
    compared: list[bool] = []

    def look(connection: object, cursor: object, statement: str, *more: object) -> None:
        compared.append("<=>" in statement)

    with embedded.postgresql.view(as_of) as shared:
        view = StoredView(shared.connection, shared.vault_id, as_of)
        event.listen(view.connection, "before_cursor_execute", look)
        answers = []
        for _ in range(3):
            compared.clear()
            found = view.engine.vectors.nearest_chunks(view, MODEL, unit(3), 10)
            cosines = view.engine.vectors.chunk_cosines(
                view, MODEL, unit(3), found.chunk_ids.tolist()
            )
            answers.append((sum(compared), cosines))
    assert [number for number, _ in answers] == [1, 0, 0]
    assert answers[0][1] == answers[1][1] == answers[2][1]
    assert len(answers[0][1]) == 10


def explained(connection: object, cursor: object, statement: str, *more: Any) -> tuple[str, Any]:
    return f"EXPLAIN {statement}", more[0]


def test_the_index_over_vectors_is_used(embedded: Twins, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "MANY", 10)
    with embedded.postgresql.database.write() as connection:
        engine_of(connection).vectors.index_vectors(connection, MODEL)
        assert not engine_of(connection).vectors.index_vectors(connection, MODEL)
    with embedded.postgresql.view() as view:
        view.connection.execute(text("SET LOCAL enable_sort = off"))
        event.listen(view.connection, "before_cursor_execute", explained, retval=True)
        statement = postgres._nearest(24, in_notes=False)(view)
        plan = view.scalars(statement, model=MODEL, query=unit(1), most=5)
        assert postgres._index_name(MODEL) in "\n".join(plan)
