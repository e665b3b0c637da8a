"""vectors: the engine's own type, and the state of a vault's vectors"""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op
from writeros_entities.store.columns import VectorColumn

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


PLAIN = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def create(vector: sa.types.TypeEngine[object], **options: object) -> None:
    """Create the table anew: no version with the first schema has written a row to it."""
    op.drop_table("embedding")
    op.create_table(
        "embedding",
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("model", PLAIN, nullable=False),
        sa.Column("content_hash", PLAIN, nullable=False),
        sa.Column("vector", vector, nullable=False),
        sa.ForeignKeyConstraint(
            ["vault_id"], ["vault.id"], name=op.f("fk_embedding_vault"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("vault_id", "model", "content_hash", name=op.f("pk_embedding")),
        **options,
    )


def upgrade() -> None:
    create(VectorColumn())
    op.add_column(
        "vault", sa.Column("vector_revision", sa.BigInteger(), nullable=False, server_default="0")
    )
    op.add_column("vault", sa.Column("embedded", PLAIN, nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("vault", "embedded")
    op.drop_column("vault", "vector_revision")
    create(sa.LargeBinary(), sqlite_with_rowid=False)
