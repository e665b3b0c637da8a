"""The index as a whole: what it contains, and recorded problems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from sqlalchemy import func, select

from writeros_entities.store.vaults import vault_row
from writeros_entities.values import NAME_ALONE

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, FromClause

    from writeros_entities.view import View


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem that `doctor` reports: how severe it is, what, and where."""

    severity: Literal["info", "warning", "error"]
    code: str
    path: str
    message: str
    line: int | None = None


def count_links(view: View) -> dict[str, int]:
    """Return the number of links by status: resolved, ambiguous, unresolved."""
    return count_by(view, view.link.c.status, view.link.c.kind != NAME_ALONE)


def count_by(view: View, column: ColumnElement[str], *where: ColumnElement[bool]) -> dict[str, int]:
    """Return the number of rows for each value of a column, most frequent first."""
    number = func.count()
    statement = select(column, number).where(*where).group_by(column)
    return view.lookup(statement.order_by(number.desc(), column))


def count_mentioned_entities(view: View, column: ColumnElement[str]) -> dict[str, int]:
    """Return the number of entities with a note or a mention for each value of a column.

    The most frequent value comes first.
    """
    entity, mention = view.entity, view.mention
    mentioned = select(mention.c.entity_id).distinct()
    return count_by(view, column, entity.c.id.in_(mentioned) | (entity.c.status == "noted"))


def count_rows(view: View, table: FromClause) -> int:
    """Return the number of visible rows of a table."""
    return int(view.scalar(select(func.count()).select_from(table)) or 0)


class Manuscript(NamedTuple):
    """How many notes are in the manuscript, and its first and last reading position."""

    notes: int
    first: int | None
    last: int | None


def reading_positions(view: View) -> Manuscript:
    """Return the extent of the manuscript."""
    position = view.note.c.position
    columns: list[ColumnElement[Any]] = [
        *(func.count().label("notes"), func.min(position).label("first")),
        func.max(position).label("last"),
    ]
    [found] = view.fetch(Manuscript, select(*columns).where(position.is_not(None)))
    return found


def recorded_problems(view: View) -> list[Problem]:
    """Return the diagnostics of notes and of the last scan of the vault, by path."""
    note = view.note
    found = [
        _problem(row.path, item)
        for row in view.all(
            select(note.c.path, note.c.diagnostics).where(note.c.diagnostics.is_not(None))
        )
        for item in row.diagnostics
    ]
    if view.as_of is None:
        found += [_problem(item["path"], item) for item in vault_row(view).diagnostics or ()]
    return sorted(set(found), key=lambda one: (one.path, one.line or 0, one.code, one.message))


def _problem(path: str, item: dict[str, Any]) -> Problem:
    return Problem("warning", item["code"], path, item["message"], item.get("line"))
