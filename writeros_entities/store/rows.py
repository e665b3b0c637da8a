"""Plain helpers over tables: ids, batches, and the tables themselves without their models."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import func, select

from writeros_entities.store.tables import metadata

if TYPE_CHECKING:
    from sqlalchemy import Connection, Table

T = TypeVar("T")

BATCH = 500
"""Values in one IN list, rows in one look-up."""

IDS_PER_VAULT = 1 << 40
"""Every vault numbers its rows in a range of its own, so that ids are unique in a database."""

vault = metadata.tables["vault"]
note = metadata.tables["note"]
link = metadata.tables["link"]
chunk = metadata.tables["chunk"]
entity = metadata.tables["entity"]
alias = metadata.tables["alias"]
mention = metadata.tables["mention"]
proposal = metadata.tables["proposal"]


class IdSequence:
    """Gives out the next ids of a table, within one write transaction."""

    def __init__(self, connection: Connection, table: Table, vault_id: int) -> None:
        greatest = connection.scalar(
            select(func.max(table.c.id)).where(table.c.vault_id == vault_id)
        )
        self._next = (vault_id * IDS_PER_VAULT if greatest is None else greatest) + 1

    def take(self) -> int:
        """Return an id that no row has."""
        taken = self._next
        self._next += 1
        return taken


def batches(items: Iterable[T], size: int = BATCH) -> Iterator[Sequence[T]]:
    """Cut items into lists of at most `size`."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch
