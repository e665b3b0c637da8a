"""What may be read: one vault, as of one reading position. This is the only place that says so.

A `View` offers every table as a selectable that already holds the two conditions; whoever reads
through it cannot forget them.

    view = View(connection, vault_id, as_of=7)
    connection.execute(select(view.mention.c.start).where(view.mention.c.entity_id == 12))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sqlalchemy import Executable, Select, Subquery, or_, select

from writeros_entities.store import tables

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from writeros_entities.store.tables import Base


@dataclass(frozen=True)
class View:
    """The rows of one vault that a reader at `as_of` may see; None sees the whole vault."""

    connection: Connection
    vault_id: int
    as_of: int | None = None

    @cached_property
    def note(self) -> Subquery:
        """Notes and other files."""
        return self._scoped(tables.Note)

    @cached_property
    def link(self) -> Subquery:
        """Links."""
        return self._scoped(tables.Link)

    @cached_property
    def chunk(self) -> Subquery:
        """Chunks."""
        return self._scoped(tables.Chunk)

    @cached_property
    def entity(self) -> Subquery:
        """Entities."""
        return self._scoped(tables.Entity)

    @cached_property
    def alias(self) -> Subquery:
        """Names of entities."""
        return self._scoped(tables.Alias)

    @cached_property
    def mention(self) -> Subquery:
        """Mentions that hold: of rival candidates, those that win."""
        return self._scoped(tables.Mention)

    @cached_property
    def candidate(self) -> Subquery:
        """Mentions whether they win or not: who else a span may name."""
        return self._visible(tables.Mention).subquery("candidate")

    def all(self, statement: Executable) -> Sequence[Any]:
        """Run a statement and return its rows."""
        return self.connection.execute(statement).all()

    def one(self, statement: Executable) -> Any:
        """Run a statement and return its first row, or None."""
        return self.connection.execute(statement).first()

    def scalar(self, statement: Executable) -> Any:
        """Run a statement and return the first column of its first row."""
        return self.connection.scalar(statement)

    def _scoped(self, model: type[Base]) -> Subquery:
        columns = _columns(model)
        statement = self._visible(model)
        if "visible_until" in columns:
            until = columns["visible_until"]
            ended = until.is_(None)
            statement = statement.where(
                ended if self.as_of is None else or_(ended, until > self.as_of)
            )
        return statement.subquery(str(model.__tablename__))

    def _visible(self, model: type[Base]) -> Select[Any]:
        columns = _columns(model)
        statement = select(model.__table__).where(columns["vault_id"] == self.vault_id)  # type: ignore[attr-defined]  # SQLModel adds __table__
        if self.as_of is not None:
            statement = statement.where(columns["visible_from"] <= self.as_of)
        return statement


def _columns(model: type[Base]) -> Any:
    return model.__table__.columns  # type: ignore[attr-defined]  # SQLModel adds __table__
