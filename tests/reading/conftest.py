"""A vault that the tests of one module read; notes are read in the same way on both engines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from writeros_entities.session import Session

from ..databases import Databases
from ..databases import one_engine as databases

__all__ = ["ask", "asking", "databases"]

Ask = Callable[..., Any]


def asking(session: Session) -> Ask:
    """Return a function that calls a capability with keyword arguments."""
    return lambda capability, **asked: session.call(capability, asked)


@pytest.fixture(scope="module")
def ask(
    request: pytest.FixtureRequest,
    databases: Databases,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Ask]:
    """Return a function that calls a capability on the module's `VAULT`, synced once."""
    root = tmp_path_factory.mktemp("vault")
    for path, text in request.module.VAULT.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    with Session.open(root, database=databases.create()) as session:
        session.call("sync", {})
        yield asking(session)
