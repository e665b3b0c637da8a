"""words: vectors of a chunk's words, one bit per dimension, beside its own

The next sync makes all vectors again, including those of words.
"""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("DELETE FROM embedding")
    op.add_column("embedding", sa.Column("words", sa.LargeBinary(), nullable=True))
    op.execute("UPDATE vault SET embedded = '', vector_revision = vector_revision + 1")


def downgrade() -> None:
    op.drop_column("embedding", "words")
