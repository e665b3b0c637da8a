"""A use of a name shows its type more or less surely."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    surely = sa.Column("type_confidence", sa.Float, nullable=False, server_default="1")
    op.add_column("proposal", surely)
