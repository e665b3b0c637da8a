"""Generate `writeros_entities/store/schema.py`, the tables without their models; called by cog."""

from __future__ import annotations

from sqlalchemy import Column, Table

from writeros_entities.store.columns import Json
from writeros_entities.store.tables import TABLES


def tables() -> str:
    """Return every table with its columns as Python, formatted."""
    return "\n\n".join(_table(model.__table__) for model in TABLES)


def _table(table: Table) -> str:
    columns = "".join(f"    {_column(column)},\n" for column in table.columns)
    return f'{table.name} = Table(\n    "{table.name}",\n    metadata,\n{columns})'


def _column(column: Column[object]) -> str:
    kind = "Json" if column.type is Json else type(column.type).__name__
    key = ", primary_key=True" if column.primary_key else ""
    return f'Column("{column.name}", {kind}{key})'
