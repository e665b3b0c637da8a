"""The files of a vault as the index has them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from writeros_entities.store import rows
from writeros_entities.store.folders import is_at
from writeros_entities.sync.plan import KnownFile

BATCH = 500
"""Files that are read together."""

if TYPE_CHECKING:
    from sqlalchemy import Connection


_FILES = rows.select_as(KnownFile, rows.note)


def read_known_files(
    connection: Connection,
    vault_id: int,
    paths: Sequence[str] | None = None,
    pause: Callable[[], None] = lambda: None,
) -> list[KnownFile]:
    """Return the files in the index: all, or those at or below the given paths.

    `pause` is called after every few hundred of them.
    """
    own = {"vault": vault_id}
    if paths is None:
        all_known: list[KnownFile] = []
        for part in connection.execute(_FILES, own).partitions(BATCH):
            all_known += [KnownFile(*row) for row in part]
            pause()
        return all_known
    found = {}
    for path in paths:
        for row in connection.execute(_FILES.where(is_at(rows.note.c.path, path)), own):
            found[row.path] = KnownFile(*row)
    return list(found.values())
