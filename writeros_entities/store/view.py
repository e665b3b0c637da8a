"""What may be read: one vault, as of one reading position.

A `StoredView` offers each table as a selectable that contains these two conditions (see `scope`),
so that no query through it can forget them.

    view = StoredView(connection, vault_id, as_of=7)
    view.all(select(view.mention.c.start).where(view.mention.c.entity_id == 12))
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, TypeVar

from sqlalchemy import (
    Executable,
    Subquery,
    bindparam,
    exists,
    select,
)

from writeros_entities.store import rows
from writeros_entities.store.cache import RevisionCache
from writeros_entities.store.engine import engine_of
from writeros_entities.store.rows import (
    Query,
    Statement,
    VaultRows,
    batches,
    fetch,
    fetch_array,
    lookup,
    scalars,
)
from writeros_entities.store.scope import BOUNDED, WHOLE, Scope

if TYPE_CHECKING:
    import numpy as np
    from sqlalchemy import ColumnElement, Connection

    from writeros_entities.arrays import Flags, Integers
    from writeros_entities.lexicon import Lexicon
    from writeros_entities.store.compiled import VaultLexicon
    from writeros_entities.store.engine import Engine
    from writeros_entities.store.interruption import Interruption
    from writeros_entities.store.rows import Row

T = TypeVar("T")

_STATE = select(
    rows.vault.c.revision,
    rows.vault.c.vector_revision,
    rows.vault.c.unfinished,
    rows.vault.c.synced_at,
).where(rows.vault.c.id == bindparam("vault_id"))
_STATE_AND_ORDER = _STATE.add_columns(
    exists()
    .where(rows.note.c.vault_id == rows.vault.c.id, rows.note.c.position.is_not(None))
    .label("has_order")
)


@dataclass(frozen=True)
class StoredView:
    """The rows of one vault that a reader at `as_of` may see; with None, the whole vault.

    `cache` holds values between questions, until the index changes; `interruption` ends the call
    for which it was opened; `load_names` reads the vault's names.
    """

    connection: Connection
    vault_id: int
    as_of: int | None = None
    cache: RevisionCache = field(default_factory=RevisionCache, repr=False, compare=False)
    interruption: Interruption | None = field(default=None, repr=False, compare=False)
    load_names: Callable[[StoredView], VaultLexicon] | None = field(
        default=None, repr=False, compare=False
    )

    @property
    def index(self) -> VaultRows:
        """All rows of the vault, for those who write them."""
        return VaultRows(self.connection, self.vault_id)

    @property
    def scope(self) -> Scope:
        """The tables, with this view's conditions as parameters."""
        return WHOLE if self.as_of is None else BOUNDED

    @property
    def engine(self) -> Engine:
        """The engine of the database."""
        return engine_of(self.connection)

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
    def page(self) -> Subquery:
        """What was read of notes."""
        return self.scope.page

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
        """Mentions that hold, that is, the winning candidate for each span."""
        return self.scope.mention

    @property
    def candidate(self) -> Subquery:
        """Mentions whether they hold or not: all entities that a span may name."""
        return self.scope.candidate

    @property
    def evidence(self) -> Subquery:
        """Evidence of relations."""
        return self.scope.evidence

    @property
    def entity_change(self) -> Subquery:
        """Changes of entities along reading order."""
        return self.scope.entity_change

    @property
    def event(self) -> Subquery:
        """What happens, a row for each that takes part."""
        return self.scope.event

    @property
    def topic(self) -> Subquery:
        """Topics of notes."""
        return self.scope.topic

    @property
    def thread(self) -> Subquery:
        """Open threads that the writer noted."""
        return self.scope.thread

    @property
    def proposal(self) -> Subquery:
        """Names as notes use them, with or without an entity."""
        return self.scope.proposal

    @property
    def relation_model(self) -> Subquery:
        """Relation models trained on the vault; none under a reading position."""
        return self.scope.relation_model

    def relations(self, *conditions: ColumnElement[bool]) -> Statement:
        """Return a statement for relations that meet conditions; see `Scope.relations`."""
        return self.scope.relations(*conditions)

    @cached_property
    def _state(self) -> Any:
        statement = _STATE if self.as_of is None else _STATE_AND_ORDER
        return self.connection.execute(statement, {"vault_id": self.vault_id}).first()

    @property
    def revision(self) -> int | None:
        """The number of changes to the vault's index; None while a sync is running."""
        state = self._state
        return None if state is None or state.unfinished else int(state.revision)

    @property
    def state(self) -> tuple[int, float] | None:
        """The revision and the time of its sync: no two states of an index have both in common.

        None while a sync is running, and before the first has finished.
        """
        revision = self.revision
        if revision is None or self.is_unread:
            return None
        return revision, float(self._state.synced_at)

    @property
    def is_unread(self) -> bool:
        """Whether no sync of the vault has finished yet, or none since a rebuild cleared it."""
        state = self._state
        return state is not None and state.synced_at is None

    @property
    def is_unfinished(self) -> bool:
        """Whether a sync is running, or was interrupted."""
        return self._state is not None and bool(self._state.unfinished)

    @property
    def vector_revision(self) -> int:
        """The number of changes to the vault's vectors."""
        return 0 if self._state is None else int(self._state.vector_revision)

    @property
    def lacks_order(self) -> bool:
        """Whether the view is as of a position, but no note of the synced vault has one."""
        return self.as_of is not None and bool(self.revision) and not self._state.has_order

    def whole(self) -> Self:
        """Return the view without a reading position; `sees` filters what is cached by it."""
        return self if self.as_of is None else self.at(None)

    def at(self, position: int | None) -> Self:
        """Return the view of the same vault as of another position; with None, of all of it."""
        return replace(self, as_of=position)

    def sees(self, visible_from: Integers) -> Flags | None:
        """Return a mask of visible rows, by their `visible_from`; None if all are visible.

        A row that is never shown under `as_of` must have the position `chunks.NEVER`.
        """
        return None if self.as_of is None else visible_from <= self.as_of

    @cached_property
    def names(self) -> VaultLexicon:
        """All names of the vault, whatever the reading position."""
        from writeros_entities.store.compiled import VaultLexicon

        load = self.load_names
        if load is None:
            return VaultLexicon()
        return self.cache.get(self.revision, "names", lambda: load(self))

    @property
    def lexicon(self) -> Lexicon:
        """The names that a reader may know; under a reading position, those met."""
        from writeros_entities.store.lexicon import load_names_met

        return self.names if self.as_of is None else load_names_met(self)

    def kept(self, name: Hashable, make: Callable[[], T]) -> T:
        """Return what `make` gives as of this view's position, kept until the index changes."""
        return self.cache.get(self.revision, (name, self.as_of), make)

    def each(self, items: Iterable[T]) -> Iterator[T]:
        """Yield items; before each, raise if the call was ended. For long computations."""
        for item in items:
            if self.interruption is not None:
                self.interruption.check()
            yield item

    def all(self, statement: Executable, **values: object) -> Sequence[Row]:
        """Run a statement with the given parameters, and return its rows."""
        return self.connection.execute(statement, self.parameters(**values)).all()

    def all_among(
        self, statement: Statement, column: ColumnElement[Any], values: Iterable[object]
    ) -> Iterator[Row]:
        """Yield the rows of a statement whose column has one of many values, batch by batch."""
        for batch in batches(values):
            yield from self.all(statement.where(column.in_(batch)))

    def fetch(self, kind: type[T], statement: Query, **values: object) -> list[T]:
        """Run a statement and return its rows as values of a type, whose fields are its columns."""
        return fetch(self.connection, kind, statement, self.parameters(**values))

    def array(
        self,
        fields: np.dtype[np.void],
        statement: Query,
        number: Callable[[str], int] | None = None,
        **values: object,
    ) -> Any:
        """Run a statement and return its rows as a structured array, with nothing converted.

        Its fields are the columns of the statement; `number` numbers the texts in the first one.
        """
        return fetch_array(self.connection, fields, statement, self.parameters(**values), number)

    def scalars(self, statement: Query, **values: object) -> list[Any]:
        """Run a statement and return its only column, unconverted."""
        return scalars(self.connection, statement, self.parameters(**values))

    def lookup(self, statement: Query, **values: object) -> dict[Any, Any]:
        """Run a statement and return the second of its two columns by the first, unconverted."""
        return lookup(self.connection, statement, self.parameters(**values))

    def one(self, statement: Executable, **values: object) -> Any:
        """Run a statement and return its first row, or None."""
        return self.connection.execute(statement, self.parameters(**values)).first()

    def scalar(self, statement: Executable, **values: object) -> Any:
        """Run a statement and return the first column of its first row."""
        return self.connection.scalar(statement, self.parameters(**values))

    def parameters(self, **values: object) -> dict[str, object]:
        """Return a statement's parameters: the given values plus the view's vault and position."""
        values["view_vault_id"] = self.vault_id
        if self.as_of is not None:
            values["view_as_of"] = self.as_of
        return values
