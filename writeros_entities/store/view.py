"""What may be read: one vault, as of one reading position. This is the only place that says so.

A `View` offers every table as a selectable that already holds the two conditions; whoever reads
through it cannot forget them.

    view = View(connection, vault_id, as_of=7)
    view.all(select(view.mention.c.start).where(view.mention.c.entity_id == 12))

The selectables are the same objects in every view, with the vault and the position as parameters,
so a statement can be built once and kept:

    @prepared
    def _starts(scope: Scope) -> Select[Any]:
        mention = scope.mention
        return select(mention.c.start).where(mention.c.entity_id == bindparam("entity_id"))

    view.all(_starts(view), entity_id=12)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    BindParameter,
    Executable,
    Select,
    Subquery,
    and_,
    bindparam,
    case,
    exists,
    false,
    func,
    or_,
    select,
)

from writeros_entities.store import schema
from writeros_entities.store.kept import Kept
from writeros_entities.store.rows import fetch_rows

if TYPE_CHECKING:
    from numpy import bool_, int64
    from numpy.typing import NDArray
    from sqlalchemy import ColumnElement, Connection, Table

    from writeros_entities.plugins import Plugins

_STATE = select(
    schema.vault.c.revision,
    schema.vault.c.vector_revision,
    schema.vault.c.unfinished,
    schema.vault.c.synced_at,
).where(schema.vault.c.id == bindparam("vault_id"))
_STATE_AND_ORDER = _STATE.add_columns(
    exists()
    .where(schema.note.c.vault_id == schema.vault.c.id, schema.note.c.position.is_not(None))
    .label("has_order")
)
_ADDED_UP = (
    *("strength", "confidence", "first_position", "last_position", "evidence_count"),
    "visible_from",
)
"""The columns of a relation that its evidence decides."""

VAULT_ID: BindParameter[int] = bindparam("view_vault_id")
AS_OF: BindParameter[int] = bindparam("view_as_of")


class Scope:
    """Every table with the conditions of a view: `bounded` by a reading position, or not."""

    def __init__(self, *, bounded: bool) -> None:
        self._bounded = bounded

    @cached_property
    def note(self) -> Subquery:
        """Notes and other files; their frontmatter where it may be seen, not only a section."""
        if not self._bounded:
            return self._scoped(schema.note)
        columns = [column for column in schema.note.c if column is not schema.note.c.frontmatter]
        return self._shown(select(*columns, _own_frontmatter()), schema.note).subquery("note")

    @cached_property
    def link(self) -> Subquery:
        """Links."""
        return self._scoped(schema.link)

    @cached_property
    def chunk(self) -> Subquery:
        """Chunks, their text without the author's comments; with them, it is `written`."""
        chunk = schema.chunk.c
        columns = [column for column in chunk if column not in (chunk["text"], chunk["shown"])]
        text = func.coalesce(chunk["shown"], chunk["text"]).label("text")
        statement = select(*columns, text, chunk["text"].label("written"), chunk["shown"])
        return self._shown(statement, schema.chunk).subquery("chunk")

    @cached_property
    def entity(self) -> Subquery:
        """Entities."""
        return self._scoped(schema.entity)

    @cached_property
    def alias(self) -> Subquery:
        """Names of entities."""
        return self._scoped(schema.alias)

    @cached_property
    def mention(self) -> Subquery:
        """Mentions that hold: of rival candidates, those that win."""
        return self._scoped(schema.mention)

    @cached_property
    def candidate(self) -> Subquery:
        """Mentions whether they win or not: who else a span may name."""
        return self._visible(schema.mention).subquery("candidate")

    @cached_property
    def embedding(self) -> Subquery:
        """Vectors, by model and content hash: of texts that the reader may see, or may not."""
        return self._visible(schema.embedding).subquery("embedding")

    @cached_property
    def relation(self) -> Subquery:
        """Relations, added up over the evidence that may be seen."""
        return self.relations().subquery("relation")

    @cached_property
    def evidence(self) -> Subquery:
        """Evidence of relations."""
        return self._scoped(schema.evidence)

    @cached_property
    def entity_change(self) -> Subquery:
        """Changes of entities along reading order."""
        return self._scoped(schema.entity_change)

    @cached_property
    def topic(self) -> Subquery:
        """Topics of notes."""
        return self._scoped(schema.topic)

    @cached_property
    def relation_model(self) -> Subquery:
        """Relation models trained on the vault, for who may see all of it: they know every page."""
        statement = self._visible(schema.relation_model)
        return (statement.where(false()) if self._bounded else statement).subquery("relation_model")

    def relations(self, *conditions: ColumnElement[bool]) -> Select[Any]:
        """Return a statement for the relations that fit conditions on the table's own columns.

        Where few relations fit, it reads the evidence of those alone, which `relation` may not.
        """
        relation, evidence = schema.relation.c, schema.evidence.c
        own = [relation[name] for name in ("id", "vault_id", "source_id", "target_id")]
        own += [relation["kind"], relation["origin"]]
        here = [relation["vault_id"] == VAULT_ID, *conditions]
        if not self._bounded:
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
                schema.evidence,
                and_(
                    evidence["relation_id"] == relation["id"],
                    evidence["vault_id"] == VAULT_ID,
                ),
            )
            .where(*here, evidence["visible_from"] <= AS_OF, self._holds(evidence))
            .group_by(*own)
        )

    def _scoped(self, table: Table) -> Subquery:
        statement = self._visible(table)
        if "visible_until" in table.c:
            statement = statement.where(self._holds(table.c))
        return statement.subquery(table.name)

    def _holds(self, columns: Any) -> ColumnElement[bool]:
        until = columns["visible_until"]
        never_ends: ColumnElement[bool] = until.is_(None)
        return or_(never_ends, until > AS_OF) if self._bounded else never_ends

    def _visible(self, table: Table) -> Select[Any]:
        return self._shown(select(table), table)

    def _shown(self, statement: Select[Any], table: Table) -> Select[Any]:
        statement = statement.where(table.c.vault_id == VAULT_ID)
        if self._bounded and "visible_from" in table.c:
            statement = statement.where(table.c.visible_from <= AS_OF)
        return statement


def _own_frontmatter() -> ColumnElement[Any]:
    """Return the frontmatter of a note of which a bounded view may see more than some sections.

    A note is visible from the earliest of its own position and its sections'. Its own is that of
    its chunks that are in no such section; a note without any must have a claim of its own.
    """
    note, chunk = schema.note.c, schema.chunk.c
    here = chunk["vault_id"] == VAULT_ID, chunk["note_id"] == note["id"]
    own = select(chunk["id"]).where(*here, chunk["visible_claim"].is_(None))
    may_be_seen = or_(
        note["has_claimed_sections"].is_(False),
        note["position"].is_not(None),
        own.where(chunk["visible_from"] <= AS_OF).exists(),
        and_(note["visible_claim"].is_not(None), ~own.exists()),
    )
    return case((may_be_seen, note["frontmatter"])).label("frontmatter")


_WHOLE = Scope(bounded=False)
_BOUNDED = Scope(bounded=True)


def prepared(build: Callable[[Scope], Select[Any]]) -> Callable[[View], Select[Any]]:
    """Make a statement over a view's tables one that is built once, and not at each question."""
    built = cache(build)
    return lambda view: built(view.scope)


@dataclass(frozen=True)
class View:
    """The rows of one vault that a reader at `as_of` may see; None sees the whole vault.

    `kept` holds what readers of the vault keep between questions, until its index changes;
    `plugins` are those that read the names in a question.
    """

    connection: Connection
    vault_id: int
    as_of: int | None = None
    kept: Kept = field(default_factory=Kept, repr=False, compare=False)
    plugins: Plugins | None = field(default=None, repr=False, compare=False)

    @property
    def scope(self) -> Scope:
        """The tables, with the conditions of this view as parameters."""
        return _WHOLE if self.as_of is None else _BOUNDED

    @property
    def note(self) -> Subquery:
        """Notes and other files."""
        return self.scope.note

    @property
    def link(self) -> Subquery:
        """Links."""
        return self.scope.link

    @property
    def chunk(self) -> Subquery:
        """Chunks."""
        return self.scope.chunk

    @property
    def entity(self) -> Subquery:
        """Entities."""
        return self.scope.entity

    @property
    def alias(self) -> Subquery:
        """Names of entities."""
        return self.scope.alias

    @property
    def mention(self) -> Subquery:
        """Mentions that hold: of rival candidates, those that win."""
        return self.scope.mention

    @property
    def candidate(self) -> Subquery:
        """Mentions whether they win or not: who else a span may name."""
        return self.scope.candidate

    @property
    def embedding(self) -> Subquery:
        """Vectors, by model and content hash: of texts that the reader may see, or may not."""
        return self.scope.embedding

    @property
    def relation(self) -> Subquery:
        """Relations, added up over the evidence that may be seen."""
        return self.scope.relation

    @property
    def evidence(self) -> Subquery:
        """Evidence of relations."""
        return self.scope.evidence

    @property
    def entity_change(self) -> Subquery:
        """Changes of entities along reading order."""
        return self.scope.entity_change

    @property
    def topic(self) -> Subquery:
        """Topics of notes."""
        return self.scope.topic

    @property
    def relation_model(self) -> Subquery:
        """Relation models trained on the vault, for who may see all of it."""
        return self.scope.relation_model

    def relations(self, *conditions: ColumnElement[bool]) -> Select[Any]:
        """Return a statement for the relations that fit conditions; see `Scope.relations`."""
        return self.scope.relations(*conditions)

    @cached_property
    def _state(self) -> Any:
        statement = _STATE if self.as_of is None else _STATE_AND_ORDER
        return self.connection.execute(statement, {"vault_id": self.vault_id}).first()

    @property
    def revision(self) -> int | None:
        """How often the vault's index has changed; None while a sync is under way."""
        state = self._state
        return None if state is None or state.unfinished else int(state.revision)

    @property
    def is_unread(self) -> bool:
        """Whether no sync has read the vault to its end, or none since a rebuild forgot it."""
        state = self._state
        return state is not None and state.synced_at is None

    @property
    def is_unfinished(self) -> bool:
        """Whether a sync is under way, or was broken off."""
        return self._state is not None and bool(self._state.unfinished)

    @property
    def vector_revision(self) -> int:
        """How often vectors were added or taken away."""
        return 0 if self._state is None else int(self._state.vector_revision)

    @property
    def lacks_order(self) -> bool:
        """Whether this is as of a position, and no note of the synced vault has one."""
        return self.as_of is not None and bool(self.revision) and not self._state.has_order

    def whole(self) -> View:
        """Return the view of all rows, for what is kept of the vault; `sees` cuts it down."""
        return self if self.as_of is None else replace(self, as_of=None)

    def sees(self, visible_from: NDArray[int64]) -> NDArray[bool_] | None:
        """Say which rows may be shown, from where each may be; None where all of them may.

        A row that never may has the greatest integer.
        """
        return None if self.as_of is None else visible_from <= self.as_of

    def all(self, statement: Executable, **values: Any) -> Sequence[Any]:
        """Run a statement, with values for its parameters, and return its rows."""
        return self.connection.execute(statement, self.parameters(**values)).all()

    def tuples(self, statement: Executable, **values: Any) -> list[tuple[Any, ...]]:
        """Run a statement and return plain tuples in a third of the time; see `fetch_rows`."""
        return fetch_rows(self.connection, statement, self.parameters(**values))

    def one(self, statement: Executable, **values: Any) -> Any:
        """Run a statement and return its first row, or None."""
        return self.connection.execute(statement, self.parameters(**values)).first()

    def scalar(self, statement: Executable, **values: Any) -> Any:
        """Run a statement and return the first column of its first row."""
        return self.connection.scalar(statement, self.parameters(**values))

    def parameters(self, **values: Any) -> dict[str, Any]:
        """Return values for a statement's parameters with those that the view's own have."""
        values["view_vault_id"] = self.vault_id
        if self.as_of is not None:
            values["view_as_of"] = self.as_of
        return values
