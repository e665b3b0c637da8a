"""The tables as queries use them: those of the classes in `tables`, which are the one schema.

Importing SQLModel and building the classes takes longer than answering a question. So the tables
are kept, pickled, in the user's cache folder. What is kept is made anew without a word if it is
missing, damaged or from other sources, and nothing depends on its being there.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import sys
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from writeros_entities.settings import create_private_folder, user_cache_folder

if TYPE_CHECKING:
    from sqlalchemy import MetaData

_HERE = Path(__file__).parent
_SOURCES = (_HERE / "columns.py", _HERE / "tables.py")
_LIBRARIES = ("SQLAlchemy", "sqlmodel")
_DIGEST_SIZE = 16


def _tables() -> MetaData:
    """Return the tables, kept or made anew."""
    file = user_cache_folder() / f"tables-{_key()}.pickle"
    is_private = file.is_absolute()  # without a home, it would be relative to the vault
    kept = _read(file) if is_private else None
    if kept is not None:
        return kept
    from writeros_entities.store.tables import metadata

    if is_private:
        with suppress(OSError):  # a folder that cannot be written to only costs time
            _write(file, pickle.dumps(metadata))
    return metadata


def _key() -> str:
    """Return a digest of all that the pickled tables depend on."""
    digest = _digest(sys.version.encode(), *(version(one).encode() for one in _LIBRARIES))
    return _digest(digest, *(source.read_bytes() for source in _SOURCES)).hex()


def _read(file: Path) -> MetaData | None:
    """Return the tables kept in a file, or None if they are not there, whole and the user's own."""
    try:
        with file.open("rb") as opened:
            if os.name == "posix" and not _is_own(os.fstat(opened.fileno())):
                return None
            digest, pickled = opened.read(_DIGEST_SIZE), opened.read()
    except OSError:
        return None
    if digest != _digest(pickled):
        return None
    tables: MetaData = pickle.loads(pickled)
    return tables


def _is_own(status: os.stat_result) -> bool:
    """Say whether nobody but the user can have written a file: unpickling runs what is in it."""
    can_others_write = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return status.st_uid == os.geteuid() and not can_others_write


def _write(file: Path, pickled: bytes) -> None:
    create_private_folder(file.parent)
    part = file.with_suffix(f".{os.getpid()}")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
            opened.write(_digest(pickled) + pickled)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def _digest(*parts: bytes) -> bytes:
    digest = hashlib.blake2b(digest_size=_DIGEST_SIZE)
    for part in parts:
        digest.update(part)
    return digest.digest()


metadata = _tables()
