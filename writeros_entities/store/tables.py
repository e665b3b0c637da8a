"""The tables: one schema on every engine.

`vault_id` is part of every key, so that two vaults in one database never meet and the tables can be
distributed by it. Ids are assigned by the vault's one writer (see `rows.IdSequence`), not by the
engine. `visible_from` is the reading position from which a row may be shown: the greatest of its
sources'; null means never under `as_of`. `visible_until`, where there is one, is the position from
which a better reading of the same span replaces the row. On PostgreSQL, text columns have the
collation C (set by the migrations), so that every engine sorts text by code point.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Float,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Text,
    text,
)
from sqlmodel import Field, SQLModel

from writeros_entities.store.columns import Json, VectorColumn

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

metadata = MetaData(naming_convention=NAMING)

CLUSTERED = {"sqlite_with_rowid": False}
"""On SQLite, store the rows of these tables in the order of their primary key (WITHOUT ROWID)."""


class Base(SQLModel):
    """Base class of all tables, with their metadata."""

    metadata = metadata


def _key() -> Any:
    return Field(sa_type=BigInteger, primary_key=True, sa_column_kwargs={"autoincrement": False})


def _vault() -> Any:
    return Field(sa_type=Integer, primary_key=True)


def _big(default: Any = ...) -> Any:
    return Field(default, sa_type=BigInteger)


def _text(default: Any = ...) -> Any:
    return Field(default, sa_type=Text)


def _position() -> Any:
    return Field(None, sa_type=Integer)


def _json() -> Any:
    return Field(None, sa_type=Json)


def _vault_key() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["vault_id"], ["vault.id"], ondelete="CASCADE")


def _cascade(column: str, table: str) -> ForeignKeyConstraint:
    return ForeignKeyConstraint(
        [column, "vault_id"],
        [f"{table}.id", f"{table}.vault_id"],
        name=f"fk_{column}",
        ondelete="CASCADE",
    )


class Vault(Base, table=True):
    """One vault: where it lies, the state of its index, and who is writing it.

    `vector_revision` counts changes of its vectors. `embedded` records the revision and the model
    at which all texts were known to have a vector, or why there are none.
    """

    __tablename__ = "vault"

    id: int = Field(sa_type=Integer, primary_key=True)
    root: str = Field(sa_type=Text, unique=True)
    revision: int = _big(0)
    unfinished: bool = False
    lexicon_identity: str = _text("")
    diagnostics: list[Any] | None = _json()
    lease_owner: str | None = _text(None)
    lease_expires: float | None = Field(None, sa_type=Float)
    synced_at: float | None = Field(None, sa_type=Float)
    vector_revision: int = _big(0)
    embedded: str = _text("")


class Note(Base, table=True):
    """One file of the vault: a note, or another file that a link can point to.

    `mtime_ns` is negative if the file was so young when it was read that it may have changed since
    with the same timestamp; the next sync reads it again.
    """

    __tablename__ = "note"
    __table_args__ = (
        _vault_key(),
        Index("ix_note_path", "vault_id", "path", unique=True),
        Index("ix_note_link_key", "vault_id", "link_key"),
        Index("ix_note_detected", "vault_id", "detected"),
    )

    id: int = _key()
    vault_id: int = _vault()
    path: str = _text()
    title: str = _text()
    link_key: str = _text()
    kind: str = _text()
    size: int = _big()
    mtime_ns: int = _big()
    content_hash: str | None = _text(None)
    position: int | None = _position()
    visible_from: int | None = _position()
    marks_inside_words: bool = False
    visible_claim: str | None = _text(None)
    has_claimed_sections: bool = False
    frontmatter: dict[str, Any] | None = _json()
    declaration: dict[str, Any] | None = _json()
    reading_order: dict[str, Any] | None = _json()
    statements: list[Any] | None = _json()
    fingerprint: str | None = _text(None)
    detected: str | None = _text(None)
    diagnostics: list[Any] | None = _json()


class Link(Base, table=True):
    """One link as written, and what it points to.

    With the kind `name`, it is a property's value that may name an entity without a link.
    """

    __tablename__ = "link"
    __table_args__ = (
        _cascade("note_id", "note"),
        Index("ix_link_target_key", "vault_id", "target_key"),
        Index("ix_link_target_note", "vault_id", "target_note_id"),
        CLUSTERED,
    )

    vault_id: int = _vault()
    note_id: int = _key()
    ordinal: int = Field(sa_type=Integer, primary_key=True)
    kind: str = _text()
    raw: str = _text()
    target: str = _text()
    target_key: str = _text()
    heading: str | None = _text(None)
    block: str | None = _text(None)
    display: str | None = _text(None)
    field: str | None = _text(None)
    start: int = Field(sa_type=Integer)
    end: int = Field(sa_type=Integer)
    status: str = _text("unresolved")
    target_note_id: int | None = _big(None)
    visible_from: int | None = _position()


_COUNTED = ("id", "tokens", "visible_from", "content_hash")
"""The columns that search reads of every chunk: the index holds them apart from the texts."""


class Chunk(Base, table=True):
    """A span of a note: the unit of knowledge and of proof.

    `text` is as written. If it contains comments of the author, `shown` is what others see: the
    text without the comments, all other characters at their offsets.
    """

    __tablename__ = "chunk"
    __table_args__ = (
        _cascade("note_id", "note"),
        Index("ix_chunk_note", "vault_id", "note_id", "ordinal", *_COUNTED),
    )

    id: int = _key()
    vault_id: int = _vault()
    note_id: int = _big()
    ordinal: int = Field(sa_type=Integer)
    heading: str = _text("")
    text: str = _text()
    start: int = Field(sa_type=Integer)
    end: int = Field(sa_type=Integer)
    line: int = Field(sa_type=Integer)
    tokens: int = Field(sa_type=Integer)
    content_hash: str = _text()
    visible_claim: str | None = _text(None)
    visible_from: int | None = _position()
    usage_count: int = Field(0, sa_type=Integer)
    indexed_at: float = Field(sa_type=Float)
    shown: str | None = _text(None)


_IS_CANONICAL = text("canonical_id IS NOT NULL")
"""A partial index: few entities have a canonical id, and an index full of nulls would not be used.
"""


class Entity(Base, table=True):
    """A person, place, faction or thing that the vault speaks of.

    `subject` is what an entity is identified by across syncs: a note, the target of an unresolved
    link, a canonical id of a knowledge base, or a repeated name. `key` is the id that callers see:
    opaque, and unchanged when the note is renamed.
    """

    __tablename__ = "entity"
    __table_args__ = (
        _vault_key(),
        Index("ix_entity_key", "vault_id", "key", unique=True),
        Index(
            "ix_entity_canonical_id",
            *("vault_id", "canonical_id"),
            sqlite_where=_IS_CANONICAL,
            postgresql_where=_IS_CANONICAL,
        ),
        Index("ix_entity_subject", "vault_id", "subject", unique=True),
        Index("ix_entity_name_key", "vault_id", "name_key"),
        Index("ix_entity_mentions", "vault_id", "mention_count"),
    )

    id: int = _key()
    vault_id: int = _vault()
    key: str = _text()
    subject: str = _text()
    canonical_id: str | None = _text(None)
    name: str = _text()
    name_key: str = _text()
    type: str = _text()
    status: str = _text()
    forms: str = _text("")
    note_id: int | None = _big(None)
    primary_chunk_id: int | None = _big(None)
    known_from: int | None = _position()
    visible_from: int | None = _position()
    first_position: int | None = _position()
    last_position: int | None = _position()
    mention_count: int = Field(0, sa_type=Integer)
    note_count: int = Field(0, sa_type=Integer)
    importance: float = Field(0.0, sa_type=Float)
    confidence: float = Field(1.0, sa_type=Float)
    properties: dict[str, Any] | None = _json()


class Alias(Base, table=True):
    """One form by which an entity is known; `visible_from` is where a reader first meets it."""

    __tablename__ = "alias"
    __table_args__ = (
        _cascade("entity_id", "entity"),
        Index("ix_alias_form_key", "vault_id", "form_key"),
        CLUSTERED,
    )

    vault_id: int = _vault()
    entity_id: int = _key()
    form: str = Field(sa_type=Text, primary_key=True)
    form_key: str = _text()
    kind: str = _text()
    weight: float = Field(1.0, sa_type=Float)
    exact: bool = False
    known_from: int | None = _position()
    visible_from: int | None = _position()


_HOLDING = ("visible_from", "visible_until", "form")
"""Columns that say whether a mention holds, and by which name: in the index to make it covering."""


class Mention(Base, table=True):
    """One span of one chunk that names an entity, or may name it.

    `form` is the alias that matched; the surface form is the span itself. A row holds while the
    reading position is in [visible_from, visible_until); several rows of one span are rival
    candidates.
    """

    __tablename__ = "mention"
    __table_args__ = (
        _cascade("chunk_id", "chunk"),
        _cascade("entity_id", "entity"),
        Index("ix_mention_entity", "vault_id", "entity_id", *_HOLDING),
        CLUSTERED,
    )

    vault_id: int = _vault()
    chunk_id: int = _key()
    start: int = Field(sa_type=Integer, primary_key=True)
    end: int = Field(sa_type=Integer, primary_key=True)
    entity_id: int = _key()
    since: int = Field(sa_type=Integer, primary_key=True)
    visible_from: int | None = _position()
    visible_until: int | None = _position()
    form: str = _text()
    confidence: float = Field(sa_type=Float)
    method: str = _text()
    reason: str | None = _text(None)


class Proposal(Base, table=True):
    """A name without a note, and how often one note uses it; enough of them make an entity."""

    __tablename__ = "proposal"
    __table_args__ = (
        _cascade("note_id", "note"),
        Index("ix_proposal_name_key", "vault_id", "name_key"),
        CLUSTERED,
    )

    vault_id: int = _vault()
    note_id: int = _key()
    name_key: str = Field(sa_type=Text, primary_key=True)
    name: str = _text()
    type: str | None = _text(None)
    count: int = Field(sa_type=Integer)
    needed: int = Field(sa_type=Integer)
    confidence: float = Field(sa_type=Float)
    visible_from: int | None = _position()


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
        _cascade("source_id", "entity"),
        _cascade("target_id", "entity"),
        Index("ix_relation_source", "vault_id", "source_id", "target_id"),
        Index("ix_relation_target", "vault_id", "target_id", "source_id"),
    )

    id: int = _key()
    vault_id: int = _vault()
    source_id: int = _big()
    target_id: int = _big()
    kind: str = _text()
    origin: str = _text()
    strength: float = Field(sa_type=Float)
    confidence: float = Field(sa_type=Float)
    first_position: int | None = _position()
    last_position: int | None = _position()
    evidence_count: int = Field(0, sa_type=Integer)
    visible_from: int | None = _position()


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
        _cascade("relation_id", "relation"),
        _cascade("note_id", "note"),
        Index("ix_evidence_note", "vault_id", "note_id"),
        CLUSTERED,
    )

    vault_id: int = _vault()
    relation_id: int = _key()
    note_id: int = _key()
    start: int = Field(sa_type=Integer, primary_key=True)
    end: int = Field(sa_type=Integer, primary_key=True)
    since: int = Field(sa_type=Integer, primary_key=True)
    chunk_id: int | None = _big(None)
    form: str = _text()
    key: str = _text()
    line: int = Field(sa_type=Integer)
    quote: str | None = _text(None)
    confidence: float = Field(sa_type=Float)
    has_ended: bool = False
    position: int | None = _position()
    shown_from: int | None = _position()
    visible_from: int | None = _position()
    visible_until: int | None = _position()


class Topic(Base, table=True):
    """What a note is about."""

    __tablename__ = "topic"
    __table_args__ = (_cascade("note_id", "note"), CLUSTERED)

    vault_id: int = _vault()
    note_id: int = _key()
    name: str = Field(sa_type=Text, primary_key=True)
    confidence: float = Field(sa_type=Float)
    visible_from: int | None = _position()


class EntityChange(Base, table=True):
    """One step in what the vault tells of an entity, in reading order, and where it is written.

    `kind` is `first_appearance`, `alias_added`, `relationship_added`, `relationship_ended`,
    `status_changed`, `property_added` or `description_updated`. `new` is what is new: a name, a
    kind of relation as read from this entity (`other_id` is then the other entity), a status, a
    property with its value, a heading; `previous` is the value before, if any.
    """

    __tablename__ = "entity_change"
    __table_args__ = (
        _cascade("entity_id", "entity"),
        _cascade("note_id", "note"),
        Index("ix_entity_change_note", "vault_id", "note_id"),
        CLUSTERED,
    )

    vault_id: int = _vault()
    entity_id: int = _key()
    visible_from: int = Field(sa_type=Integer, primary_key=True)
    ordinal: int = Field(sa_type=Integer, primary_key=True)
    visible_until: int | None = _position()
    position: int | None = _position()
    kind: str = _text()
    previous: str | None = _text(None)
    new: str | None = _text(None)
    other_id: int | None = _big(None)
    note_id: int = _big()
    chunk_id: int | None = _big(None)
    start: int = Field(sa_type=Integer)
    end: int = Field(sa_type=Integer)
    line: int = Field(sa_type=Integer)
    quote: str | None = _text(None)


class Embedding(Base, table=True):
    """The vector of a text under one model, with its windows' and words', keyed by text hash."""

    __tablename__ = "embedding"
    __table_args__ = (_vault_key(),)  # not clustered: SQLite would move vectors to overflow pages

    vault_id: int = _vault()
    model: str = Field(sa_type=Text, primary_key=True)
    content_hash: str = Field(sa_type=Text, primary_key=True)
    vector: Any = Field(sa_type=VectorColumn)
    windows: bytes | None = Field(None, sa_type=LargeBinary)
    words: bytes | None = Field(None, sa_type=LargeBinary)


class TrainedRelationModel(Base, table=True):
    """A relation model as trained for one vault."""

    __tablename__ = "relation_model"
    __table_args__ = (_vault_key(), CLUSTERED)

    vault_id: int = _vault()
    identity: str = Field(sa_type=Text, primary_key=True)
    weights: bytes = Field(sa_type=LargeBinary)
    report: dict[str, Any] | None = _json()
    trained_at: float = Field(sa_type=Float)
