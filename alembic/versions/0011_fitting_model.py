"""Which embedding model fits a vault's language is remembered; where there are vectors, MiniLM."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op
from writeros_entities.store.columns import PlainText

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.add_column("vault", sa.Column("fitting_model", PlainText, nullable=False, server_default=""))
    op.execute(
        "UPDATE vault SET fitting_model = 'all-MiniLM-L6-v2' "
        "WHERE id IN (SELECT vault_id FROM embedding)"
    )
