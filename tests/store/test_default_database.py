"""The index of a vault for which no database is set: a file of its own, named after the vault."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

import pytest

from writeros_entities import Session


@pytest.mark.parametrize("name", ["Who? Me", "50% done", "A%20B", "Müller #1", "a b", "x:y@z"])
def test_the_file_is_named_after_the_vault_whatever_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    data = tmp_path / "data"
    monkeypatch.setenv("XDG_DATA_HOME", str(data))
    vault = tmp_path / name
    vault.mkdir()
    (vault / "Mara.md").write_text("Mara came.", "utf-8")
    with Session.open(vault) as session:
        session.call("sync", {})
        url = session.call("status", {}).model_dump()["database"]
    [file] = (data / "writeros-entities").glob("*.sqlite3")
    assert file.name.startswith(f"{name}-")
    with Session.open(vault, database=url) as again:
        assert again.call("status", {}).model_dump()["notes"] == {"note": 1}


def test_its_url_is_shown_as_one_reads_a_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    file = tmp_path / "Où est Zoé" / "index: 1.sqlite3"
    with Session.open(vault, database=f"sqlite:///{file}") as session:
        shown = session.call("status", {}).model_dump()["database"]
    assert shown == f"sqlite:///{tmp_path.as_posix()}/Où est Zoé/index: 1.sqlite3"


@pytest.mark.parametrize("written", ["index.sqlite3", "an%20index%3F.sqlite3"])
def test_a_path_in_a_settings_file_is_found_whatever_the_name_of_the_files_folder(
    tmp_path: Path, written: str
) -> None:
    vault = tmp_path / "Who? 100%25" / "Me?"
    vault.mkdir(parents=True)
    (vault / ".writeros-entities.toml").write_text(f'database = "sqlite:///../{written}"', "utf-8")
    with Session.open(vault) as session:
        session.call("status", {})
    [file] = (tmp_path / "Who? 100%25").glob("*.sqlite3")
    assert file.name == unquote(written)
