"""relations: what notes state, evidence outside chunks, changes along reading order

The three tables were empty until now, so they are created anew.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def json() -> sa.types.TypeEngine[object]:
    """JSON, or JSONB on PostgreSQL; None is SQL NULL."""
    jsonb = postgresql.JSONB(none_as_null=True)
    return sa.JSON(none_as_null=True).with_variant(jsonb, "postgresql")


def text() -> sa.types.TypeEngine[str]:
    """Text that every engine sorts and compares by code points."""
    return sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def reference(column: str, table: str) -> sa.ForeignKeyConstraint:
    """A foreign key to a row of the same vault, with cascading deletes."""
    return sa.ForeignKeyConstraint(
        [column, "vault_id"],
        [f"{table}.id", f"{table}.vault_id"],
        name=f"fk_{column}",
        ondelete="CASCADE",
    )


def upgrade() -> None:
    op.add_column("note", sa.Column("statements", json(), nullable=True))
    op.drop_table("evidence")
    op.drop_table("entity_change")
    op.create_table(
        "evidence",
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("relation_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("note_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("since", sa.Integer(), nullable=False),
        sa.Column("chunk_id", sa.BigInteger(), nullable=True),
        sa.Column("form", text(), nullable=False),
        sa.Column("key", text(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("quote", text(), nullable=True),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("has_ended", sa.Boolean(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=True),
        sa.Column("shown_from", sa.Integer(), nullable=True),
        sa.Column("visible_from", sa.Integer(), nullable=True),
        sa.Column("visible_until", sa.Integer(), nullable=True),
        reference("relation_id", "relation"),
        reference("note_id", "note"),
        sa.PrimaryKeyConstraint(
            *("vault_id", "relation_id", "note_id", "start", "end", "since"),
            name=op.f("pk_evidence"),
        ),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_evidence_note", "evidence", ["vault_id", "note_id"])
    op.create_table(
        "entity_change",
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("visible_from", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("visible_until", sa.Integer(), nullable=True),
        sa.Column("position", sa.Integer(), nullable=True),
        sa.Column("kind", text(), nullable=False),
        sa.Column("previous", text(), nullable=True),
        sa.Column("new", text(), nullable=True),
        sa.Column("other_id", sa.BigInteger(), nullable=True),
        sa.Column("note_id", sa.BigInteger(), nullable=False),
        sa.Column("chunk_id", sa.BigInteger(), nullable=True),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("quote", text(), nullable=True),
        reference("entity_id", "entity"),
        reference("note_id", "note"),
        sa.PrimaryKeyConstraint(
            "vault_id", "entity_id", "visible_from", "ordinal", name=op.f("pk_entity_change")
        ),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_entity_change_note", "entity_change", ["vault_id", "note_id"])


def downgrade() -> None:
    op.drop_table("entity_change")
    op.drop_table("evidence")
    op.drop_column("note", "statements")
    op.create_table(
        "entity_change",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("entity_id", sa.BigInteger(), nullable=False),
        sa.Column("chunk_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", text(), nullable=False),
        sa.Column("previous", text(), nullable=True),
        sa.Column("new", text(), nullable=True),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=True),
        sa.Column("visible_from", sa.Integer(), nullable=True),
        reference("chunk_id", "chunk"),
        reference("entity_id", "entity"),
        sa.PrimaryKeyConstraint("id", "vault_id", name=op.f("pk_entity_change")),
    )
    op.create_index(
        "ix_entity_change_entity", "entity_change", ["vault_id", "entity_id", "position"]
    )
    op.create_table(
        "evidence",
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("relation_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("chunk_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("visible_from", sa.Integer(), nullable=True),
        reference("chunk_id", "chunk"),
        reference("relation_id", "relation"),
        sa.PrimaryKeyConstraint(
            "vault_id", "relation_id", "chunk_id", "start", name=op.f("pk_evidence")
        ),
        sqlite_with_rowid=False,
    )
