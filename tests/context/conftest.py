"""What the tests of contexts share: a vault that is asked for the context of somebody in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.session import Session

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


@pytest.fixture
def ask(synced: Callable[..., Session]) -> Callable[..., Ask]:
    """Return a function that gives the contexts of a vault, with a token for four characters."""

    def asker(notes: dict[str, str], **settings: Any) -> Ask:
        session = synced(notes, **settings)

        def answer(*entities: str, **arguments: Any) -> dict[str, Any]:
            asked = {"entities": list(entities), "token_counter": "characters", **arguments}
            return session.call("build_context", asked).model_dump()

        return answer

    return asker
