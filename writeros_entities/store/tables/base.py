"""The base class of all tables, and the kinds of columns and keys that they share."""

from __future__ import annotations

from typing import Any, ClassVar

from sqlalchemy import (
    BigInteger,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    Table,
    text,
)
from sqlmodel import Field, SQLModel

from writeros_entities.store.columns import Json, PlainText

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
