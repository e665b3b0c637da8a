"""A note has its role, which the next sync reads."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op
from writeros_entities.store.columns import Json, PlainText

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("note", sa.Column("role", PlainText, nullable=False, server_default="other"))
    op.add_column("note", sa.Column("role_reason", PlainText, nullable=False, server_default=""))
    op.add_column(
        "note", sa.Column("role_confidence", sa.Float(), nullable=False, server_default="0")
    )
    op.add_column("note", sa.Column("role_told", Json, nullable=True))
    op.execute("UPDATE note SET fingerprint = '' WHERE fingerprint > ''")
