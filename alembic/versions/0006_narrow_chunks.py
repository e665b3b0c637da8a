"""narrow chunks: on PostgreSQL, store texts and words apart from the columns that search reads

Existing rows stay as they are until a `rebuild`.
"""

from __future__ import annotations

from alembic import op
from writeros_entities.store.postgres import schema

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        schema.keep_narrow(op.get_bind(), "chunk")


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        schema.keep_wide(op.get_bind(), "chunk")
