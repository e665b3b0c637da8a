"""The tables of what is written: vaults, notes, links, chunks and topics."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    Float,
    Index,
    Integer,
    LargeBinary,
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


class Vault(Base, table=True):
    """One vault: where it lies, the state of its index, and who is writing it.

    `vector_revision` counts changes of its vectors. `embedded` records the revision and the model
    at which all texts were known to have a vector, or why there are none. `names` has the blocks of
    compiled names, and the entities that changed since. `put_off` has the questions, by the line of
    their first answer, that the writer wants to be asked later.
    """

    __tablename__ = "vault"

    id: int = Field(sa_type=Integer, primary_key=True)
    root: str = Field(sa_type=PlainText, unique=True)
    revision: int = big_integer(0)
    unfinished: bool = False
    lexicon_identity: str = text_column("")
    diagnostics: list[Any] | None = json_column()
    lease_owner: str | None = text_column(None)
    lease_expires: float | None = Field(None, sa_type=Float)
    synced_at: float | None = Field(None, sa_type=Float)
    vector_revision: int = big_integer(0)
    embedded: str = text_column("")
    names: dict[str, Any] | None = json_column()
    put_off: list[Any] | None = json_column()


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
    frontmatter: dict[str, Any] | None = json_column()
    declaration: dict[str, Any] | None = json_column()
    role: str = Field("other", sa_type=PlainText, sa_column_kwargs={"server_default": "other"})
    role_reason: str = Field("", sa_type=PlainText, sa_column_kwargs={"server_default": ""})
    role_confidence: float = Field(0.0, sa_type=Float, sa_column_kwargs={"server_default": "0"})
    role_told: list[Any] | None = json_column()
    reading_order: dict[str, Any] | None = json_column()
    statements: list[Any] | None = json_column()
    fingerprint: str | None = text_column(None)
    detected: str | None = text_column(None)
    diagnostics: list[Any] | None = json_column()


class Link(Base, table=True):
    """One link as written, and what it points to.

    With the kind `name`, it is a property's value that may name an entity without a link.
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
