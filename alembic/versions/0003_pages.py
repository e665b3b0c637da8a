"""What is read of a note is stored as its page; the next sync reads all notes again."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op
from writeros_entities.store.columns import PlainText

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "page",
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("note_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("content", PlainText, nullable=False),
        sa.Column("marks", sa.LargeBinary(), nullable=False),
        sa.Column("read_by", PlainText, nullable=True),
        sa.Column("clauses", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(
            ["note_id", "vault_id"],
            ["note.id", "note.vault_id"],
            name="fk_note_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("vault_id", "note_id", name=op.f("pk_page")),
        sqlite_with_rowid=False,
    )
