"""A section of a note can be about an entity, which has the writer's own word for its sort."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op
from writeros_entities.store.columns import PlainText

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("entity", sa.Column("heading", PlainText, nullable=True))
    op.add_column("entity", sa.Column("word", PlainText, nullable=True))
    op.add_column("proposal", sa.Column("heading", PlainText, nullable=True))
