"""Vaults in the database, and what is known of one as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, insert, select

from writeros_entities.errors import AmbiguousNameError, NotFoundError
from writeros_entities.names import nearest_names
from writeros_entities.store import rows
from writeros_entities.store.locks import lock_schema
from writeros_entities.values import LARGEST_POSITION
from writeros_entities.vault.chapters import Chapters, without_link

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from writeros_entities.store.database import Database


def register_vault(database: Database, root: str) -> int:
    """Return the id of the vault at a root, giving it one if it is new."""
    vault = rows.vault
    known = select(vault.c.id).where(vault.c.root == root)
    with database.read() as connection:
        found = connection.scalar(known)
    if found is not None:
        return int(found)
    with database.write() as connection:
        lock_schema(connection)
        found = connection.scalar(known)
        if found is None:
            found = (connection.scalar(select(func.max(vault.c.id))) or 0) + 1
            connection.execute(
                insert(vault).values(
                    id=found,
                    root=root,
                    revision=0,
                    unfinished=False,
                    lexicon_identity="",
                    vector_revision=0,
                    embedded="",
                )
            )
        return int(found)


def find_position(connection: Connection, vault_id: int, as_of: int | str | None) -> int | None:
    """Return the reading position that `as_of` means: a number, or a chapter (see `Chapters`).

    Raises NotFoundError, with the nearest chapters, for a name that no note of the manuscript has,
    and AmbiguousNameError where those of that name stand at several positions.
    """
    if as_of is None:
        return None
    if isinstance(as_of, int):
        return _within_reach(as_of)
    try:
        return _within_reach(int(without_link(as_of)))
    except ValueError:
        pass
    note = rows.note
    statement = select(note.c.path, note.c.title, note.c.position)
    found = connection.execute(
        statement.where(note.c.vault_id == vault_id, note.c.position.is_not(None))
    ).all()
    meant = Chapters({row.path: row.position for row in found}).meant(as_of)
    if not meant:
        nearest = nearest_names(without_link(as_of), [row.title for row in found])
        raise NotFoundError("reading position or chapter", as_of, nearest)
    if len(set(meant.values())) > 1:
        raise AmbiguousNameError(as_of, sorted(meant), kind="chapters", by="path")
    return next(iter(meant.values()))


def _within_reach(position: int) -> int:
    """Return the position, or the nearest that a database can hold: no chapter lies beyond."""
    return max(-LARGEST_POSITION, min(position, LARGEST_POSITION))
