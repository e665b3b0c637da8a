"""The tables of the first release."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op
from writeros_entities.store.columns import Json, PlainText, VectorColumn

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "vault",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("root", PlainText, nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("unfinished", sa.Boolean(), nullable=False),
        sa.Column("lexicon_identity", PlainText, nullable=False),
        sa.Column("diagnostics", Json, nullable=True),
        sa.Column("lease_owner", PlainText, nullable=True),
        sa.Column("lease_expires", sa.Float(), nullable=True),
        sa.Column("synced_at", sa.Float(), nullable=True),
        sa.Column("vector_revision", sa.BigInteger(), nullable=False),
        sa.Column("embedded", PlainText, nullable=False),
        sa.Column("names", Json, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vault")),
        sa.UniqueConstraint("root", name=op.f("uq_vault_root")),
    )
    op.create_table(
        "embedding",
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("model", PlainText, nullable=False),
        sa.Column("content_hash", PlainText, nullable=False),
        sa.Column("vector", VectorColumn(), nullable=False),
        sa.Column("windows", sa.LargeBinary(), nullable=True),
        sa.Column("words", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(
            ["vault_id"], ["vault.id"], name=op.f("fk_embedding_vault"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("vault_id", "model", "content_hash", name=op.f("pk_embedding")),
    )
    op.create_table(
        "entity",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("key", PlainText, nullable=False),
        sa.Column("subject", PlainText, nullable=False),
        sa.Column("canonical_id", PlainText, nullable=True),
        sa.Column("name", PlainText, nullable=False),
        sa.Column("name_key", PlainText, nullable=False),
        sa.Column("type", PlainText, nullable=False),
        sa.Column("status", PlainText, nullable=False),
        sa.Column("forms", PlainText, nullable=False),
        sa.Column("note_id", sa.BigInteger(), nullable=True),
        sa.Column("known_from", sa.Integer(), nullable=True),
        sa.Column("visible_from", sa.Integer(), nullable=True),
        sa.Column("first_position", sa.Integer(), nullable=True),
        sa.Column("last_position", sa.Integer(), nullable=True),
        sa.Column("mention_count", sa.Integer(), nullable=False),
        sa.Column("note_count", sa.Integer(), nullable=False),
        sa.Column("importance", sa.Float(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("properties", Json, nullable=True),
        sa.Column("origin", Json, nullable=True),
        sa.ForeignKeyConstraint(
            ["vault_id"], ["vault.id"], name=op.f("fk_entity_vault"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", "vault_id", name=op.f("pk_entity")),
    )
    op.create_index(
        "ix_entity_canonical_id",
        "entity",
        ["vault_id", "canonical_id"],
        unique=False,
        sqlite_where=sa.text("canonical_id IS NOT NULL"),
        postgresql_where=sa.text("canonical_id IS NOT NULL"),
    )
    op.create_index("ix_entity_key", "entity", ["vault_id", "key"], unique=True)
    op.create_index("ix_entity_mentions", "entity", ["vault_id", "mention_count"], unique=False)
    op.create_index("ix_entity_name_key", "entity", ["vault_id", "name_key"], unique=False)
    op.create_index(
        "ix_entity_note",
        "entity",
        ["vault_id", "note_id"],
        unique=False,
        sqlite_where=sa.text("note_id IS NOT NULL"),
        postgresql_where=sa.text("note_id IS NOT NULL"),
    )
    op.create_index("ix_entity_subject", "entity", ["vault_id", "subject"], unique=True)
    op.create_table(
        "note",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("path", PlainText, nullable=False),
        sa.Column("title", PlainText, nullable=False),
        sa.Column("link_key", PlainText, nullable=False),
        sa.Column("kind", PlainText, nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("mtime_ns", sa.BigInteger(), nullable=False),
        sa.Column("content_hash", PlainText, nullable=True),
        sa.Column("position", sa.Integer(), nullable=True),
        sa.Column("visible_from", sa.Integer(), nullable=True),
        sa.Column("marks_inside_words", sa.Boolean(), nullable=False),
        sa.Column("visible_claim", PlainText, nullable=True),
        sa.Column("has_claimed_sections", sa.Boolean(), nullable=False),
        sa.Column("frontmatter", Json, nullable=True),
        sa.Column("declaration", Json, nullable=True),
        sa.Column("reading_order", Json, nullable=True),
        sa.Column("statements", Json, nullable=True),
        sa.Column("fingerprint", PlainText, nullable=True),
        sa.Column("detected", PlainText, nullable=True),
        sa.Column("diagnostics", Json, nullable=True),
        sa.ForeignKeyConstraint(
            ["vault_id"], ["vault.id"], name=op.f("fk_note_vault"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", "vault_id", name=op.f("pk_note")),
    )
    op.create_index("ix_note_detected", "note", ["vault_id", "detected"], unique=False)
    op.create_index("ix_note_link_key", "note", ["vault_id", "link_key"], unique=False)
    op.create_index("ix_note_path", "note", ["vault_id", "path"], unique=True)
    op.create_index(
        "ix_note_position",
        "note",
        ["vault_id", "position"],
        unique=False,
        sqlite_where=sa.text("position IS NOT NULL"),
        postgresql_where=sa.text("position IS NOT NULL"),
    )
    op.create_table(
        "relation_model",
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("identity", PlainText, nullable=False),
        sa.Column("weights", sa.LargeBinary(), nullable=False),
        sa.Column("report", Json, nullable=True),
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
        sa.Column("form", PlainText, nullable=False),
        sa.Column("form_key", PlainText, nullable=False),
        sa.Column("kind", PlainText, nullable=False),
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
    op.create_index("ix_alias_form_key", "alias", ["vault_id", "form_key"], unique=False)
    op.create_table(
        "chunk",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("note_id", sa.BigInteger(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("heading", PlainText, nullable=False),
        sa.Column("text", PlainText, nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("content_hash", PlainText, nullable=False),
        sa.Column("visible_claim", PlainText, nullable=True),
        sa.Column("visible_from", sa.Integer(), nullable=True),
        sa.Column("shown", PlainText, nullable=True),
        sa.Column("sections", PlainText, nullable=True),
        sa.ForeignKeyConstraint(
            ["note_id", "vault_id"],
            ["note.id", "note.vault_id"],
            name="fk_note_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", "vault_id", name=op.f("pk_chunk")),
    )
    op.create_index(
        "ix_chunk_note",
        "chunk",
        ["vault_id", "note_id", "ordinal", "id", "tokens", "visible_from", "content_hash"],
        unique=False,
    )
    op.create_table(
        "entity_change",
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("entity_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("visible_from", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("visible_until", sa.Integer(), nullable=True),
        sa.Column("position", sa.Integer(), nullable=True),
        sa.Column("kind", PlainText, nullable=False),
        sa.Column("previous", PlainText, nullable=True),
        sa.Column("new", PlainText, nullable=True),
        sa.Column("other_id", sa.BigInteger(), nullable=True),
        sa.Column("note_id", sa.BigInteger(), nullable=False),
        sa.Column("chunk_id", sa.BigInteger(), nullable=True),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("quote", PlainText, nullable=True),
        sa.ForeignKeyConstraint(
            ["entity_id", "vault_id"],
            ["entity.id", "entity.vault_id"],
            name="fk_entity_id",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["note_id", "vault_id"],
            ["note.id", "note.vault_id"],
            name="fk_note_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "vault_id", "entity_id", "visible_from", "ordinal", name=op.f("pk_entity_change")
        ),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_entity_change_note", "entity_change", ["vault_id", "note_id"], unique=False)
    op.create_table(
        "link",
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("note_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("kind", PlainText, nullable=False),
        sa.Column("raw", PlainText, nullable=False),
        sa.Column("target", PlainText, nullable=False),
        sa.Column("target_key", PlainText, nullable=False),
        sa.Column("heading", PlainText, nullable=True),
        sa.Column("block", PlainText, nullable=True),
        sa.Column("display", PlainText, nullable=True),
        sa.Column("field", PlainText, nullable=True),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("status", PlainText, nullable=False),
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
    op.create_index("ix_link_target_key", "link", ["vault_id", "target_key"], unique=False)
    op.create_index("ix_link_target_note", "link", ["vault_id", "target_note_id"], unique=False)
    op.create_table(
        "proposal",
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("note_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name_key", PlainText, nullable=False),
        sa.Column("name", PlainText, nullable=False),
        sa.Column("type", PlainText, nullable=True),
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
    op.create_index("ix_proposal_name_key", "proposal", ["vault_id", "name_key"], unique=False)
    op.create_table(
        "relation",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("source_id", sa.BigInteger(), nullable=False),
        sa.Column("target_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", PlainText, nullable=False),
        sa.Column("origin", PlainText, nullable=False),
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
    op.create_index(
        "ix_relation_source", "relation", ["vault_id", "source_id", "target_id"], unique=False
    )
    op.create_index(
        "ix_relation_target", "relation", ["vault_id", "target_id", "source_id"], unique=False
    )
    op.create_table(
        "topic",
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("note_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", PlainText, nullable=False),
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
        "evidence",
        sa.Column("vault_id", sa.Integer(), nullable=False),
        sa.Column("relation_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("note_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("since", sa.Integer(), nullable=False),
        sa.Column("chunk_id", sa.BigInteger(), nullable=True),
        sa.Column("form", PlainText, nullable=False),
        sa.Column("key", PlainText, nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("quote", PlainText, nullable=True),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("has_ended", sa.Boolean(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=True),
        sa.Column("shown_from", sa.Integer(), nullable=True),
        sa.Column("visible_from", sa.Integer(), nullable=True),
        sa.Column("visible_until", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["note_id", "vault_id"],
            ["note.id", "note.vault_id"],
            name="fk_note_id",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["relation_id", "vault_id"],
            ["relation.id", "relation.vault_id"],
            name="fk_relation_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "vault_id", "relation_id", "note_id", "start", "end", "since", name=op.f("pk_evidence")
        ),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_evidence_note", "evidence", ["vault_id", "note_id"], unique=False)
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
        sa.Column("form", PlainText, nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("method", PlainText, nullable=False),
        sa.Column("reason", PlainText, nullable=True),
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
    op.create_index(
        "ix_mention_entity",
        "mention",
        ["vault_id", "entity_id", "visible_from", "visible_until", "form"],
        unique=False,
    )
