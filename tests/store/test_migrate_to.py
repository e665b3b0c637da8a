"""`migrate --to`: an index carried to another database, there and back."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.errors import BusyError, StoreError
from writeros_entities.session import Session
from writeros_entities.store import transfer
from writeros_entities.store.database import Database
from writeros_entities.store.lease import SECONDS, Lease
from writeros_entities.store.transfer import Place, copy_index

from ..conftest import FIXTURES, OpenVault
from ..databases import ENGINES, Databases
from ..sync.snapshot import check_full_text, take_snapshot
from .test_equal_answers import ask, questions

WriteVault = Callable[[dict[str, str]], Path]


@pytest.fixture(scope="module")
def other(databases: Databases, engines: Mapping[str, Databases]) -> Databases:
    """Give out databases of the engine that `database` is not of."""
    return next(engines[name] for name in ENGINES if name != databases.name)


@pytest.fixture(scope="module")
def carried(
    request: pytest.FixtureRequest, databases: Databases, other: Databases
) -> Iterator[tuple[dict[str, Any], Session]]:
    """Return what `migrate` said of carrying the novel, and the novel where it was carried to."""
    novel: Session = request.getfixturevalue(f"{databases.name}_novel")
    url = other.create()
    with Session.open(FIXTURES / "technical", database=url) as first:
        first.call("sync", {})  # so the novel gets another number there
    answer = novel.call("migrate", {"to": url}).model_dump()
    with Session.open(novel.root, database=url) as session:
        yield answer, session


def test_a_carried_index_has_the_same_rows_and_answers(
    novel: Session, carried: tuple[dict[str, Any], Session]
) -> None:
    answer, session = carried
    assert session.vault_id != novel.vault_id
    rows = {name: len(found) for name, found in take_snapshot(novel).items()}
    assert {name: answer["carried"]["rows"][name] for name in rows} == rows
    assert rows["mention"] > 500
    assert take_snapshot(session) == take_snapshot(novel)
    check_full_text(session)
    one_of_each = dict(questions("novel", None))
    for name, arguments in one_of_each.items():
        assert ask(session, name, arguments) == ask(novel, name, arguments), (name, arguments)


def test_the_next_sync_of_a_carried_index_has_nothing_to_do(
    carried: tuple[dict[str, Any], Session],
) -> None:
    _, session = carried
    before = session.call("status", {}).model_dump()["revision"]
    assert session.call("sync", {}).model_dump()["revision"] == before


def test_a_carried_index_goes_on_where_it_was(
    write_vault: WriteVault, open_vault: OpenVault, other: Databases
) -> None:
    root = write_vault({"Mara.md": "---\ntype: person\n---\nA smith.", "One.md": "Mara came."})
    url = other.create()
    open_vault(root).call("migrate", {"to": url})
    session = open_vault(root, database=url)
    (root / "Two.md").write_text("Mara went with [[Ilse]].", "utf-8")
    (root / "Mara.md").rename(root / "Mara Vane.md")
    session.call("sync", {})
    fresh = open_vault(root, database=other.create())
    fresh.call("sync", {})
    assert take_snapshot(session) == take_snapshot(fresh)


def test_nobody_else_writes_the_source_however_long_the_carrying_takes(
    write_vault: WriteVault,
    open_vault: OpenVault,
    other: Databases,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(transfer, "BATCH", 1)
    session = open_vault(write_vault({"Mara.md": "A smith.", "One.md": "[[Mara]] came."}))
    session.call("sync", {})
    target = Database(other.create())
    target.prepare()
    now = time.time()
    refused = 0

    class Slow:
        def update(self, stage: str, done: int, total: int | None) -> None:
            nonlocal now, refused
            now += SECONDS / 2
            another = Lease(session.vault_id, owner="elsewhere:1:0")
            with pytest.raises(BusyError), session.database.write() as connection:
                another.renew(connection, now)
            refused += 1

    counts = copy_index(
        Place(session.database, session.vault_id),
        target,
        str(session.root),
        replace=False,
        wait_seconds=0,
        progress=Slow(),
        clock=lambda: now,
    )
    target.close()
    assert refused == sum(counts.values()) > 5


def test_an_index_that_is_there_is_replaced_only_if_asked(
    write_vault: WriteVault, open_vault: OpenVault, other: Databases
) -> None:
    root = write_vault({"One.md": "The rain came."})
    session, url = open_vault(root), other.create()
    session.call("migrate", {"to": url})
    (root / "Two.md").write_text("The rain went.", "utf-8")
    with pytest.raises(StoreError, match=r"already has an index of this vault \(1 notes\)"):
        session.call("migrate", {"to": url})
    assert open_vault(root, database=url).call("status", {}).model_dump()["notes"] == {"note": 1}
    session.call("migrate", {"to": url, "replace": True})
    assert open_vault(root, database=url).call("status", {}).model_dump()["notes"] == {"note": 2}


def test_an_index_is_not_carried_to_where_it_is(
    write_vault: WriteVault, open_vault: OpenVault, database: str
) -> None:
    session = open_vault(write_vault({"One.md": "The rain came."}))
    with pytest.raises(StoreError, match="already holds the index"):
        session.call("migrate", {"to": database})


def test_carrying_tells_how_far_it_is(
    write_vault: WriteVault, open_vault: OpenVault, other: Databases
) -> None:
    heard: list[tuple[str, int, int | None]] = []

    class Listener:
        def update(self, stage: str, done: int, total: int | None) -> None:
            heard.append((stage, done, total))

    session = open_vault(write_vault({f"{number}.md": "Rain." for number in range(30)}))
    session.reporting(Listener()).call("migrate", {"to": other.create()})
    assert heard[-1] == ("copying rows", 90, 90)


def test_the_answer_says_where_to_go_on(
    write_vault: WriteVault, open_vault: OpenVault, other: Databases
) -> None:
    session = open_vault(write_vault({"One.md": "The rain came."}))
    answer = session.call("migrate", {"to": other.create()})
    assert "To use it, set `database` to its URL" in answer.as_text()
    json.dumps(answer.model_dump(mode="json"))
