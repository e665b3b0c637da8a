"""Alembic's environment: migrations run on the connection that the product passes in."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, create_engine

from alembic import context
from writeros_entities.store.tables import metadata


def include_name(name: str | None, kind: str, parents: Mapping[Any, str | None]) -> bool:
    """Leave out the objects of full-text search, which migrations create outside the models."""
    match kind:
        case "table":
            return name is None or "_fts" not in name
        case "column":
            return name not in ("terms", "counts")
        case "index":
            return name != f"ix_{parents['table_name']}_terms"
    return True


def run(connection: Connection) -> None:
    """Run the migrations on one connection, in its transaction."""
    context.configure(
        connection=connection,
        target_metadata=metadata,
        include_name=include_name,
        render_as_batch=connection.dialect.name == "sqlite",
    )
    with context.begin_transaction():
        context.run_migrations()


handed_over = context.config.attributes.get("connection")
if handed_over is not None:
    run(handed_over)
else:
    with create_engine(os.environ["WRITEROS_DATABASE"]).begin() as connection:
        run(connection)
