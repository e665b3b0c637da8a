"""The tables without their models: what reading and writing rows needs of `tables`.

Making the models takes as long as answering a question, so that only migrations import them. This
module is written by `make docs`.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

from writeros_entities.store.columns import Json, VectorColumn

metadata = MetaData()

# [[[cog
# from write_schema import tables
# cog.outl(tables())
# ]]]
vault = Table(
    "vault",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("root", Text),
    Column("revision", BigInteger),
    Column("unfinished", Boolean),
    Column("lexicon_identity", Text),
    Column("diagnostics", Json),
    Column("lease_owner", Text),
    Column("lease_expires", Float),
    Column("synced_at", Float),
    Column("vector_revision", BigInteger),
    Column("embedded", Text),
)

note = Table(
    "note",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("vault_id", Integer, primary_key=True),
    Column("path", Text),
    Column("title", Text),
    Column("link_key", Text),
    Column("kind", Text),
    Column("size", BigInteger),
    Column("mtime_ns", BigInteger),
    Column("content_hash", Text),
    Column("position", Integer),
    Column("visible_from", Integer),
    Column("marks_inside_words", Boolean),
    Column("visible_claim", Text),
    Column("has_claimed_sections", Boolean),
    Column("frontmatter", Json),
    Column("declaration", Json),
    Column("reading_order", Json),
    Column("statements", Json),
    Column("fingerprint", Text),
    Column("detected", Text),
    Column("diagnostics", Json),
)

link = Table(
    "link",
    metadata,
    Column("vault_id", Integer, primary_key=True),
    Column("note_id", BigInteger, primary_key=True),
    Column("ordinal", Integer, primary_key=True),
    Column("kind", Text),
    Column("raw", Text),
    Column("target", Text),
    Column("target_key", Text),
    Column("heading", Text),
    Column("block", Text),
    Column("display", Text),
    Column("field", Text),
    Column("start", Integer),
    Column("end", Integer),
    Column("status", Text),
    Column("target_note_id", BigInteger),
    Column("visible_from", Integer),
)

chunk = Table(
    "chunk",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("vault_id", Integer, primary_key=True),
    Column("note_id", BigInteger),
    Column("ordinal", Integer),
    Column("heading", Text),
    Column("text", Text),
    Column("start", Integer),
    Column("end", Integer),
    Column("line", Integer),
    Column("tokens", Integer),
    Column("content_hash", Text),
    Column("visible_claim", Text),
    Column("visible_from", Integer),
    Column("usage_count", Integer),
    Column("indexed_at", Float),
    Column("shown", Text),
)

entity = Table(
    "entity",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("vault_id", Integer, primary_key=True),
    Column("key", Text),
    Column("subject", Text),
    Column("canonical_id", Text),
    Column("name", Text),
    Column("name_key", Text),
    Column("type", Text),
    Column("status", Text),
    Column("forms", Text),
    Column("note_id", BigInteger),
    Column("primary_chunk_id", BigInteger),
    Column("known_from", Integer),
    Column("visible_from", Integer),
    Column("first_position", Integer),
    Column("last_position", Integer),
    Column("mention_count", Integer),
    Column("note_count", Integer),
    Column("importance", Float),
    Column("confidence", Float),
    Column("properties", Json),
)

alias = Table(
    "alias",
    metadata,
    Column("vault_id", Integer, primary_key=True),
    Column("entity_id", BigInteger, primary_key=True),
    Column("form", Text, primary_key=True),
    Column("form_key", Text),
    Column("kind", Text),
    Column("weight", Float),
    Column("exact", Boolean),
    Column("known_from", Integer),
    Column("visible_from", Integer),
)

mention = Table(
    "mention",
    metadata,
    Column("vault_id", Integer, primary_key=True),
    Column("chunk_id", BigInteger, primary_key=True),
    Column("start", Integer, primary_key=True),
    Column("end", Integer, primary_key=True),
    Column("entity_id", BigInteger, primary_key=True),
    Column("since", Integer, primary_key=True),
    Column("visible_from", Integer),
    Column("visible_until", Integer),
    Column("form", Text),
    Column("confidence", Float),
    Column("method", Text),
    Column("reason", Text),
)

proposal = Table(
    "proposal",
    metadata,
    Column("vault_id", Integer, primary_key=True),
    Column("note_id", BigInteger, primary_key=True),
    Column("name_key", Text, primary_key=True),
    Column("name", Text),
    Column("type", Text),
    Column("count", Integer),
    Column("needed", Integer),
    Column("confidence", Float),
    Column("visible_from", Integer),
)

relation = Table(
    "relation",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("vault_id", Integer, primary_key=True),
    Column("source_id", BigInteger),
    Column("target_id", BigInteger),
    Column("kind", Text),
    Column("origin", Text),
    Column("strength", Float),
    Column("confidence", Float),
    Column("first_position", Integer),
    Column("last_position", Integer),
    Column("evidence_count", Integer),
    Column("visible_from", Integer),
)

evidence = Table(
    "evidence",
    metadata,
    Column("vault_id", Integer, primary_key=True),
    Column("relation_id", BigInteger, primary_key=True),
    Column("note_id", BigInteger, primary_key=True),
    Column("start", Integer, primary_key=True),
    Column("end", Integer, primary_key=True),
    Column("since", Integer, primary_key=True),
    Column("chunk_id", BigInteger),
    Column("form", Text),
    Column("key", Text),
    Column("line", Integer),
    Column("quote", Text),
    Column("confidence", Float),
    Column("has_ended", Boolean),
    Column("position", Integer),
    Column("shown_from", Integer),
    Column("visible_from", Integer),
    Column("visible_until", Integer),
)

topic = Table(
    "topic",
    metadata,
    Column("vault_id", Integer, primary_key=True),
    Column("note_id", BigInteger, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("confidence", Float),
    Column("visible_from", Integer),
)

entity_change = Table(
    "entity_change",
    metadata,
    Column("vault_id", Integer, primary_key=True),
    Column("entity_id", BigInteger, primary_key=True),
    Column("visible_from", Integer, primary_key=True),
    Column("ordinal", Integer, primary_key=True),
    Column("visible_until", Integer),
    Column("position", Integer),
    Column("kind", Text),
    Column("previous", Text),
    Column("new", Text),
    Column("other_id", BigInteger),
    Column("note_id", BigInteger),
    Column("chunk_id", BigInteger),
    Column("start", Integer),
    Column("end", Integer),
    Column("line", Integer),
    Column("quote", Text),
)

embedding = Table(
    "embedding",
    metadata,
    Column("vault_id", Integer, primary_key=True),
    Column("model", Text, primary_key=True),
    Column("content_hash", Text, primary_key=True),
    Column("vector", VectorColumn),
    Column("windows", LargeBinary),
    Column("words", LargeBinary),
)

relation_model = Table(
    "relation_model",
    metadata,
    Column("vault_id", Integer, primary_key=True),
    Column("identity", Text, primary_key=True),
    Column("weights", LargeBinary),
    Column("report", Json),
    Column("trained_at", Float),
)
# [[[end]]]
