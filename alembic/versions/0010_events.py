"""What happens by the notes' sentences is stored; the next sync reads all notes again."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op
from writeros_entities.store.columns import PlainText

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "event",
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("chunk_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("start", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("role", PlainText, nullable=False),
        sa.Column("since", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("verb", PlainText, nullable=False),
        sa.Column("kind", PlainText, nullable=False),
        sa.Column("is_earlier", sa.Boolean(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("visible_from", sa.Integer(), nullable=True),
        sa.Column("visible_until", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["chunk_id", "vault_id"],
            ["chunk.id", "chunk.vault_id"],
            name="fk_chunk_id",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["entity_id", "vault_id"],
            ["entity.id", "entity.vault_id"],
            name="fk_entity_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            *("vault_id", "chunk_id", "start", "entity_id", "role", "since"),
            name=op.f("pk_event"),
        ),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_event_entity", "event", ["vault_id", "entity_id"])
