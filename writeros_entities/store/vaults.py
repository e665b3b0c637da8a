"""Registering vaults in the database, and opening a view at a position or chapter."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import func, insert, select, update

from writeros_entities.errors import NotFoundError, UnreadError
from writeros_entities.store import rows
from writeros_entities.store.chapters import PlaceOf, end_of_chapter
from writeros_entities.store.engine import engine_of
from writeros_entities.store.view import StoredView
from writeros_entities.values import LARGEST_POSITION
from writeros_entities.vault.order.chapters import without_link

if TYPE_CHECKING:
    from writeros_entities.store.database import Database

ViewT = TypeVar("ViewT", bound=StoredView)

NO_ORDER = (
    "No note of this vault has a place in reading order. Number the chapters, in their properties "
    "(`chapter: 7`) or in their names (`07 - Fog.md`), list them in a Longform project, or link "
    'each to the next (`next: "[[Fog]]"`); of a campaign, number or date the sessions '
    "(`Session 7.md`). Chapters that are headings in one note need a note each. Then sync."
)
"""The message for a question as of a position in a vault without a reading order."""

_UNREAD = "The vault has not been read yet. Run sync first, then ask again."
_HALF_READ = (
    "The first sync of the vault, or a rebuild, is running or was interrupted, so the index is not "
    "complete. Wait for it, or run sync, then ask again."
)


def register_vault(database: Database, root: str) -> int:
    """Return the id of the vault at a root path, registering it if it is new."""
    vault = rows.vault
    known = select(vault.c.id).where(vault.c.root == root)
    with database.read() as connection:
        found = connection.scalar(known)
    if found is not None:
        return int(found)
    with database.write() as connection:
        engine_of(connection).lock_schema(connection)
        found = connection.scalar(known)
        if found is None:
            last = connection.scalar(select(func.max(vault.c.id)))
            found = 0 if last is None else last + 1
            connection.execute(
                insert(vault).values(
                    id=found,
                    root=root,
                    revision=0,
                    unfinished=False,
                    lexicon_identity="",
                    vector_revision=0,
                    embedded="",
                    fitting_model="",
                )
            )
        return int(found)


def put_off(database: Database, vault_id: int, question: str) -> None:
    """Remember that the writer wants to be asked a question later, after those put off before."""
    vault = rows.vault
    with database.write() as connection:
        own = vault.c.id == vault_id
        known = connection.scalar(select(vault.c.put_off).where(own)) or []
        later = [*(one for one in known if one != question), question]
        connection.execute(update(vault).where(own).values(put_off=later))


def fitting_model(database: Database, vault_id: int) -> str:
    """Return the name of the embedding model that fits the vault's language; "" if nobody knows."""
    vault = rows.vault
    with database.read() as connection:
        own = select(vault.c.fitting_model).where(vault.c.id == vault_id)
        return str(connection.scalar(own))


def keep_fitting_model(database: Database, vault_id: int, name: str) -> None:
    """Record which embedding model fits the vault's language."""
    vault = rows.vault
    with database.write() as connection:
        connection.execute(update(vault).where(vault.c.id == vault_id).values(fitting_model=name))


def vault_row(view: StoredView) -> Any:
    """Return the row of the vault itself."""
    return view.one(select(rows.vault).where(rows.vault.c.id == view.vault_id))


def view_as_of(
    whole: ViewT, as_of: int | str | None, place_of: PlaceOf, *, may_be_unread: bool = False
) -> ViewT:
    """Return a view limited to `as_of`, a reading position or a chapter's name or number.

    Raises UnreadError if no sync of the vault has ever finished, unless `may_be_unread`;
    NotFoundError if no note of the manuscript has that name, with the nearest chapters, or if the
    vault has no reading order; AmbiguousNameError if chapters of that name have different
    positions.
    """
    position = None if as_of is None else as_number(as_of)
    view = whole if as_of is None else replace(whole, as_of=position or 0)
    if view.is_unread and not may_be_unread:
        raise UnreadError(_HALF_READ if view.is_unfinished else _UNREAD)
    if as_of is None:
        return view
    if view.lacks_order:
        raise NotFoundError("chapter", str(as_of), reason=NO_ORDER)
    if position is not None:
        return view
    return replace(view, as_of=end_of_chapter(whole, str(as_of), place_of))


def as_number(as_of: int | str) -> int | None:
    """Return a position given as a number, or None for a chapter's name.

    A number that no database integer can hold becomes the nearest one: no chapter lies beyond.
    """
    try:
        position = int(without_link(str(as_of)))
    except ValueError:
        return None
    return max(-LARGEST_POSITION, min(position, LARGEST_POSITION))
