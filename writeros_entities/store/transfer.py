"""Copy a vault's index from one database to another, of the same or another engine.

Everything is written in one transaction of the target, so that an interrupted copy leaves nothing.
Rows are read and written in batches, so that memory does not grow with the index. If the vault has
another number in the target, its ids are shifted to that vault's range, in the same order.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import BigInteger, delete, func, select, update

from writeros_entities.errors import StoreError
from writeros_entities.store import rows
from writeros_entities.store.engine import engine_of
from writeros_entities.store.lease import SECONDS, hold_lease
from writeros_entities.store.schema import metadata
from writeros_entities.store.vaults import register_vault

if TYPE_CHECKING:
    from sqlalchemy import Connection, Table

    from writeros_entities.progress import Progress
    from writeros_entities.store.database import Database
    from writeros_entities.store.rows import Row

BATCH = 1_000
"""Rows held in memory at once, with their texts and vectors."""

RENEWED_AFTER = SECONDS / 4
"""Seconds after which the source's lease is renewed."""

_OWN = ("id", "root", "lease_owner", "lease_expires")
"""Columns of a vault's row that belong to its database, and are not copied."""

_TABLES = [table for table in metadata.sorted_tables if table.name != "vault"]
"""The tables, each after those that it refers to."""

_STANDS_ON_NOTE = "note:"


@dataclass(frozen=True, slots=True)
class Place:
    """A vault in a database."""

    database: Database
    vault_id: int


def copy_index(
    source: Place,
    target: Database,
    root: str,
    *,
    replace: bool,
    wait_seconds: float,
    progress: Progress,
    clock: Callable[[], float] = time.time,
) -> Mapping[str, int]:
    """Copy a vault's index to a database with the schema; return the rows copied per table.

    Nothing is written to the source but its lease, which is renewed so that nobody else may write.
    Raises StoreError if the target is the source, if it has an index of this vault and `replace` is
    not given, or if the numbers of rows differ at the end; BusyError if another process is writing
    to either database.
    """
    if target.label == source.database.label:
        raise StoreError(f"{target.label} already holds the index; it cannot be copied to itself.")
    there = Place(target, register_vault(target, root))
    lease_of = partial(hold_lease, wait_seconds=wait_seconds, progress=progress, clock=clock)
    with (
        lease_of(source.database, source.vault_id) as source_lease,
        lease_of(target, there.vault_id) as lease,
        source.database.read() as reading,
        target.write() as writing,
    ):
        lease.renew(writing, clock())
        renewed = clock()
        _make_room(writing, there.vault_id, target.label, replace=replace)
        expected = _count(reading, source.vault_id)
        done, total = 0, sum(expected.values())
        for table in _TABLES:
            move = _mover(table, source.vault_id, there.vault_id)
            for batch in _read(reading, table, source.vault_id):
                moved = [move(row) for row in batch]
                engine_of(writing).insert_rows(writing, table, table.columns.keys(), moved)
                done += len(batch)
                if clock() - renewed >= RENEWED_AFTER:
                    with source.database.write() as connection:
                        source_lease.renew(connection, clock())
                    renewed = clock()
                progress.update("copying rows", done, total)
        _copy_state(reading, writing, source.vault_id, there.vault_id)
        found = _count(writing, there.vault_id)
        if found != expected:
            raise StoreError(f"The rows do not agree: {expected} left, {found} arrived.")
        engine_of(writing).refresh_statistics(writing)
    return found


def _make_room(writing: Connection, vault_id: int, label: str, *, replace: bool) -> None:
    held = _count(writing, vault_id)
    if any(held.values()) and not replace:
        raise StoreError(
            f"{label} already has an index of this vault ({held['note']:,} notes). To replace "
            "it, pass `replace`."
        )
    for table in reversed(_TABLES):
        writing.execute(delete(table).where(table.c.vault_id == vault_id))


def _count(connection: Connection, vault_id: int) -> dict[str, int]:
    return {
        table.name: connection.scalar(
            select(func.count()).select_from(table).where(table.c.vault_id == vault_id)
        )
        or 0
        for table in _TABLES
    }


def _read(reading: Connection, table: Table, vault_id: int) -> Iterator[Sequence[Row]]:
    statement = select(table).where(table.c.vault_id == vault_id).order_by(*table.primary_key)
    result = reading.execution_options(yield_per=BATCH).execute(statement)
    yield from result.partitions()


def _mover(table: Table, here: int, there: int) -> Callable[[Row], tuple[object, ...]]:
    """Return a function that converts a row of a table to its ids in the target database."""
    columns = table.columns.keys()
    vault = columns.index("vault_id")
    distance = (there - here) * rows.IDS_PER_VAULT
    ids = [place for place, column in enumerate(table.columns) if _is_id(column)]
    subject = columns.index("subject") if "subject" in columns else None

    def move(row: Row) -> tuple[object, ...]:
        values = list(row)
        values[vault] = there
        for place in ids:
            if values[place] is not None:
                values[place] += distance
        if subject is not None and values[subject].startswith(_STANDS_ON_NOTE):
            note_id = int(values[subject].removeprefix(_STANDS_ON_NOTE)) + distance
            values[subject] = f"{_STANDS_ON_NOTE}{note_id}"
        return tuple(values)

    return move if distance else tuple


def _is_id(column: Any) -> bool:
    is_named = column.name == "id" or column.name.endswith("_id")
    return is_named and isinstance(column.type, BigInteger)


def _copy_state(reading: Connection, writing: Connection, here: int, there: int) -> None:
    columns = [column for column in rows.vault.c if column.name not in _OWN]
    state = reading.execute(select(*columns).where(rows.vault.c.id == here)).one()
    writing.execute(update(rows.vault).where(rows.vault.c.id == there).values(dict(state._mapping)))
