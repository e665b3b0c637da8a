"""The tables of who and what is named, where, and what changes about them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    Float,
    Index,
    Integer,
)
from sqlmodel import Field

from writeros_entities.store.columns import PlainText
from writeros_entities.store.tables.base import (
    CLUSTERED,
    Base,
    belongs_to_vault,
    big_integer,
    cascade,
    index_of_given,
    json_column,
    key_column,
    position_column,
    text_column,
    text_key,
    vault_column,
)


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
    properties: dict[str, Any] | None = json_column()
    context: dict[str, Any] | None = json_column()
    origin: dict[str, Any] | None = json_column()


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


_HOLDING = ("visible_from", "visible_until", "form")
"""Columns that say whether a mention holds, and by which name: in the index to make it covering."""


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
        Index("ix_mention_entity", "vault_id", "entity_id", *_HOLDING),
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
