"""first schema"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from alembic import op
from writeros_entities.store.postgres import schema

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def json() -> sa.types.TypeEngine[object]:
    """JSON, or JSONB on PostgreSQL; None is SQL NULL."""
    jsonb = postgresql.JSONB(none_as_null=True)
    return sa.JSON(none_as_null=True).with_variant(jsonb, "postgresql")


def text() -> sa.types.TypeEngine[str]:
    """Text that every engine sorts and compares by code points."""
    return sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def full_text(index: str, table: str, *columns: str) -> list[str]:
    """Return the statements for a full-text index with external content, and its triggers."""
    names = ", ".join(columns)
    new = ", ".join(f"new.{column}" for column in columns)
    old = ", ".join(f"old.{column}" for column in columns)
    remove = f"INSERT INTO {index}({index}, rowid, {names}) VALUES ('delete', old.id, {old});"
    add = f"INSERT INTO {index}(rowid, {names}) VALUES (new.id, {new});"
    return [
        f"CREATE VIRTUAL TABLE {index} USING fts5({names}, content='{table}', "
        "content_rowid='id', tokenize='unicode61 remove_diacritics 2')",
        f"CREATE TRIGGER {index}_insert AFTER INSERT ON {table} BEGIN {add} END",
        f"CREATE TRIGGER {index}_delete AFTER DELETE ON {table} BEGIN {remove} END",
        f"CREATE TRIGGER {index}_update AFTER UPDATE OF id, {names} ON {table} "
        f"BEGIN {remove} {add} END",
    ]


def upgrade() -> None:
    op.create_table(
        "vault",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("root", text(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("unfinished", sa.Boolean(), nullable=False),
        sa.Column("lexicon_identity", text(), nullable=False),
        sa.Column("diagnostics", json(), nullable=True),
        sa.Column("lease_owner", text(), nullable=True),
        sa.Column("lease_expires", sa.Float(), nullable=True),
        sa.Column("synced_at", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vault")),
        sa.UniqueConstraint("root", name=op.f("uq_vault_root")),
    )
    op.create_table(
        "embedding",
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("model", text(), nullable=False),
        sa.Column("content_hash", text(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["vault_id"], ["vault.id"], name=op.f("fk_embedding_vault"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("vault_id", "model", "content_hash", name=op.f("pk_embedding")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "entity",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("key", text(), nullable=False),
        sa.Column("subject", text(), nullable=False),
        sa.Column("canonical_id", text(), nullable=True),
        sa.Column("name", text(), nullable=False),
        sa.Column("name_key", text(), nullable=False),
        sa.Column("type", text(), nullable=False),
        sa.Column("status", text(), nullable=False),
        sa.Column("forms", text(), nullable=False),
        sa.Column("note_id", sa.BigInteger(), nullable=True),
        sa.Column("primary_chunk_id", sa.BigInteger(), nullable=True),
        sa.Column("known_from", sa.Integer(), nullable=True),
        sa.Column("visible_from", sa.Integer(), nullable=True),
        sa.Column("first_position", sa.Integer(), nullable=True),
        sa.Column("last_position", sa.Integer(), nullable=True),
        sa.Column("mention_count", sa.Integer(), nullable=False),
        sa.Column("note_count", sa.Integer(), nullable=False),
        sa.Column("importance", sa.Float(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("properties", json(), nullable=True),
        sa.ForeignKeyConstraint(
            ["vault_id"], ["vault.id"], name=op.f("fk_entity_vault"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", "vault_id", name=op.f("pk_entity")),
    )
    with op.batch_alter_table("entity", schema=None) as batch_op:
        batch_op.create_index("ix_entity_canonical_id", ["vault_id", "canonical_id"], unique=False)
        batch_op.create_index("ix_entity_key", ["vault_id", "key"], unique=True)
        batch_op.create_index("ix_entity_mentions", ["vault_id", "mention_count"], unique=False)
        batch_op.create_index("ix_entity_name_key", ["vault_id", "name_key"], unique=False)
        batch_op.create_index("ix_entity_subject", ["vault_id", "subject"], unique=True)

    op.create_table(
        "note",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("path", text(), nullable=False),
        sa.Column("title", text(), nullable=False),
        sa.Column("link_key", text(), nullable=False),
        sa.Column("kind", text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("mtime_ns", sa.BigInteger(), nullable=False),
        sa.Column("content_hash", text(), nullable=True),
        sa.Column("position", sa.Integer(), nullable=True),
        sa.Column("visible_from", sa.Integer(), nullable=True),
        sa.Column("marks_inside_words", sa.Boolean(), nullable=False),
        sa.Column("visible_claim", text(), nullable=True),
        sa.Column("has_claimed_sections", sa.Boolean(), nullable=False),
        sa.Column("frontmatter", json(), nullable=True),
        sa.Column("declaration", json(), nullable=True),
        sa.Column("reading_order", json(), nullable=True),
        sa.Column("fingerprint", text(), nullable=True),
        sa.Column("detected", text(), nullable=True),
        sa.Column("diagnostics", json(), nullable=True),
        sa.ForeignKeyConstraint(
            ["vault_id"], ["vault.id"], name=op.f("fk_note_vault"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", "vault_id", name=op.f("pk_note")),
    )
    with op.batch_alter_table("note", schema=None) as batch_op:
        batch_op.create_index("ix_note_detected", ["vault_id", "detected"], unique=False)
        batch_op.create_index("ix_note_link_key", ["vault_id", "link_key"], unique=False)
        batch_op.create_index("ix_note_path", ["vault_id", "path"], unique=True)

    op.create_table(
        "relation_model",
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("identity", text(), nullable=False),
        sa.Column("weights", sa.LargeBinary(), nullable=False),
        sa.Column("report", json(), nullable=True),
        sa.Column("trained_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["vault_id"], ["vault.id"], name=op.f("fk_relation_model_vault"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("vault_id", "identity", name=op.f("pk_relation_model")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "alias",
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("form", text(), nullable=False),
        sa.Column("form_key", text(), nullable=False),
        sa.Column("kind", text(), nullable=False),
        sa.Column("weight", sa.Float(), nullable=False),
        sa.Column("exact", sa.Boolean(), nullable=False),
        sa.Column("known_from", sa.Integer(), nullable=True),
        sa.Column("visible_from", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["entity_id", "vault_id"],
            ["entity.id", "entity.vault_id"],
            name="fk_entity_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("vault_id", "entity_id", "form", name=op.f("pk_alias")),
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("alias", schema=None) as batch_op:
        batch_op.create_index("ix_alias_form_key", ["vault_id", "form_key"], unique=False)

    op.create_table(
        "chunk",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("note_id", sa.BigInteger(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("heading", text(), nullable=False),
        sa.Column("text", text(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("content_hash", text(), nullable=False),
        sa.Column("visible_claim", text(), nullable=True),
        sa.Column("visible_from", sa.Integer(), nullable=True),
        sa.Column("usage_count", sa.Integer(), nullable=False),
        sa.Column("indexed_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["note_id", "vault_id"],
            ["note.id", "note.vault_id"],
            name="fk_note_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", "vault_id", name=op.f("pk_chunk")),
    )
    with op.batch_alter_table("chunk", schema=None) as batch_op:
        batch_op.create_index("ix_chunk_note", ["vault_id", "note_id", "ordinal"], unique=False)

    op.create_table(
        "link",
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("note_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("kind", text(), nullable=False),
        sa.Column("raw", text(), nullable=False),
        sa.Column("target", text(), nullable=False),
        sa.Column("target_key", text(), nullable=False),
        sa.Column("heading", text(), nullable=True),
        sa.Column("block", text(), nullable=True),
        sa.Column("display", text(), nullable=True),
        sa.Column("field", text(), nullable=True),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("status", text(), nullable=False),
        sa.Column("target_note_id", sa.BigInteger(), nullable=True),
        sa.Column("visible_from", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["note_id", "vault_id"],
            ["note.id", "note.vault_id"],
            name="fk_note_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("vault_id", "note_id", "ordinal", name=op.f("pk_link")),
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("link", schema=None) as batch_op:
        batch_op.create_index("ix_link_target_key", ["vault_id", "target_key"], unique=False)
        batch_op.create_index("ix_link_target_note", ["vault_id", "target_note_id"], unique=False)

    op.create_table(
        "proposal",
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("note_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name_key", text(), nullable=False),
        sa.Column("name", text(), nullable=False),
        sa.Column("type", text(), nullable=True),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("needed", sa.Integer(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("visible_from", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["note_id", "vault_id"],
            ["note.id", "note.vault_id"],
            name="fk_note_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("vault_id", "note_id", "name_key", name=op.f("pk_proposal")),
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("proposal", schema=None) as batch_op:
        batch_op.create_index("ix_proposal_name_key", ["vault_id", "name_key"], unique=False)

    op.create_table(
        "relation",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("source_id", sa.BigInteger(), nullable=False),
        sa.Column("target_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", text(), nullable=False),
        sa.Column("origin", text(), nullable=False),
        sa.Column("strength", sa.Float(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("first_position", sa.Integer(), nullable=True),
        sa.Column("last_position", sa.Integer(), nullable=True),
        sa.Column("evidence_count", sa.Integer(), nullable=False),
        sa.Column("visible_from", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["source_id", "vault_id"],
            ["entity.id", "entity.vault_id"],
            name="fk_source_id",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["target_id", "vault_id"],
            ["entity.id", "entity.vault_id"],
            name="fk_target_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", "vault_id", name=op.f("pk_relation")),
    )
    with op.batch_alter_table("relation", schema=None) as batch_op:
        batch_op.create_index(
            "ix_relation_source", ["vault_id", "source_id", "target_id"], unique=False
        )
        batch_op.create_index(
            "ix_relation_target", ["vault_id", "target_id", "source_id"], unique=False
        )

    op.create_table(
        "topic",
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("note_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", text(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("visible_from", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["note_id", "vault_id"],
            ["note.id", "note.vault_id"],
            name="fk_note_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("vault_id", "note_id", "name", name=op.f("pk_topic")),
        sqlite_with_rowid=False,
    )
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
        sa.ForeignKeyConstraint(
            ["chunk_id", "vault_id"],
            ["chunk.id", "chunk.vault_id"],
            name="fk_chunk_id",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["entity_id", "vault_id"],
            ["entity.id", "entity.vault_id"],
            name="fk_entity_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", "vault_id", name=op.f("pk_entity_change")),
    )
    with op.batch_alter_table("entity_change", schema=None) as batch_op:
        batch_op.create_index(
            "ix_entity_change_entity", ["vault_id", "entity_id", "position"], unique=False
        )

    op.create_table(
        "evidence",
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("relation_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("chunk_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("visible_from", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["chunk_id", "vault_id"],
            ["chunk.id", "chunk.vault_id"],
            name="fk_chunk_id",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["relation_id", "vault_id"],
            ["relation.id", "relation.vault_id"],
            name="fk_relation_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "vault_id", "relation_id", "chunk_id", "start", name=op.f("pk_evidence")
        ),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "mention",
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("chunk_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("since", sa.Integer(), nullable=False),
        sa.Column("visible_from", sa.Integer(), nullable=True),
        sa.Column("visible_until", sa.Integer(), nullable=True),
        sa.Column("form", text(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("method", text(), nullable=False),
        sa.Column("reason", text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["chunk_id", "vault_id"],
            ["chunk.id", "chunk.vault_id"],
            name="fk_chunk_id",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["entity_id", "vault_id"],
            ["entity.id", "entity.vault_id"],
            name="fk_entity_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "vault_id", "chunk_id", "start", "end", "entity_id", "since", name=op.f("pk_mention")
        ),
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("mention", schema=None) as batch_op:
        batch_op.create_index(
            "ix_mention_entity", ["vault_id", "entity_id", "visible_from"], unique=False
        )
    if op.get_bind().dialect.name == "sqlite":
        statements = full_text("chunk_fts", "chunk", "text", "heading")
        statements += full_text("entity_fts", "entity", "name", "forms")
        for statement in statements:
            op.execute(statement)
    else:
        schema.create_functions(op.get_bind())
        schema.keep_words(op.get_bind(), "chunk", "heading", "text")
        schema.keep_counts(op.get_bind(), "chunk", "heading", "text")
        schema.keep_words(op.get_bind(), "entity", "name", "forms")


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TABLE chunk_fts")
        op.execute("DROP TABLE entity_fts")
    with op.batch_alter_table("mention", schema=None) as batch_op:
        batch_op.drop_index("ix_mention_entity")

    op.drop_table("mention")
    op.drop_table("evidence")
    with op.batch_alter_table("entity_change", schema=None) as batch_op:
        batch_op.drop_index("ix_entity_change_entity")

    op.drop_table("entity_change")
    op.drop_table("topic")
    with op.batch_alter_table("relation", schema=None) as batch_op:
        batch_op.drop_index("ix_relation_target")
        batch_op.drop_index("ix_relation_source")

    op.drop_table("relation")
    with op.batch_alter_table("proposal", schema=None) as batch_op:
        batch_op.drop_index("ix_proposal_name_key")

    op.drop_table("proposal")
    with op.batch_alter_table("link", schema=None) as batch_op:
        batch_op.drop_index("ix_link_target_note")
        batch_op.drop_index("ix_link_target_key")

    op.drop_table("link")
    with op.batch_alter_table("chunk", schema=None) as batch_op:
        batch_op.drop_index("ix_chunk_note")

    op.drop_table("chunk")
    with op.batch_alter_table("alias", schema=None) as batch_op:
        batch_op.drop_index("ix_alias_form_key")

    op.drop_table("alias")
    op.drop_table("relation_model")
    with op.batch_alter_table("note", schema=None) as batch_op:
        batch_op.drop_index("ix_note_path")
        batch_op.drop_index("ix_note_link_key")
        batch_op.drop_index("ix_note_detected")

    op.drop_table("note")
    with op.batch_alter_table("entity", schema=None) as batch_op:
        batch_op.drop_index("ix_entity_subject")
        batch_op.drop_index("ix_entity_name_key")
        batch_op.drop_index("ix_entity_mentions")
        batch_op.drop_index("ix_entity_key")
        batch_op.drop_index("ix_entity_canonical_id")

    op.drop_table("entity")
    if op.get_bind().dialect.name == "postgresql":
        schema.drop_functions(op.get_bind())
    op.drop_table("embedding")
    op.drop_table("vault")
