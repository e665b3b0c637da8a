"""Vaults in the database, and what is known of one as a whole."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sqlalchemy import func, insert, select

from writeros_entities.errors import NotFoundError
from writeros_entities.names import fold_name, nearest_names
from writeros_entities.store import rows
from writeros_entities.store.locks import lock_schema
from writeros_entities.values import LARGEST_POSITION

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from writeros_entities.store.database import Database

_NUMBER = re.compile(r"^\d[\d.]*[\s\-–—_.:)]+")


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
    """Return the reading position that `as_of` means: a number, or a chapter's name or path.

    The number before a name may be left out, where only one chapter has that name. Raises
    NotFoundError, with the nearest chapters, for a name that no note of the manuscript has.
    """
    if as_of is None:
        return None
    if isinstance(as_of, int):
        return _within_reach(as_of)
    text = as_of.strip().removeprefix("[[").removesuffix("]]")
    try:
        return _within_reach(int(text))
    except ValueError:
        pass
    note = rows.note
    chapters = connection.execute(
        select(note.c.title, note.c.path, note.c.position).where(
            note.c.vault_id == vault_id, note.c.position.is_not(None)
        )
    ).all()
    wanted = fold_name(text)
    for chapter in chapters:
        if wanted in (fold_name(chapter.title), fold_name(chapter.path)):
            return int(chapter.position)
    unnumbered = [one for one in chapters if wanted == fold_name(without_number(one.title))]
    if len(unnumbered) == 1:
        return int(unnumbered[0].position)
    titles = [chapter.title for chapter in chapters]
    raise NotFoundError("reading position or chapter", as_of, nearest_names(text, titles))


def _within_reach(position: int) -> int:
    """Return the position, or the nearest that a database can hold: no chapter lies beyond."""
    return max(-LARGEST_POSITION, min(position, LARGEST_POSITION))


def without_number(title: str) -> str:
    """Return a chapter's title without the number before it: `07 - Gloves` is `Gloves`."""
    return _NUMBER.sub("", title)
