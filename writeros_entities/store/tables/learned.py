"""The tables of what models have computed: vectors, and trained relation models."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    Float,
    LargeBinary,
)
from sqlmodel import Field

from writeros_entities.store.columns import VectorColumn
from writeros_entities.store.tables.base import (
    CLUSTERED,
    Base,
    belongs_to_vault,
    json_column,
    text_key,
    vault_column,
)


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
    report: dict[str, Any] | None = json_column()
    trained_at: float = Field(sa_type=Float)
