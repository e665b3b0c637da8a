"""Fixtures: a desk on a small vault, asked without a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from writeros_entities import Session
from writeros_entities.surfaces.desk.app import Desk
from writeros_entities.surfaces.guard import Access, Bounds, Guard

from ..databases import one_engine as databases

__all__ = ["databases"]

ADDRESS = "http://127.0.0.1:8766"

NOVEL = {
    "Story/01 The Quay.md": (
        "# The Quay\n\nOda Finch came down to the quay at dusk. "
        "[[Oda Finch]] knew Corbin Hale.\n\n"
        "> [!note] Mind\n> The tide turns.\n\nWillow Brandt waved. Willow Brandt sang, and Oda saw "
        "Willow Brandt.\n\n%% Oda is the heir. %%\n"
    ),
    "Story/02 The Heir.md": (
        "# The Heir\n\nOda Finch was the heir of Greywater. Corbin Hale bowed to **Oda Finch**, "
        "and Willow Brandt laughed at Corbin.\n"
    ),
    "People/Oda Finch.md": "---\ntype: person\naliases: [Oda]\n---\nA ferrywoman.\n",
    "People/Corbin Hale.md": "---\ntype: person\nfriend: '[[Oda Finch]]'\n---\nA clerk.\n",
    "Places/Greywater.md": "---\ntype: place\n---\nA town on the water.\n",
    "Plan.md": "- Oda inherits.\n- Corbin betrays her.\n",
}


@contextmanager
def opened(session: Session) -> Iterator[TestClient]:
    """Open the desk of a session, and come in by its link."""
    desk = Desk(lambda: nullcontext(session), watch=False)
    guarded = Guard(desk.door, Access(), Bounds())
    with TestClient(guarded, base_url=ADDRESS, headers={"Origin": ADDRESS}) as client:
        client.get(desk.door.new_link(""))
        yield client


@pytest.fixture
def session(
    write_vault: Callable[[dict[str, str]], Path], open_vault: Callable[..., Session]
) -> Session:
    """Return a session on the small novel, synced."""
    session = open_vault(write_vault(NOVEL))
    session.call("sync", {})
    return session


@pytest.fixture
def desk(session: Session) -> Iterator[TestClient]:
    """Return a client that has come in."""
    with opened(session) as client:
        yield client
