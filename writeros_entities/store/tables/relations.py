"""The tables of relations and of their evidence."""

from __future__ import annotations

from sqlalchemy import (
    Float,
    Index,
    Integer,
)
from sqlmodel import Field

from writeros_entities.store.tables.base import (
    CLUSTERED,
    Base,
    big_integer,
    cascade,
    key_column,
    position_column,
    text_column,
    vault_column,
)


class Relation(Base, table=True):
    """A typed edge between two entities, aggregated over its evidence.

    A kind and its inverse are one row, under the kind; a symmetric relation is stored once, from
    the lower id to the higher. `origin` is `asserted`, or `status` for a statement about one entity
    alone (`dead`), whose source and target are the same. The position columns cover all evidence;
    under `as_of` a view aggregates again over what may be seen. `visible_from` is that of the first
    evidence.
    """

    __tablename__ = "relation"
    __table_args__ = (
        cascade("source_id", "entity"),
        cascade("target_id", "entity"),
        Index("ix_relation_source", "vault_id", "source_id", "target_id"),
        Index("ix_relation_target", "vault_id", "target_id", "source_id"),
    )

    id: int = key_column()
    vault_id: int = vault_column()
    source_id: int = big_integer()
    target_id: int = big_integer()
    kind: str = text_column()
    origin: str = text_column()
    strength: float = Field(sa_type=Float)
    confidence: float = Field(sa_type=Float)
    first_position: int | None = position_column()
    last_position: int | None = position_column()
    evidence_count: int = Field(0, sa_type=Integer)
    visible_from: int | None = position_column()


class Evidence(Base, table=True):
    """A span of a note, or of a canvas, that supports a relation.

    `form` says how it is stated: `frontmatter`, `field`, `canvas` or `prose`. `quote` holds the
    text of a span outside all chunks (`chunk_id` is null then). The span itself may be read from
    `shown_from` on; `visible_from` is the greatest of that and of where its two entities are met.
    `position` is its place in reading order: the note's, or else where the note becomes visible.
    `since` is the `visible_from` of the readings of the names in it, as in a mention. `has_ended`
    marks what the text says is over.
    """

    __tablename__ = "evidence"
    __table_args__ = (
        cascade("relation_id", "relation"),
        cascade("note_id", "note"),
        Index("ix_evidence_note", "vault_id", "note_id"),
        CLUSTERED,
    )

    vault_id: int = vault_column()
    relation_id: int = key_column()
    note_id: int = key_column()
    start: int = Field(sa_type=Integer, primary_key=True)
    end: int = Field(sa_type=Integer, primary_key=True)
    since: int = Field(sa_type=Integer, primary_key=True)
    chunk_id: int | None = big_integer(None)
    form: str = text_column()
    key: str = text_column()
    line: int = Field(sa_type=Integer)
    quote: str | None = text_column(None)
    confidence: float = Field(sa_type=Float)
    has_ended: bool = False
    position: int | None = position_column()
    shown_from: int | None = position_column()
    visible_from: int | None = position_column()
    visible_until: int | None = position_column()
