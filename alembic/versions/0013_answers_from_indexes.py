"""What is asked of an entity's mentions is read from an index, chunk by chunk."""

from __future__ import annotations

from alembic import op

revision = "0013"
down_revision = "0012"

TOLD = "chunk_id", "visible_from", "visible_until", "form", "confidence"


def upgrade() -> None:
    op.drop_index("ix_mention_entity", "mention")
    op.create_index("ix_mention_entity", "mention", ["vault_id", "entity_id", *TOLD])
