"""The note of an entity can wish when prompts contain it, and how much of them it gets."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op
from writeros_entities.store.columns import Json

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("entity", sa.Column("context", Json, nullable=True))
    is_given = sa.text("context IS NOT NULL")
    op.create_index(
        "ix_entity_context",
        "entity",
        ["vault_id", "context"],
        sqlite_where=is_given,
        postgresql_where=is_given,
    )
