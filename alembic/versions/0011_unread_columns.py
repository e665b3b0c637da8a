"""unread columns: drop two columns of chunks that nothing reads"""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

COLUMNS = (("usage_count", sa.Integer()), ("indexed_at", sa.Float()))


def upgrade() -> None:
    for name, _ in COLUMNS:
        op.drop_column("chunk", name)


def downgrade() -> None:
    for name, kind in COLUMNS:
        op.add_column("chunk", sa.Column(name, kind, nullable=False, server_default="0"))
