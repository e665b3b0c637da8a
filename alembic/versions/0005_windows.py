"""windows: vectors of windows of a few sentences, beside each chunk's own

The next sync makes all vectors again, including those of windows.
"""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("DELETE FROM embedding")
    op.add_column("embedding", sa.Column("windows", sa.LargeBinary(), nullable=True))
    op.execute("UPDATE vault SET embedded = '', vector_revision = vector_revision + 1")


def downgrade() -> None:
    op.drop_column("embedding", "windows")
