"""Fixtures for the tests of contexts: a vault, and contexts about its entities."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.session import Session

from ..databases import Databases
from ..databases import one_engine as databases

__all__ = ["databases"]

OpenVault = Callable[..., Session]
WriteVault = Callable[[dict[str, str]], Path]
Ask = Callable[..., dict[str, Any]]

PERSON = "---\ntype: person\n---\n"

KEEPERS = {
    "Characters/Ann Reed.md": "---\ntype: person\naliases: [Nan]\n---\nAnn Reed mends nets.\n",
    "Characters/Bo Finch.md": "---\ntype: person\n---\nBo Finch counts gulls.\n",
    "Manuscript/01.md": "Ann Reed walked to the quay. The tide was out.\n",
    "Manuscript/02.md": "It rained. Ann Reed, sister of Bo Finch, stayed at home. The roof held.\n",
    "Manuscript/03.md": "Nan said nothing. Nan and Bo Finch and Nan again.\n",
    "Manuscript/04.md": "The gulls slept.\n",
    "Notes/Plan.md": "Ann Reed must leave in the end.\n",
}
"""A vault of seven notes, each of them one chunk."""


@pytest.fixture
def synced(write_vault: WriteVault, open_vault: OpenVault) -> Callable[..., Session]:
    """Return a function that writes a vault, opens it with settings, and syncs it."""

    def open_synced(notes: dict[str, str], **settings: Any) -> Session:
        session = open_vault(write_vault(notes), **settings)
        session.call("sync", {})
        return session

    return open_synced


@pytest.fixture(scope="package")
def shared(
    databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., Session]]:
    """Return the same function for tests that only read: each vault is written and synced once.

    Its sentences are read by grammar.
    """
    known: dict[str, Session] = {}

    def open_shared(notes: dict[str, str], **settings: Any) -> Session:
        name = repr((notes, settings))
        if name not in known:
            root = tmp_path_factory.mktemp("shared")
            for path, text in notes.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_bytes(text.encode())
            settings = {"close_reading": True} | settings
            known[name] = Session.open(root, database=databases.create(), **settings)
            known[name].call("sync", {})
        return known[name]

    yield open_shared
    for session in known.values():
        session.close()


@pytest.fixture
def ask(shared: Callable[..., Session]) -> Callable[..., Ask]:
    """Return a function that builds contexts of a vault, counting a token for four characters."""

    def asker(notes: dict[str, str], **settings: Any) -> Ask:
        session = shared(notes, **settings)

        def answer(*entities: str, **arguments: Any) -> dict[str, Any]:
            asked = {"entities": list(entities), "token_counter": "characters", **arguments}
            return session.call("build_context", asked).model_dump()

        return answer

    return asker
