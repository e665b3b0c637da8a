"""words: vectors of the words of a chunk, a bit a dimension, beside its own

Every vector is made again by the next sync, now with those of the words.
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
