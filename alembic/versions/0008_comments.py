"""comments: the text of a chunk without the author's comments

The next sync reads notes that may have comments again.
"""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

PLAIN = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("chunk", sa.Column("shown", PLAIN, nullable=True))
    op.execute(
        "UPDATE note SET fingerprint = NULL WHERE EXISTS (SELECT 1 FROM chunk "
        "WHERE chunk.vault_id = note.vault_id AND chunk.note_id = note.id "
        "AND (chunk.text LIKE '%!%!%%' ESCAPE '!' OR chunk.text LIKE '%<!--%'))"
    )


def downgrade() -> None:
    op.drop_column("chunk", "shown")
