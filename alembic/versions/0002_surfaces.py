"""A mention has its surface form, which the next sync reads."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op
from writeros_entities.store.columns import PlainText

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("mention", sa.Column("surface", PlainText, nullable=False, server_default=""))
    op.execute("UPDATE note SET detected = '' WHERE detected > ''")
