"""search: a full-text index on titles, and covering indexes for search"""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op
from writeros_entities.store.postgres import schema

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

REMOVE = "INSERT INTO note_fts(note_fts, rowid, title) VALUES ('delete', old.id, old.title);"
ADD = "INSERT INTO note_fts(rowid, title) VALUES (new.id, new.title);"

STATEMENTS = (
    "CREATE VIRTUAL TABLE note_fts USING fts5(title, content='note', content_rowid='id', "
    "tokenize='unicode61 remove_diacritics 2')",
    f"CREATE TRIGGER note_fts_insert AFTER INSERT ON note BEGIN {ADD} END",
    f"CREATE TRIGGER note_fts_delete AFTER DELETE ON note BEGIN {REMOVE} END",
    f"CREATE TRIGGER note_fts_update AFTER UPDATE OF id, title ON note BEGIN {REMOVE} {ADD} END",
    "INSERT INTO note_fts(note_fts) VALUES ('rebuild')",
)


IS_CANONICAL = sa.text("canonical_id IS NOT NULL")


def index(table: str, name: str, *columns: str, **options: object) -> None:
    with op.batch_alter_table(table, schema=None) as batch_op:
        batch_op.drop_index(name)
        batch_op.create_index(name, ["vault_id", *columns], **options)


def upgrade() -> None:
    canonical = ("entity", "ix_entity_canonical_id", "canonical_id")
    index(*canonical, sqlite_where=IS_CANONICAL, postgresql_where=IS_CANONICAL)
    index(
        *("chunk", "ix_chunk_note"),
        *("note_id", "ordinal", "id", "tokens", "visible_from", "content_hash"),
    )
    index(
        *("mention", "ix_mention_entity"),
        *("entity_id", "visible_from", "visible_until", "form"),
    )
    if op.get_bind().dialect.name == "sqlite":
        for statement in STATEMENTS:
            op.execute(statement)
    else:
        schema.keep_words(op.get_bind(), "note", "title", "''")


def downgrade() -> None:
    index("entity", "ix_entity_canonical_id", "canonical_id")
    index("chunk", "ix_chunk_note", "note_id", "ordinal")
    index("mention", "ix_mention_entity", "entity_id", "visible_from")
    if op.get_bind().dialect.name == "sqlite":
        for event in ("insert", "delete", "update"):
            op.execute(f"DROP TRIGGER note_fts_{event}")
        op.execute("DROP TABLE note_fts")
    else:
        schema.drop_words(op.get_bind(), "note")
