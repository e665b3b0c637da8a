"""Alembic's environment: migrations run on the connection that the product passes in."""

from __future__ import annotations

import os
from typing import Any, Literal

from sqlalchemy import Connection

from alembic import context
from writeros_entities.store import columns
from writeros_entities.store.database import Database
from writeros_entities.store.migrations import VERSION_TABLE
from writeros_entities.store.tables import metadata

OWN_TYPES = {columns.PlainText: "PlainText", columns.Json: "Json"}


def include_name(name: str | None, kind: str, parents: Any) -> bool:
    """Leave out what full text needs, which is made after the migrations."""
    match kind:
        case "table":
            return name is None or "_fts" not in name
        case "column":
            return name not in ("terms", "counts")
        case "index":
            return name != f"ix_{parents['table_name']}_terms"
    return True


def render_item(kind: str, item: Any, _context: Any) -> str | Literal[False]:
    """Write the product's own types of columns by their names in new migrations."""
    if kind != "type":
        return False
    if isinstance(item, columns.VectorColumn):
        return "VectorColumn()"
    return OWN_TYPES.get(item, False)


def run(connection: Connection) -> None:
    """Run the migrations on one connection, in its transaction."""
    context.configure(
        connection=connection,
        target_metadata=metadata,
        version_table=VERSION_TABLE,
        include_name=include_name,
        render_item=render_item,
    )
    with context.begin_transaction():
        context.run_migrations()


handed_over = context.config.attributes.get("connection")
if handed_over is not None:
    run(handed_over)
else:
    with Database(os.environ["WRITEROS_DATABASE"]).write() as connection:
        run(connection)
