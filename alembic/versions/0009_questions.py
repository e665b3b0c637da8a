"""Which questions the writer has put off is remembered."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op
from writeros_entities.store.columns import Json

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("vault", sa.Column("put_off", Json, nullable=True))
