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

from sqlalchemy import Executable, Select, Subquery, and_, func, or_, select

from writeros_entities.store import tables

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection

    from writeros_entities.store.tables import Base

_ADDED_UP = (
    *("strength", "confidence", "first_position", "last_position", "evidence_count"),
    "visible_from",
)
"""The columns of a relation that its evidence decides."""


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

    @cached_property
    def relation(self) -> Subquery:
        """Relations, added up over the evidence that may be seen."""
        return self.relations().subquery("relation")

    @cached_property
    def evidence(self) -> Subquery:
        """Evidence of relations."""
        return self._scoped(tables.Evidence)

    @cached_property
    def entity_change(self) -> Subquery:
        """Changes of entities along reading order."""
        return self._scoped(tables.EntityChange)

    @cached_property
    def topic(self) -> Subquery:
        """Topics of notes."""
        return self._scoped(tables.Topic)

    def relations(self, *conditions: ColumnElement[bool]) -> Select[Any]:
        """Return a statement for the relations that fit conditions on the table's own columns.

        Where few relations fit, it reads the evidence of those alone, which `relation` may not.
        """
        relation, evidence = _columns(tables.Relation), _columns(tables.Evidence)
        own = [relation[name] for name in ("id", "vault_id", "source_id", "target_id")]
        own += [relation["kind"], relation["origin"]]
        here = [relation["vault_id"] == self.vault_id, *conditions]
        if self.as_of is None:
            added_up = [relation[name] for name in _ADDED_UP]
            return select(*own, *added_up).where(*here, relation["evidence_count"] > 0)
        confidence = func.max(evidence["confidence"])
        number = func.count()
        return (
            select(
                *own,
                (1.0 - (1.0 - confidence) / number).label("strength"),
                confidence.label("confidence"),
                func.min(evidence["position"]).label("first_position"),
                func.max(evidence["position"]).label("last_position"),
                number.label("evidence_count"),
                func.min(evidence["visible_from"]).label("visible_from"),
            )
            .join(
                tables.Evidence.__table__,  # type: ignore[attr-defined]  # SQLModel adds __table__
                and_(
                    evidence["relation_id"] == relation["id"],
                    evidence["vault_id"] == self.vault_id,
                ),
            )
            .where(*here, evidence["visible_from"] <= self.as_of, self._holds(evidence))
            .group_by(*own)
        )

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
            statement = statement.where(self._holds(columns))
        return statement.subquery(str(model.__tablename__))

    def _holds(self, columns: Any) -> ColumnElement[bool]:
        until = columns["visible_until"]
        never_ends: ColumnElement[bool] = until.is_(None)
        return never_ends if self.as_of is None else or_(never_ends, until > self.as_of)

    def _visible(self, model: type[Base]) -> Select[Any]:
        columns = _columns(model)
        statement = select(model.__table__).where(columns["vault_id"] == self.vault_id)  # type: ignore[attr-defined]  # SQLModel adds __table__
        if self.as_of is not None:
            statement = statement.where(columns["visible_from"] <= self.as_of)
        return statement


def _columns(model: type[Base]) -> Any:
    return model.__table__.columns  # type: ignore[attr-defined]  # SQLModel adds __table__
