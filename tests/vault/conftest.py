from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

MakeVault = Callable[[Mapping[str, str]], Path]


def vault_hash(root: Path) -> str:
    digest = hashlib.blake2b()
    for path in sorted(root.rglob("*")):
        digest.update(os.fsencode(path))
        if path.is_file():
            digest.update(path.read_bytes())
            digest.update(str(path.stat().st_mtime_ns).encode())
    return digest.hexdigest()


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """A vault with nothing but Obsidian's own folder."""
    root = tmp_path / "vault"
    (root / ".obsidian").mkdir(parents=True)
    return root


@pytest.fixture
def make_vault(vault: Path) -> Iterator[MakeVault]:
    """Return a function that writes a vault's files; check afterwards that reading wrote none."""
    written: list[str] = []

    def make(files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            path = vault / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        written.append(vault_hash(vault))
        return vault

    yield make
    if written:
        assert vault_hash(vault) == written[-1], "reading has changed the vault"
