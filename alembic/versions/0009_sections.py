"""sections: where in a chunk other headings begin

The next sync fills it: it reads all notes again, as the product's version has changed.
"""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

PLAIN = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("chunk", sa.Column("sections", PLAIN, nullable=True))


def downgrade() -> None:
    op.drop_column("chunk", "sections")
