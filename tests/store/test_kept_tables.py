"""The tables are kept in the user's cache folder: one does not notice, whatever lies there."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from sqlalchemy import MetaData, create_mock_engine

from writeros_entities.settings import user_cache_folder
from writeros_entities.store import schema
from writeros_entities.store.tables import metadata


def statements(tables: MetaData) -> list[str]:
    """Return the statements that create tables."""
    found: list[str] = []
    engine = create_mock_engine("sqlite://", lambda one, *_: found.append(str(one.compile())))
    tables.create_all(engine, checkfirst=False)
    return sorted(found)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the cache folder, which does not exist yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return user_cache_folder()


def test_kept_tables_are_those_of_the_classes(folder: Path) -> None:
    made, kept = schema._tables(), schema._tables()
    assert made is metadata
    assert kept is not metadata
    assert statements(kept) == statements(metadata)
    (file,) = folder.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize("damage", [b"", b"nonsense", None])
def test_damaged_tables_are_made_anew(folder: Path, damage: bytes | None) -> None:
    schema._tables()
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:-1] if damage is None else damage)
    assert schema._tables() is metadata
    assert file.read_bytes() == whole


def test_tables_that_others_can_write_are_not_trusted(folder: Path) -> None:
    schema._tables()
    (file,) = folder.iterdir()
    file.chmod(0o666)
    assert schema._tables() is metadata
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("folder", ["beside the notes", "/proc/nowhere"])
def test_without_a_folder_for_it_nothing_is_kept(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(schema, "user_cache_folder", lambda: Path(folder))
    assert schema._tables() is metadata
    assert list(tmp_path.iterdir()) == []
