"""notes and positions: find an entity by its note, and a note by its reading position"""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

INDEXES = (("ix_entity_note", "entity", "note_id"), ("ix_note_position", "note", "position"))


def upgrade() -> None:
    for name, table, column in INDEXES:
        is_given = sa.text(f"{column} IS NOT NULL")
        op.create_index(
            *(name, table, ["vault_id", column]), sqlite_where=is_given, postgresql_where=is_given
        )


def downgrade() -> None:
    for name, table, _ in INDEXES:
        op.drop_index(name, table)
