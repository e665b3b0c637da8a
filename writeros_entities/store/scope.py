"""The tables as a view shows them: the only place that decides which rows may be read.

A `Scope` has each table as a selectable that already contains the two conditions: the vault and, if
there is one, the reading position. The selectables are the same objects for every view, with vault
and position as parameters, so a statement can be built once and cached:

    @prepared
    def _starts(scope: Scope) -> Query:
        mention = scope.mention
        return select(mention.c.start).where(mention.c.entity_id == bindparam("entity_id"))

    view.all(_starts(view), entity_id=12)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar

from sqlalchemy import (
    BindParameter,
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

from writeros_entities.store import rows
from writeros_entities.store.rows import Query

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Table

    from writeros_entities.store.rows import Statement

WORTH = "confidence", "first_position", "last_position", "evidence_count", "visible_from"
"""The columns of a relation that are computed from its evidence."""

VAULT_ID: BindParameter[int] = bindparam("view_vault_id")
AS_OF: BindParameter[int] = bindparam("view_as_of")


P = ParamSpec("P")
QueryT = TypeVar("QueryT", bound=Query)


class Scope:
    """All tables with a view's conditions; `bounded` if the view has a reading position."""

    def __init__(self, *, bounded: bool) -> None:
        self._bounded = bounded

    @cached_property
    def note(self) -> Subquery:
        """Notes and other files; frontmatter is null if only sections may be seen."""
        if not self._bounded:
            return self._scoped(rows.note)
        columns = [column for column in rows.note.c if column is not rows.note.c.frontmatter]
        return self._shown(select(*columns, _own_frontmatter()), rows.note).subquery("note")

    @cached_property
    def link(self) -> Subquery:
        """Links."""
        return self._scoped(rows.link)

    @cached_property
    def chunk(self) -> Subquery:
        """Chunks; `text` is without the author's comments, `written` with them."""
        chunk = rows.chunk.c
        columns = [column for column in chunk if column not in (chunk["text"], chunk["shown"])]
        text = func.coalesce(chunk["shown"], chunk["text"]).label("text")
        statement = select(*columns, text, chunk["text"].label("written"), chunk["shown"])
        return self._shown(statement, rows.chunk).subquery("chunk")

    @cached_property
    def page(self) -> Subquery:
        """What was read of notes."""
        statement = self._visible(rows.page)
        if self._bounded:
            # As `IN`, it would be looked up among all visible notes, which are found first.
            own = self.note.c.id == rows.page.c.note_id
            statement = statement.where(exists().where(own))
        return statement.subquery("page")

    @cached_property
    def entity(self) -> Subquery:
        """Entities."""
        return self._scoped(rows.entity)

    @cached_property
    def alias(self) -> Subquery:
        """Names of entities."""
        return self._scoped(rows.alias)

    @cached_property
    def mention(self) -> Subquery:
        """Mentions that hold, that is, the winning candidate for each span."""
        return self._scoped(rows.mention)

    @cached_property
    def candidate(self) -> Subquery:
        """Mentions whether they hold or not: all entities that a span may name."""
        return self._visible(rows.mention).subquery("candidate")

    @cached_property
    def embedding(self) -> Subquery:
        """Vectors by model and content hash, also of texts that the reader may not see."""
        return self._visible(rows.embedding).subquery("embedding")

    @cached_property
    def evidence(self) -> Subquery:
        """Evidence of relations."""
        return self._scoped(rows.evidence)

    @cached_property
    def entity_change(self) -> Subquery:
        """Changes of entities along reading order."""
        return self._scoped(rows.entity_change)

    @cached_property
    def event(self) -> Subquery:
        """What happens, a row for each that takes part."""
        return self._scoped(rows.event)

    @cached_property
    def topic(self) -> Subquery:
        """Topics of notes."""
        return self._scoped(rows.topic)

    @cached_property
    def thread(self) -> Subquery:
        """Open threads that the writer noted; in comments, for nobody under a position."""
        statement = self._shown(select(rows.thread), rows.thread)
        if self._bounded:
            statement = statement.where(rows.thread.c.kind != "comment")
        return statement.subquery("thread")

    @cached_property
    def proposal(self) -> Subquery:
        """Names as notes use them, with or without an entity."""
        return self._scoped(rows.proposal)

    @cached_property
    def relation_model(self) -> Subquery:
        """Relation models, trained on all of the vault; none under a reading position."""
        statement = self._visible(rows.relation_model)
        return (statement.where(false()) if self._bounded else statement).subquery("relation_model")

    def relations(self, *conditions: ColumnElement[bool]) -> Statement:
        """Return a statement for relations that meet conditions on columns of the relation table.

        It reads only the evidence of those relations, whereas `relation` may aggregate all of it
        first.
        """
        relation, evidence = rows.relation.c, rows.evidence.c
        own = [relation[name] for name in ("id", "vault_id", "source_id", "target_id")]
        own += [relation["kind"], relation["origin"]]
        here = [relation["vault_id"] == VAULT_ID, *conditions]
        if not self._bounded:
            added_up = [relation[name] for name in WORTH]
            return select(*own, *added_up).where(*here, relation["evidence_count"] > 0)
        confidence = func.max(evidence["confidence"])
        number = func.count()
        return (
            select(
                *own,
                confidence.label("confidence"),
                func.min(evidence["position"]).label("first_position"),
                func.max(evidence["position"]).label("last_position"),
                number.label("evidence_count"),
                func.min(evidence["visible_from"]).label("visible_from"),
            )
            .join(
                rows.evidence,
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

    def _visible(self, table: Table) -> Statement:
        return self._shown(select(table), table)

    def _shown(self, statement: Statement, table: Table) -> Statement:
        statement = statement.where(table.c.vault_id == VAULT_ID)
        if self._bounded and "visible_from" in table.c:
            statement = statement.where(table.c.visible_from <= AS_OF)
        return statement


def _own_frontmatter() -> ColumnElement[Any]:
    """Return a note's frontmatter, or null where a bounded view may see only sections of the note.

    A note is visible from the earliest position of its own text and its claimed sections (those
    with their own `visible_from`). The position of its own text is that of the chunks outside such
    sections; a note without such chunks needs a claim of its own.
    """
    note, chunk = rows.note.c, rows.chunk.c
    here = chunk["vault_id"] == VAULT_ID, chunk["note_id"] == note["id"]
    own = select(chunk["id"]).where(*here, chunk["visible_claim"].is_(None))
    may_be_seen = or_(
        note["has_claimed_sections"].is_(False),
        note["position"].is_not(None),
        own.where(chunk["visible_from"] <= AS_OF).exists(),
        and_(note["visible_claim"].is_not(None), ~own.exists()),
    )
    return case((may_be_seen, note["frontmatter"])).label("frontmatter")


WHOLE = Scope(bounded=False)
BOUNDED = Scope(bounded=True)


class _HasScope(Protocol):
    """A view, as far as a prepared statement depends on it."""

    @property
    def scope(self) -> Scope: ...


def prepared(
    build: Callable[Concatenate[Scope, P], QueryT],
) -> Callable[Concatenate[_HasScope, P], QueryT]:
    """Decorate a function that builds a statement: it is built once for each scope and each way."""
    built = cache(build)
    return lambda view, /, *how, **named: built(view.scope, *how, **named)
