"""The tables: one schema on every engine.

`vault_id` is part of every key, so that two vaults in one database never meet and the tables can be
distributed by it. Ids are assigned by the vault's one writer (see `rows.IdSequence`), not by the
engine. `visible_from` is the reading position from which a row may be shown: the greatest of its
sources'; null means never under `as_of`. `visible_until`, where there is one, is the position from
which a better reading of the same span replaces the row.

Building these classes takes as long as answering a question, so queries use what `schema` has kept
of them.
"""

from __future__ import annotations

from typing import Any, ClassVar

from sqlalchemy import (
    BigInteger,
    Float,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    text,
)
from sqlmodel import Field, SQLModel

from writeros_entities.store.columns import Json, PlainText, VectorColumn

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
    __table__: ClassVar[Table]


def key_column() -> Any:
    """Return an id, part of the primary key and assigned by the writer."""
    return Field(sa_type=BigInteger, primary_key=True, sa_column_kwargs={"autoincrement": False})


def vault_column() -> Any:
    """Return the vault's id, part of the primary key."""
    return Field(sa_type=Integer, primary_key=True)


def big_integer(default: Any = ...) -> Any:
    """Return a column for ids and other integers of 64 bits."""
    return Field(default, sa_type=BigInteger)


def text_column(default: Any = ...) -> Any:
    """Return a column for text of any length."""
    return Field(default, sa_type=PlainText)


def text_key() -> Any:
    """Return a column for text that is part of the primary key."""
    return Field(sa_type=PlainText, primary_key=True)


def position_column() -> Any:
    """Return a column for a reading position, null by default."""
    return Field(None, sa_type=Integer)


def json_column() -> Any:
    """Return a column for a JSON value, null by default."""
    return Field(None, sa_type=Json)


def belongs_to_vault() -> ForeignKeyConstraint:
    """Return the foreign key by which rows are deleted with their vault."""
    return ForeignKeyConstraint(["vault_id"], ["vault.id"], ondelete="CASCADE")


def cascade(column: str, table: str) -> ForeignKeyConstraint:
    """Return the foreign key by which rows are deleted with the row that a column refers to."""
    return ForeignKeyConstraint(
        [column, "vault_id"],
        [f"{table}.id", f"{table}.vault_id"],
        name=f"fk_{column}",
        ondelete="CASCADE",
    )


def index_of_given(name: str, column: str) -> Index:
    """Return the index of a column by vault, without the rows where it is null.

    Where most rows are null, a planner would not use an index with them.
    """
    is_given = text(f"{column} IS NOT NULL")
    return Index(name, "vault_id", column, sqlite_where=is_given, postgresql_where=is_given)


class Vault(Base, table=True):
    """One vault: where it lies, the state of its index, and who is writing it.

    `vector_revision` counts changes of its vectors. `embedded` records the revision and the model
    at which all texts were known to have a vector, or why there are none. `fitting_model` is the
    embedding model for the language that most of the vault was in when its first vectors were made.
    `names` has the blocks of compiled names, and the entities that changed since. `put_off` has the
    questions, by the line of their first answer, that the writer wants to be asked later.
    """

    __tablename__ = "vault"

    id: int = Field(sa_type=Integer, primary_key=True)
    root: str = Field(sa_type=PlainText, unique=True)
    revision: int = big_integer(0)
    unfinished: bool = False
    lexicon_identity: str = text_column("")
    diagnostics: list[object] | None = json_column()
    lease_owner: str | None = text_column(None)
    lease_expires: float | None = Field(None, sa_type=Float)
    synced_at: float | None = Field(None, sa_type=Float)
    vector_revision: int = big_integer(0)
    embedded: str = text_column("")
    fitting_model: str = Field("", sa_type=PlainText, sa_column_kwargs={"server_default": ""})
    names: dict[str, Any] | None = json_column()
    put_off: list[object] | None = json_column()


class Note(Base, table=True):
    """One file of the vault: a note, or another file that a link can point to.

    `mtime_ns` is negative if the file was so young when it was read that it may have changed since
    with the same timestamp; the next sync reads it again. `role` is what it is (see
    `vault/roles.py`); `role_told` is that by itself, if an index note says otherwise.
    """

    __tablename__ = "note"
    __table_args__ = (
        belongs_to_vault(),
        Index("ix_note_path", "vault_id", "path", unique=True),
        Index("ix_note_link_key", "vault_id", "link_key"),
        Index("ix_note_detected", "vault_id", "detected"),
        index_of_given("ix_note_position", "position"),
    )

    id: int = key_column()
    vault_id: int = vault_column()
    path: str = text_column()
    title: str = text_column()
    link_key: str = text_column()
    kind: str = text_column()
    size: int = big_integer()
    mtime_ns: int = big_integer()
    content_hash: str | None = text_column(None)
    position: int | None = position_column()
    visible_from: int | None = position_column()
    marks_inside_words: bool = False
    visible_claim: str | None = text_column(None)
    has_claimed_sections: bool = False
    frontmatter: dict[str, object] | None = json_column()
    declaration: dict[str, object] | None = json_column()
    role: str = Field("other", sa_type=PlainText, sa_column_kwargs={"server_default": "other"})
    role_reason: str = Field("", sa_type=PlainText, sa_column_kwargs={"server_default": ""})
    role_confidence: float = Field(0.0, sa_type=Float, sa_column_kwargs={"server_default": "0"})
    role_told: list[object] | None = json_column()
    reading_order: dict[str, object] | None = json_column()
    statements: list[object] | None = json_column()
    fingerprint: str | None = text_column(None)
    detected: str | None = text_column(None)
    diagnostics: list[object] | None = json_column()


class Link(Base, table=True):
    """One link, and what it points to.

    `raw` is the link as written, or "" for `[[target]]`. With the kind `name`, it is a property's
    value that may name an entity without a link.
    """

    __tablename__ = "link"
    __table_args__ = (
        cascade("note_id", "note"),
        Index("ix_link_target_key", "vault_id", "target_key"),
        Index("ix_link_target_note", "vault_id", "target_note_id"),
        CLUSTERED,
    )

    vault_id: int = vault_column()
    note_id: int = key_column()
    ordinal: int = Field(sa_type=Integer, primary_key=True)
    kind: str = text_column()
    raw: str = text_column()
    target: str = text_column()
    target_key: str = text_column()
    heading: str | None = text_column(None)
    block: str | None = text_column(None)
    display: str | None = text_column(None)
    field: str | None = text_column(None)
    start: int = Field(sa_type=Integer)
    end: int = Field(sa_type=Integer)
    status: str = text_column("unresolved")
    target_note_id: int | None = big_integer(None)
    visible_from: int | None = position_column()


_COUNTED = ("id", "tokens", "visible_from", "content_hash")
"""The columns that search reads of every chunk: the index holds them apart from the texts."""


class Chunk(Base, table=True):
    """A span of a note: the unit of knowledge and of proof.

    `text` is as written. If it contains comments of the author, `shown` is what others see: the
    text without the comments, all other characters at their offsets. `heading` is what stands above
    its first text; `sections` has a line for each heading in it, unless they are the same: the
    offset in the chunk, and the headings above from there on. The `ordinal` of a note's
    first chunk is 0; those of its properties are negative.
    """

    __tablename__ = "chunk"
    __table_args__ = (
        cascade("note_id", "note"),
        Index("ix_chunk_note", "vault_id", "note_id", "ordinal", *_COUNTED),
    )

    id: int = key_column()
    vault_id: int = vault_column()
    note_id: int = big_integer()
    ordinal: int = Field(sa_type=Integer)
    heading: str = text_column("")
    text: str = text_column()
    start: int = Field(sa_type=Integer)
    end: int = Field(sa_type=Integer)
    line: int = Field(sa_type=Integer)
    tokens: int = Field(sa_type=Integer)
    content_hash: str = text_column()
    visible_claim: str | None = text_column(None)
    visible_from: int | None = position_column()
    shown: str | None = text_column(None)
    sections: str | None = text_column(None)


class Page(Base, table=True):
    """What is read of a note when it changes, compressed; it is visible as the note is.

    `content` is the hash of the content that it was read from. `marks` has what a reader does not
    see, paragraphs, sentences and links, by their offsets. `clauses` has its sentences with their
    words, if it was read closely: by the language, parser and version that `read_by` names.
    """

    __tablename__ = "page"
    __table_args__ = (cascade("note_id", "note"), CLUSTERED)

    vault_id: int = vault_column()
    note_id: int = key_column()
    content: str = text_column()
    marks: bytes = Field(sa_type=LargeBinary)
    read_by: str | None = text_column(None)
    clauses: bytes | None = Field(None, sa_type=LargeBinary)


class Topic(Base, table=True):
    """What a note is about."""

    __tablename__ = "topic"
    __table_args__ = (cascade("note_id", "note"), CLUSTERED)

    vault_id: int = vault_column()
    note_id: int = key_column()
    name: str = text_key()
    confidence: float = Field(sa_type=Float)
    visible_from: int | None = position_column()


class Thread(Base, table=True):
    """An open thread that the writer noted: what is yet to do, to answer or to fill in.

    `kind` is `to-do`, `question`, `placeholder`, or `comment` for a to-do in one, which only the
    author sees. The span is what is no part of the story.
    """

    __tablename__ = "thread"
    __table_args__ = (cascade("note_id", "note"), CLUSTERED)

    vault_id: int = vault_column()
    note_id: int = key_column()
    ordinal: int = Field(sa_type=Integer, primary_key=True)
    kind: str = text_column()
    text: str = text_column()
    start: int = Field(sa_type=Integer)
    end: int = Field(sa_type=Integer)
    line: int = Field(sa_type=Integer)
    visible_from: int | None = position_column()


class Embedding(Base, table=True):
    """The vector of a text under one model, with its windows' and words', keyed by text hash."""

    __tablename__ = "embedding"
    __table_args__ = (
        belongs_to_vault(),
    )  # not clustered: SQLite would move vectors to overflow pages

    vault_id: int = vault_column()
    model: str = text_key()
    content_hash: str = text_key()
    vector: Any = Field(sa_type=VectorColumn)
    windows: bytes | None = Field(None, sa_type=LargeBinary)
    words: bytes | None = Field(None, sa_type=LargeBinary)


class TrainedRelationModel(Base, table=True):
    """A relation model as trained for one vault."""

    __tablename__ = "relation_model"
    __table_args__ = (belongs_to_vault(), CLUSTERED)

    vault_id: int = vault_column()
    identity: str = text_key()
    weights: bytes = Field(sa_type=LargeBinary)
    report: dict[str, object] | None = json_column()
    trained_at: float = Field(sa_type=Float)


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


class Entity(Base, table=True):
    """A person, place, faction or thing that the vault speaks of.

    `subject` is what an entity is identified by across syncs: a note, the target of an unresolved
    link, a canonical id of a knowledge base, or a repeated name. `key` is the id that callers see:
    opaque, and unchanged when the note is renamed. `type` is its sort, `word` the writer's own word
    for that if it is another. `heading` is set where a section of a note is about it, with the
    headings above. `context` is what its note wishes for prompts. `origin` is what further names
    follow from.
    """

    __tablename__ = "entity"
    __table_args__ = (
        belongs_to_vault(),
        Index("ix_entity_key", "vault_id", "key", unique=True),
        index_of_given("ix_entity_canonical_id", "canonical_id"),
        Index("ix_entity_subject", "vault_id", "subject", unique=True),
        Index("ix_entity_name_key", "vault_id", "name_key"),
        Index("ix_entity_mentions", "vault_id", "mention_count"),
        index_of_given("ix_entity_note", "note_id"),
        index_of_given("ix_entity_context", "context"),
    )

    id: int = key_column()
    vault_id: int = vault_column()
    key: str = text_column()
    subject: str = text_column()
    canonical_id: str | None = text_column(None)
    name: str = text_column()
    name_key: str = text_column()
    type: str = text_column()
    word: str | None = text_column(None)
    status: str = text_column()
    forms: str = text_column("")
    note_id: int | None = big_integer(None)
    heading: str | None = text_column(None)
    known_from: int | None = position_column()
    visible_from: int | None = position_column()
    first_position: int | None = position_column()
    last_position: int | None = position_column()
    mention_count: int = Field(0, sa_type=Integer)
    note_count: int = Field(0, sa_type=Integer)
    importance: float = Field(0.0, sa_type=Float)
    confidence: float = Field(1.0, sa_type=Float)
    properties: dict[str, object] | None = json_column()
    context: dict[str, object] | None = json_column()
    origin: dict[str, object] | None = json_column()


class Alias(Base, table=True):
    """One form by which an entity is known; `visible_from` is where a reader first meets it.

    A name that follows from others by rule (of the kind `derived`) is one if a note uses it.
    """

    __tablename__ = "alias"
    __table_args__ = (
        cascade("entity_id", "entity"),
        Index("ix_alias_form_key", "vault_id", "form_key"),
        CLUSTERED,
    )

    vault_id: int = vault_column()
    entity_id: int = key_column()
    form: str = text_key()
    form_key: str = text_column()
    kind: str = text_column()
    weight: float = Field(1.0, sa_type=Float)
    exact: bool = False
    known_from: int | None = position_column()
    visible_from: int | None = position_column()


_TOLD = ("chunk_id", "visible_from", "visible_until", "form", "confidence")
"""What is asked of an entity's mentions, chunk by chunk: in the index to make it covering."""


class Mention(Base, table=True):
    """One span of one chunk that names an entity, or may name it.

    `form` is the alias that matched, `surface` the span as a reader sees it. A row holds while the
    reading position is in [visible_from, visible_until); several rows of one span are rival
    candidates.
    """

    __tablename__ = "mention"
    __table_args__ = (
        cascade("chunk_id", "chunk"),
        cascade("entity_id", "entity"),
        Index("ix_mention_entity", "vault_id", "entity_id", *_TOLD),
        CLUSTERED,
    )

    vault_id: int = vault_column()
    chunk_id: int = key_column()
    start: int = Field(sa_type=Integer, primary_key=True)
    end: int = Field(sa_type=Integer, primary_key=True)
    entity_id: int = key_column()
    since: int = Field(sa_type=Integer, primary_key=True)
    visible_from: int | None = position_column()
    visible_until: int | None = position_column()
    form: str = text_column()
    confidence: float = Field(sa_type=Float)
    method: str = text_column()
    reason: str | None = text_column(None)
    surface: str = Field(sa_type=PlainText, sa_column_kwargs={"server_default": ""})


class Proposal(Base, table=True):
    """A name without a note, and how often one note uses it; enough of them make an entity.

    `heading` is set if a section of the note has this name, with the headings above.
    `type_confidence` is how surely the use shows the `type`.
    """

    __tablename__ = "proposal"
    __table_args__ = (
        cascade("note_id", "note"),
        Index("ix_proposal_name_key", "vault_id", "name_key"),
        CLUSTERED,
    )

    vault_id: int = vault_column()
    note_id: int = key_column()
    name_key: str = text_key()
    name: str = text_column()
    type: str | None = text_column(None)
    count: int = Field(sa_type=Integer)
    needed: int = Field(sa_type=Integer)
    confidence: float = Field(sa_type=Float)
    heading: str | None = text_column(None)
    visible_from: int | None = position_column()
    type_confidence: float = Field(1.0, sa_type=Float, sa_column_kwargs={"server_default": "1"})


class EntityChange(Base, table=True):
    """One step in what the vault tells of an entity, in reading order, and where it is written.

    `kind` is `first_appearance`, `alias_added`, `relationship_added`, `relationship_ended`,
    `status_changed`, `property_added` or `description_updated`. `new` is what is new: a name, a
    kind of relation as read from this entity (`other_id` is then the other entity), a status, a
    property with its value, a heading; `previous` is the value before, if any.
    """

    __tablename__ = "entity_change"
    __table_args__ = (
        cascade("entity_id", "entity"),
        cascade("note_id", "note"),
        Index("ix_entity_change_note", "vault_id", "note_id"),
        CLUSTERED,
    )

    vault_id: int = vault_column()
    entity_id: int = key_column()
    visible_from: int = Field(sa_type=Integer, primary_key=True)
    ordinal: int = Field(sa_type=Integer, primary_key=True)
    visible_until: int | None = position_column()
    position: int | None = position_column()
    kind: str = text_column()
    previous: str | None = text_column(None)
    new: str | None = text_column(None)
    other_id: int | None = big_integer(None)
    note_id: int = big_integer()
    chunk_id: int | None = big_integer(None)
    start: int = Field(sa_type=Integer)
    end: int = Field(sa_type=Integer)
    line: int = Field(sa_type=Integer)
    quote: str | None = text_column(None)


class Event(Base, table=True):
    """Somebody's part in something that happens; the place of its verb tells which event it is.

    `role` is `doer`, `done to`, `to`, `with` or `at`; `verb` is in its dictionary form, `kind` what
    it changes, or ""; `is_earlier` if it happened before what is told there. A row holds while the
    reading position is in [visible_from, visible_until); `since` is `visible_from`, as in evidence.
    """

    __tablename__ = "event"
    __table_args__ = (
        cascade("chunk_id", "chunk"),
        cascade("entity_id", "entity"),
        Index("ix_event_entity", "vault_id", "entity_id"),
        CLUSTERED,
    )

    vault_id: int = vault_column()
    chunk_id: int = key_column()
    start: int = Field(sa_type=Integer, primary_key=True)
    entity_id: int = key_column()
    role: str = text_key()
    since: int = Field(sa_type=Integer, primary_key=True)
    end: int = Field(sa_type=Integer)
    verb: str = text_column()
    kind: str = text_column()
    is_earlier: bool = False
    confidence: float = Field(sa_type=Float)
    visible_from: int | None = position_column()
    visible_until: int | None = position_column()


TABLES: tuple[type[Base], ...] = (
    *(Vault, Note, Link, Chunk, Page, Topic, Thread),
    *(Entity, Alias, Mention, Proposal, EntityChange, Event),
    *(Relation, Evidence),
    *(Embedding, TrainedRelationModel),
)
"""All tables, in the order in which they are documented."""

__all__ = ["TABLES", "metadata"]
