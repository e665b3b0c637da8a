"""What an agent is told of names, and of mentions that may mean somebody else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp import Client

from writeros_entities.session import Session
from writeros_entities.surfaces.mcp import build_server

OpenVault = Callable[..., Session]
WriteVault = Callable[[dict[str, str]], Path]

SCHOOL = {
    "Cast/Ada Fenwick.md": "---\ntype: person\naliases: [The Heron, Miss Grey]\n---\nA teacher.\n",
    "Story/01.md": "Ada came. Ada sat. Miss Fenwick spoke.\n",
    "Story/02.md": "The Heron was Ada Fenwick.\n",
}


@pytest.fixture
def school(write_vault: WriteVault, open_vault: OpenVault) -> Session:
    session = open_vault(write_vault(SCHOOL))
    session.call("sync", {})
    return session


async def tell(session: Session, name: str, **arguments: Any) -> str:
    async with Client(build_server(session)) as client:
        result = await client.call_tool(name, arguments)
    content = result.content[0]
    assert isinstance(content, types.TextContent)
    return content.text


def forms(session: Session, **arguments: Any) -> list[tuple[str, int]]:
    answer: Any = session.call("get_entity", {"entity": "Miss Fenwick", **arguments})
    return [(name.form, name.mentions) for name in answer.entity.names]


@pytest.mark.anyio
async def test_names_that_stand_in_the_vault_are_told_by_use(school: Session) -> None:
    line = "Also called: Ada (2), The Heron (1), Miss Fenwick (1), Miss Grey (0)."
    assert line in (await tell(school, "get_entity", entity="Ada Fenwick")).split("\n")
    assert forms(school) == [
        ("Ada", 2),
        ("Ada Fenwick", 1),
        ("The Heron", 1),
        ("Miss Fenwick", 1),
        ("Miss Grey", 0),
    ]
    assert forms(school, as_of=1) == [("Ada", 2), ("Miss Fenwick", 1)]


@pytest.mark.anyio
async def test_names_that_follow_by_rule_are_told_when_asked_for(school: Session) -> None:
    told = await tell(school, "get_entity", entity="Ada Fenwick", derived_names=True)
    assert "Lady Ada Fenwick (0)" in told
    assert ("Dr Ada Fenwick", 0) in forms(school, derived_names=True)
    assert forms(school, derived_names=True, as_of=1) == [("Ada", 2), ("Miss Fenwick", 1)]
