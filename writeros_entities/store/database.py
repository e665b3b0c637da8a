"""The database: one URL, transactions for readers and for the one writer, and its schema."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import create_engine, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from writeros_entities.errors import StoreError
from writeros_entities.store import sqlite

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import Connection, Engine

SCHEMA_REVISION = "0004"
"""The migration that this version of the tables corresponds to."""


class Database:
    """An engine and the two kinds of transaction that the product uses.

    Opening creates the schema in an empty database; an older schema is refused, with a word about
    `migrate`, and a newer one too.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self._engine = _make_engine(url)
        self._writer = self._engine.execution_options(writer=True)

    @property
    def dialect(self) -> str:
        """The engine's name: `sqlite` or `postgresql`."""
        return self._engine.dialect.name

    @property
    def label(self) -> str:
        """The URL without its password."""
        return make_url(self.url).render_as_string(hide_password=True)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a read transaction: every query in it sees the same state."""
        with self._engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Open a write transaction; it commits at the end, or not at all."""
        with self._writer.connect() as connection, connection.begin():
            yield connection

    def revision(self) -> str | None:
        """Return the migration that the database stands at, or None for an empty database."""
        try:
            with self.read() as connection:
                if not inspect(connection).has_table("alembic_version"):
                    return None
                version: str | None = connection.scalar(
                    text("SELECT version_num FROM alembic_version")
                )
                return version
        except DBAPIError as error:
            raise StoreError(f"The database {self.label} cannot be opened: {error.orig}") from None

    def prepare(self) -> None:
        """Create the schema if the database is empty; raise StoreError if it does not fit."""
        revision = self.revision()
        if revision is None:
            self.migrate()
        elif revision != SCHEMA_REVISION:
            raise StoreError(
                f"The database {self.label} stands at migration {revision}, this version needs "
                f"{SCHEMA_REVISION}. Run `writeros-entities migrate`, or update the product if the "
                "database is newer."
            )

    def migrate(self) -> bool:
        """Bring the schema to this version; return whether anything had to be done."""
        if self.revision() == SCHEMA_REVISION:
            return False
        from alembic import command

        with self.write() as connection:
            config = alembic_config()
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
        return True

    def size_in_bytes(self) -> int | None:
        """Return the size of the database's file and its log, or None where it has none."""
        file = self.file()
        if file is None or not file.exists():
            return None
        log = file.with_name(file.name + "-wal")
        return file.stat().st_size + (log.stat().st_size if log.exists() else 0)

    def file(self) -> Path | None:
        """Return the file of a SQLite database."""
        name = make_url(self.url).database
        return Path(name) if self.dialect == "sqlite" and name else None

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()


def alembic_config() -> Config:
    """Return Alembic's configuration, with migrations found by path, not by import."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(migrations_folder()).replace("%", "%%"))
    return config


def migrations_folder() -> Path:
    """Return the folder of the migrations: inside an installed package, or in a checkout."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "migrations", package.parent / "alembic"):
        if (folder / "env.py").is_file():
            return folder
    raise StoreError("The migrations are missing: the product is not installed completely.")


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _make_engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() == "sqlite" and parsed.database:
            Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
        engine = create_engine(url, json_serializer=_to_json)
    except (ArgumentError, ModuleNotFoundError) as error:
        raise StoreError(
            f"{url!r} is no usable database URL ({error}). Example: sqlite:////home/me/vault.sqlite3"
        ) from None
    except OSError as error:
        raise StoreError(f"The folder of {url!r} cannot be made: {error.strerror}") from None
    if engine.dialect.name == "sqlite":
        sqlite.configure(engine)
    return engine
