"""What a writer notes as yet to do, to answer or to fill in is kept apart from the story."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op
from writeros_entities.store.columns import PlainText

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "thread",
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("note_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("ordinal", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", PlainText, nullable=False),
        sa.Column("text", PlainText, nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("visible_from", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["note_id", "vault_id"],
            ["note.id", "note.vault_id"],
            name="fk_note_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("vault_id", "note_id", "ordinal", name=op.f("pk_thread")),
        sqlite_with_rowid=False,
    )
