"""The tests that every engine passes, for authors of engines: see `docs/engine-author.md`.

    pytest.register_assert_rewrite("writeros_entities.testing.engines")

    from writeros_entities.testing.engines import EngineContract

    class TestMyEngine(EngineContract):
        @pytest.fixture
        def url(self, tmp_path):
            return f"mine:///{tmp_path / 'index'}"

`url` is the URL of a new database for each test, empty or with the schema.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    MetaData,
    Table,
    Text,
    delete,
    func,
    select,
    text,
    update,
)

from writeros_entities.errors import BusyError, LimitError
from writeros_entities.session import Session
from writeros_entities.store import rows
from writeros_entities.store.columns import Json, VectorColumn, is_one_of
from writeros_entities.store.database import Database
from writeros_entities.store.engine import engine_of
from writeros_entities.store.full_text import entities_containing, notes_containing
from writeros_entities.store.interruption import InterruptedCallError, Interruption
from writeros_entities.store.lease import hold_lease
from writeros_entities.store.postings import find_named_notes, find_postings
from writeros_entities.store.vaults import register_vault
from writeros_entities.store.words import Term

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from writeros_entities.arrays import Vector
    from writeros_entities.store.view import StoredView
    from writeros_entities.values import JSON

ILSE, MARA = "Cast/Ilse.md", "Cast/Mara Vane.md"
FORD, MILL = "Manuscript/01 - The ford.md", "Manuscript/02 - The mill.md"

VAULT = {
    ILSE: '---\ntype: person\nsister: "[[Mara Vane]]"\n---\nShe keeps the mill.\n',
    MARA: "---\ntype: person\naliases: [Captain]\nzeal: great\nage: 40\n---\nA smith.\n",
    FORD: ("# The ford\n\nMara Vane came to the ford. 林月製圖 hung in the café by the ford.\n"),
    MILL: "# The mill\n\nThe Captain met Ilse at the mill, far from the café.\n",
}
"""A vault of six chunks: of each person one of properties and one of prose, and two chapters."""

ENDLESS = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


class _Thing(NamedTuple):
    """A row of `THINGS`, in part."""

    id: int
    name: str | None
    kept: dict[str, JSON] | None


THINGS = Table(
    "contract_thing",
    MetaData(),
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", Text),
    Column("share", Float),
    Column("is_told", Boolean),
    Column("kept", Json),
    Column("vector", VectorColumn),
)
"""A table with a column of each type that the store uses."""

MODEL = "a 'model': 100%"


class EngineContract:
    """What an engine owes to all that stands above it; subclass it, and give a fixture `url`."""

    # -- Schema and transactions -------------------------------------------------------------------

    def test_an_empty_database_gets_its_schema_and_keeps_it(self, url: str) -> None:
        with _opened(url) as first, _opened(url) as second:
            assert first.revision() == second.revision() is not None
            assert second.migrate() == first.revision()

    def test_a_transaction_that_fails_leaves_nothing(self, url: str) -> None:
        with _opened(url) as database:
            vault_id = register_vault(database, "/novel")
            with suppress(KeyError), database.write() as connection:
                _set_revision(connection, vault_id, 7)
                raise KeyError
            assert _revision(database, vault_id) == 0

    def test_a_reader_sees_one_state_and_waits_for_no_writer(self, url: str) -> None:
        with _opened(url) as database:
            vault_id = register_vault(database, "/novel")
            revision = select(rows.vault.c.revision).where(rows.vault.c.id == vault_id)
            with database.read() as before:
                assert before.scalar(revision) == 0
                with database.write() as connection:
                    _set_revision(connection, vault_id, 7)
                    assert before.scalar(revision) == 0
                    with database.read() as meanwhile:
                        assert meanwhile.scalar(revision) == 0
                assert before.scalar(revision) == 0
            assert _revision(database, vault_id) == 7

    def test_of_many_writers_of_a_vault_one_has_the_lease(self, url: str) -> None:
        with _opened(url) as database:
            vault_id = register_vault(database, "/novel")
        holders: list[int] = []
        most: list[int] = []
        refused: list[BusyError] = []
        begin = threading.Barrier(4)

        def write(number: int) -> None:
            with _opened(url) as database:
                begin.wait()
                with hold_lease(database, vault_id, wait_seconds=60):
                    holders.append(number)
                    most.append(len(holders))
                    time.sleep(0.02)
                    holders.remove(number)

        threads = [threading.Thread(target=write, args=[number]) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert most == [1] * 4
        with _opened(url) as one, _opened(url) as other, hold_lease(one, vault_id):
            try:
                with hold_lease(other, vault_id):
                    pass
            except BusyError as error:
                refused.append(error)
        assert len(refused) == 1

    # -- Rows --------------------------------------------------------------------------------------

    def test_rows_come_back_as_they_were_written(self, url: str) -> None:
        written = [
            (1 << 60, "Zoë's 100% :a ? \\ 林月 🐉", 0.1, True, {"zeal": 1, "age": [None]}, None),
            (2, "", None, False, {"": {"b": "é", "a": 0.5}}, [0.6, 0.8]),
            (3, None, -1.5, None, None, [1.0]),
        ]
        with _things(url) as connection:
            values = [
                (*row[:5], None if row[5] is None else np.array(row[5], np.float32))
                for row in written
            ]
            engine_of(connection).insert_rows(connection, THINGS, THINGS.columns.keys(), values)
            found = [_plain(row) for row in connection.execute(select(THINGS))]
            assert sorted(found, key=repr) == sorted(written, key=repr)
            kept = next(row[4] for row in found if row[0] == 1 << 60)
            assert list(kept) == ["zeal", "age"]  # the order in which they were written

    def test_many_rows_can_be_written_by_one_statement(self, url: str) -> None:
        numbers = [(number, str(number), {"at": number}) for number in range(1_000)]
        with _things(url) as connection:
            engine_of(connection).insert_rows(
                connection, THINGS, ("id", "name", "kept"), numbers, together=50
            )
            engine_of(connection).insert_rows(
                connection, THINGS, ("id", "name", "kept"), [], together=50
            )
            found = connection.execute(
                select(THINGS.c.id, THINGS.c.name, THINGS.c.kept).order_by(THINGS.c.id)
            ).all()
            assert [tuple(row) for row in found] == numbers

    def test_rows_are_changed_by_their_key(self, url: str) -> None:
        with _things(url) as connection:
            begin = [(number, "before", {"at": number}) for number in range(3)]
            engine_of(connection).insert_rows(connection, THINGS, ("id", "name", "kept"), begin)
            changes = [
                _Thing(1, "after", {"z": 1, "a": 2}),
                *(_Thing(2, None, None), _Thing(9, "nobody", None)),
            ]
            rows.update(connection, THINGS, changes, by=("id",))
            found = connection.execute(
                select(THINGS.c.name, THINGS.c.kept).order_by(THINGS.c.id)
            ).all()
            assert [tuple(row) for row in found] == [
                ("before", {"at": 0}),
                ("after", {"z": 1, "a": 2}),
                (None, None),
            ]

    def test_a_row_is_found_by_one_of_any_number_of_values(self, url: str) -> None:
        names = ["it's", "100%", "林月", '"']
        with _things(url) as connection:
            values = [(number, name) for number, name in enumerate(names)]
            engine_of(connection).insert_rows(connection, THINGS, ("id", "name"), values)
            by_name = select(THINGS.c.id).where(is_one_of(THINGS.c.name, "names"))
            by_id = select(THINGS.c.id).where(is_one_of(THINGS.c.id, "ids"))
            for wanted in ([], ["nobody"], names[1:3], {"it's"}):
                found = set(connection.scalars(by_name, {"names": wanted}))
                assert found == {at for at, name in enumerate(names) if name in wanted}
            many = [*range(2, 50_000), 1 << 60]
            assert set(connection.scalars(by_id, {"ids": many})) == {2, 3}

    def test_text_is_sorted_by_code_points(self, url: str) -> None:
        with _opened(url) as database:
            for root in ("/ab", "/a b", "/Zoo", "/é", "/a-c", "/_"):
                register_vault(database, root)
            with database.read() as connection:
                found = list(connection.scalars(select(rows.vault.c.root).order_by("root")))
        assert found == ["/Zoo", "/_", "/a b", "/a-c", "/ab", "/é"]

    def test_what_belongs_to_a_vault_goes_with_it(self, url: str, tmp_path: Path) -> None:
        with _synced(url, tmp_path) as session, session.database.write() as connection:
            tables = (rows.note, rows.chunk, rows.entity, rows.mention, rows.link)
            counts = [select(func.count()).select_from(table) for table in tables]
            assert all(connection.scalar(count) for count in counts)
            connection.execute(delete(rows.vault).where(rows.vault.c.id == session.vault_id))
            assert not any(connection.scalar(count) for count in counts)

    # -- Limits ------------------------------------------------------------------------------------

    def test_a_query_that_takes_too_long_is_ended_and_the_next_one_answered(self, url: str) -> None:
        with _opened(url):
            pass
        with _opened(url, statement_seconds=0.2) as database:
            ended = False
            try:
                with database.read() as connection:
                    connection.execute(text(ENDLESS))
            except LimitError:
                ended = True
            assert ended
            assert database.revision() is not None

    def test_a_query_can_be_ended_by_another_thread(self, url: str) -> None:
        with _opened(url) as database:
            interruption = Interruption()
            threading.Timer(0.2, interruption.set).start()
            ended = False
            try:
                with database.read(interruption) as connection:
                    connection.execute(text(ENDLESS))
            except InterruptedCallError:
                ended = True
            assert ended
            assert database.revision() is not None

    # -- Care --------------------------------------------------------------------------------------

    def test_a_sound_index_has_no_faults(self, url: str, tmp_path: Path) -> None:
        with _synced(url, tmp_path) as session:
            database = session.database
            with database.write() as connection:
                database.engine.refresh_statistics(connection)
            database.settle()
            with database.read() as connection:
                assert database.engine.find_faults(connection) == []
            size = database.size_in_bytes()
            assert size is None or size > 10_000
            assert database.identity == database.identity
            assert "://" in database.label

    # -- Full text ---------------------------------------------------------------------------------

    def test_notes_are_found_by_their_words(self, url: str, tmp_path: Path) -> None:
        with _synced(url, tmp_path) as session, session.view() as view:

            def notes(*forms: str) -> set[str]:
                found = notes_containing(view.index, forms)
                return {path for note, path in _paths(view).items() if note in found}

            assert notes("ford") == {FORD}
            assert notes("Ford MARA") == {FORD}  # in any order
            assert notes("capt", "keeps") == {ILSE, MILL}  # a beginning; one of several forms
            assert notes("cafe") == {FORD, MILL}
            assert notes("月製") == {FORD}
            assert notes("ford captain", "nobody") == set()
            assert notes(*(f"nobody{number}" for number in range(500)), "ilse met") == {MILL}

    def test_entities_are_found_by_the_words_of_all_their_names(
        self, url: str, tmp_path: Path
    ) -> None:
        with _synced(url, tmp_path) as session, session.view() as view:
            names = {row.id: row.name for row in view.all(select(view.entity))}

            def entities(*forms: str) -> set[str]:
                found = entities_containing(view.index, forms)
                return {names[one] for one in found}

            assert entities("captain vane") == {"Mara Vane"}
            assert entities("ilse", "mara") == {"Ilse", "Mara Vane"}
            assert entities("ilse vane", "capt") == set()

    def test_words_are_counted_in_texts_and_headings(self, url: str, tmp_path: Path) -> None:
        with _synced(url, tmp_path) as session, session.view() as view:

            def counts(term: Term) -> dict[str, tuple[int, int]]:
                [found] = find_postings(view, [term])
                columns = (found.chunk_ids, found.in_text, found.in_heading)
                assert found.chunk_ids.tolist() == sorted(found.chunk_ids.tolist())
                paths = _chunk_paths(view)
                return {paths[chunk]: (a, b) for chunk, a, b in zip(*_lists(columns), strict=True)}

            assert counts(Term((("ford",),))) == {FORD: (3, 1)}
            assert counts(Term((("for",),), is_beginning=True)) == {FORD: (3, 1)}
            assert counts(Term((("hung",), ("came",)))) == {FORD: (2, 0)}
            assert counts(Term((("by", "the", "ford"),))) == {FORD: (1, 0)}
            assert counts(Term((("ford", "the"),))) == {}
            assert counts(Term((("cafe",),))) == {FORD: (1, 0), MILL: (1, 0)}
            assert counts(Term(piece="月製")) == {FORD: (1, 0)}
            assert counts(Term((("nobody",),))) == {}

    def test_notes_are_found_by_title_and_by_name(self, url: str, tmp_path: Path) -> None:
        terms = [Term((("captain",),)), Term((("vane",),)), Term(((("mill"),),)), Term(piece="ill")]
        with _synced(url, tmp_path) as session, session.view() as view:
            paths = _paths(view)
            found = [[paths[note] for note in ids] for ids in _lists(find_named_notes(view, terms))]
        assert found == [[MARA], [MARA], [MILL], [MILL]]

    def test_the_words_of_a_row_change_with_it(self, url: str, tmp_path: Path) -> None:
        with _synced(url, tmp_path) as session:
            (session.root / FORD).write_text("# The ferry\n\nNobody came.\n", "utf-8")
            (session.root / ILSE).unlink()
            session.call("sync", {})
            with session.view() as view:
                for word, expected in (("ford", set()), ("ferry", {FORD}), ("keeps", set())):
                    found = notes_containing(view.index, [word])
                    assert {_paths(view)[note] for note in found} == expected
                assert entities_containing(view.index, ["ilse"]) == set()

    # -- Vectors -----------------------------------------------------------------------------------

    def test_the_nearest_texts_come_first(self, url: str, tmp_path: Path) -> None:
        with _embedded(url, tmp_path) as session:
            query = np.array([1, 0], np.float32)
            for as_of, expected in (
                (None, [(ILSE, 1.0), (FORD, 0.6), (MILL, 0.6), (MARA, -1.0)]),
                (1, [(FORD, 0.6)]),
            ):
                with session.view(as_of) as view:
                    vectors, paths = view.engine.vectors, _chunk_paths(view)
                    for limit in (0, 1, 10):
                        near = vectors.nearest_chunks(view, MODEL, query, limit)
                        found = zip(*_lists((near.chunk_ids, near.cosines)), strict=True)
                        # Ties come in reading order.
                        ranked = [(paths[chunk], cosine) for chunk, cosine in found]
                        assert ranked == sorted(expected, key=_by_cosine)[:limit]
                    notes = [note for note, path in _paths(view).items() if path in (MARA, FORD)]
                    near = vectors.nearest_chunks(view, MODEL, query, 1, notes)
                    assert [paths[chunk] for chunk in near.chunk_ids.tolist()] == [FORD]
                    assert vectors.count_chunks_with_vectors(view, MODEL) == len(expected)
                    other = vectors.nearest_chunks(view, "another", query, 10)
                    assert other.chunk_ids.tolist() == []

    def test_vectors_come_back_as_they_were_written(self, url: str, tmp_path: Path) -> None:
        with _embedded(url, tmp_path) as session, session.view() as view:
            vectors, paths = view.engine.vectors, _chunk_paths(view)
            cosines = vectors.chunk_cosines(view, MODEL, np.array([0, 1], np.float32), list(paths))
            found = {paths[chunk]: cosine for chunk, cosine in cosines.items()}
            assert found == {ILSE: 0.0, FORD: 0.8, MILL: -0.8, MARA: 0.0}
            by_hash = dict(_hashes(view))
            loaded = vectors.load_vectors(view, MODEL, [*by_hash, "0" * 24])
            found_vectors = {by_hash[name]: vector.tolist() for name, vector in loaded.items()}
            assert found_vectors == {path: vector.tolist() for path, vector in _VECTORS.items()}
            assert vectors.load_vectors(view, "another", list(by_hash)) == {}

    def test_an_index_over_vectors_is_built_once(self, url: str, tmp_path: Path) -> None:
        with _embedded(url, tmp_path) as session, session.database.write() as connection:
            vectors = session.database.engine.vectors
            vectors.index_vectors(connection, MODEL)
            assert vectors.index_vectors(connection, MODEL) is False

    # -- A vault -----------------------------------------------------------------------------------

    def test_a_vault_is_read_and_asked(self, url: str, tmp_path: Path) -> None:
        with _synced(url, tmp_path) as session:

            def ask(name: str, **arguments: object) -> Any:
                return session.call(name, arguments).model_dump(mode="json")

            def people(**arguments: object) -> list[tuple[str, int]]:
                listed = ask("list_entities", **arguments)["entities"]
                return [(one["name"], one["mention_count"]) for one in listed]

            assert people() == [("Mara Vane", 2), ("Ilse", 1)]
            assert people(as_of=1) == [("Mara Vane", 1)]
            mentions = ask("find_mentions", entity="Mara Vane")["mentions"]
            assert [(one["path"], one["line"], one["surface"]) for one in mentions] == [
                (FORD, 3, "Mara Vane"),
                (MILL, 3, "Captain"),
            ]
            found = ask("search", query='"by the ford"', mode="text")["passages"]
            assert [one["path"] for one in found] == [FORD]
            properties = ask("get_entity", entity="Mara Vane")["entity"]["properties"]
            assert list(properties.items()) == [("zeal", "great"), ("age", 40)]
            assert ask("doctor")["errors"] == 0
            assert ask("sync")["changed"] == 0


# -- What the tests stand on -----------------------------------------------------------------------

_VECTORS: dict[str, Vector] = {
    ILSE: np.array([1, 0], np.float32),
    FORD: np.array([0.6, 0.8], np.float32),
    MILL: np.array([0.6, -0.8], np.float32),
    MARA: np.array([-1, 0], np.float32),
}
"""The vector of the last chunk of each note."""


@contextmanager
def _opened(url: str, statement_seconds: float = 0) -> Iterator[Database]:
    database = Database(url, statement_seconds)
    try:
        database.prepare()
        yield database
    finally:
        database.close()


@contextmanager
def _things(url: str) -> Iterator[Connection]:
    """Give a write transaction with the empty table `THINGS`, which goes at its end."""
    with _opened(url) as database, database.write() as connection:
        THINGS.create(connection)
        yield connection
        THINGS.drop(connection)


@contextmanager
def _synced(url: str, folder: Path) -> Iterator[Session]:
    root = folder / "vault"
    for path, written in VAULT.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(written, "utf-8")
    with Session.open(root, database=url, embedding_model="", learn_relations=False) as session:
        session.call("sync", {})
        yield session


@contextmanager
def _embedded(url: str, folder: Path) -> Iterator[Session]:
    with _synced(url, folder) as session:
        with session.view() as view:
            hashes = _hashes(view)
        values = [(session.vault_id, MODEL, name, _VECTORS[path]) for name, path in hashes]
        with session.database.write() as connection:
            columns = ("vault_id", "model", "content_hash", "vector")
            engine_of(connection).insert_rows(connection, rows.embedding, columns, values)
        yield session


def _set_revision(connection: Connection, vault_id: int, revision: int) -> None:
    vault = rows.vault
    connection.execute(update(vault).where(vault.c.id == vault_id).values(revision=revision))


def _revision(database: Database, vault_id: int) -> int | None:
    with database.read() as connection:
        return connection.scalar(select(rows.vault.c.revision).where(rows.vault.c.id == vault_id))


def _plain(row: Any) -> tuple[Any, ...]:
    *others, vector = row
    if vector is None:
        return tuple(row)
    assert vector.dtype == np.float32
    return (*others, [round(float(number), 6) for number in vector])


def _paths(view: StoredView) -> dict[int, str]:
    return {row.id: row.path for row in view.all(select(view.note.c.id, view.note.c.path))}


def _chunk_paths(view: StoredView) -> dict[int, str]:
    paths = _paths(view)
    found = view.all(select(view.chunk.c.id, view.chunk.c.note_id))
    return {row.id: paths[row.note_id] for row in found}


def _hashes(view: StoredView) -> list[tuple[str, str]]:
    """Return the content hash of the last chunk of each note, with the note's path."""
    note, chunk = view.note, view.chunk
    statement = (
        select(chunk.c.content_hash, note.c.path)
        .join(note, note.c.id == chunk.c.note_id)
        .order_by(note.c.path, chunk.c.start)
    )
    last = {row.path: row.content_hash for row in view.all(statement)}
    return [(name, path) for path, name in last.items()]


def _lists(arrays: Any) -> list[list[Any]]:
    return [array.tolist() for array in arrays]


def _by_cosine(ranked: tuple[str, float]) -> tuple[float, bool, str]:
    """Sort by cosine, then in reading order: chapters before other notes."""
    path, cosine = ranked
    return -cosine, not path.startswith("Manuscript"), path
