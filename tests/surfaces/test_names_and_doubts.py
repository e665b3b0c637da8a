"""What an agent is told of names, and of mentions that may mean somebody else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp import Client

from writeros_entities.session import Session
from writeros_entities.surfaces.mcp import ServerOptions, build_server

from ..conftest import ReadVault

OpenVault = Callable[..., Session]
WriteVault = Callable[[dict[str, str]], Path]

SCHOOL = {
    "Cast/Ada Fenwick.md": "---\ntype: person\naliases: [The Heron, Miss Grey]\n---\nA teacher.\n",
    "Story/01.md": "Ada came. Ada sat. Miss Fenwick spoke.\n",
    "Story/02.md": "The Heron was Ada Fenwick.\n",
}


@pytest.fixture
def school(read_vault: ReadVault) -> Session:
    return read_vault(SCHOOL)


async def tell(session: Session, name: str, **arguments: Any) -> str:
    async with Client(build_server(session, options=ServerOptions(tools=["all"]))) as client:
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


PERSON = "---\ntype: person\n---\n"
REEDS = {
    "Cast/Ann Reed.md": PERSON,
    "Cast/Bo Reed.md": PERSON,
    "Cast/Cy Marsh.md": PERSON,
    "Story/01.md": '"Ann Reed and Bo Reed are here," said Cy Marsh.\n',
    "Story/02.md": "Reed sat by the fire.\n",
    "Story/03.md": '---\ncharacters: ["[[Ann Reed]]"]\n---\nThe fire was out.\n',
    "Story/04.md": "Reed slept. Ann Reed came back.\n",
}


@pytest.fixture
def reeds(read_vault: ReadVault) -> Session:
    return read_vault(REEDS)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("name", "arguments", "line"),
    [
        (
            "find_mentions",
            {"entity": "Ann Reed"},
            "- line 1: **Reed** sat by the fire. *(or Bo Reed)*",
        ),
        ("find_mentions", {"entity": "Ann Reed"}, "- line 1: **Ann Reed** came back."),
        (
            "get_entity_history",
            {"entity": "Ann Reed"},
            "- **2**: is called Reed *(or Bo Reed)* — “Reed” (Story/02.md:1)",
        ),
        (
            "brief_scene",
            {"scene": "Story/03.md"},
            "- Last named in 02: “Reed sat by the fire.” *(or Bo Reed)* (Story/02.md:1)",
        ),
        (
            "extract_entities",
            {"text": "Reed sat."},
            "| Reed | Ann Reed *(or Bo Reed)* | person | noted | 0.45 |",
        ),
    ],
)
async def test_a_doubtful_reading_is_told_in_the_same_words_everywhere(
    reeds: Session, name: str, arguments: dict[str, Any], line: str
) -> None:
    assert line in (await tell(reeds, name, **arguments)).split("\n")


TOGETHER = {
    "Cast/Ann Reed.md": PERSON,
    "Cast/Bo Reed.md": PERSON,
    "Cast/Di Moss.md": PERSON,
    "Story/01.md": "Reed sat by the fire with Di Moss.\n",
    "Story/02.md": "Ann Reed and Di Moss sat down.\n",
}


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("name", "arguments", "line"),
    [
        (
            "find_paths",
            {"entities": ["Ann Reed", "Di Moss"]},
            "  - Story/01.md:1 — **Reed sat by the fire with Di Moss**. *(or Bo Reed)*",
        ),
        (
            "get_entity_graph",
            {"center_entity": "Ann Reed", "evidence": 1},
            "  - Story/01.md:1 — **Reed sat by the fire with Di Moss**. *(or Bo Reed)*",
        ),
        (
            "infer_relationship",
            {"head_entity": "Bo Reed", "tail_entity": "Di Moss"},
            "- Story/01.md:1 — **Reed sat by the fire with Di Moss**. *(or Ann Reed)*",
        ),
        (
            "reason_over_entities",
            {"query": "What binds Ann Reed and Di Moss?"},
            "- Story/01.md:1 (0.43; Ann Reed *(or Bo Reed)*, Di Moss) — "
            "Reed sat by the fire with Di Moss.",
        ),
    ],
)
async def test_a_passage_about_two_says_who_else_may_be_one_of_them(
    write_vault: WriteVault,
    open_vault: OpenVault,
    name: str,
    arguments: dict[str, Any],
    line: str,
) -> None:
    session = open_vault(write_vault(TOGETHER))
    session.call("sync", {})
    assert line in (await tell(session, name, **arguments)).split("\n")


@pytest.mark.anyio
async def test_a_sheet_counts_the_mentions_that_may_name_somebody_else(reeds: Session) -> None:
    told = await tell(reeds, "get_entity", entity="Ann Reed")
    assert (
        "4 mentions in 3 notes, places 1–4 in reading order. "
        "1 mention may name another entity *(or Bo Reed)*."
    ) in told
    assert "may name" not in await tell(reeds, "get_entity", entity="Cy Marsh")


def test_who_else_may_be_meant_is_data_of_the_same_name_everywhere(reeds: Session) -> None:
    mentions: Any = reeds.call("find_mentions", {"entity": "Ann Reed"})
    changes: Any = reeds.call("get_entity_history", {"entity": "Ann Reed"})
    words: Any = reeds.call("extract_entities", {"text": "Reed sat."})
    sheet: Any = reeds.call("get_entity", {"entity": "Ann Reed"})
    brief: Any = reeds.call("brief_scene", {"scene": "Story/03.md"})
    for answer in (
        mentions.mentions[1],
        changes.changes[1],
        *(word for word in words.entities if word.name == "Ann Reed"),
        sheet.entity,
        brief.cast[0].last_seen.quote,
    ):
        assert [other.entity.name for other in answer.alternatives] == ["Bo Reed"]
    assert mentions.mentions[0].alternatives == []


@pytest.mark.anyio
async def test_who_else_may_be_meant_by_the_same_name_is_told_apart(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(
        write_vault(
            {
                "Cast/Lantern.md": "---\ntype: person\n---\n",
                "Places/Lantern.md": "---\ntype: place\n---\n",
                "Story/01.md": "They saw Lantern again.\n",
            }
        )
    )
    session.call("sync", {})
    listed: Any = session.call("list_entities", {"containing": "Lantern"})
    ids = {entity.type: entity.id for entity in listed.entities}
    person = f"Lantern *(or Lantern (place, id {ids['place']}))*"
    place = f"Lantern *(or Lantern (person, id {ids['person']}))*"
    told = await tell(session, "list_note_entities", note="Story/01.md")
    assert f"| {person} | person |" in told
    assert f"| {place} | place |" in told
    assert f"again. *(or Lantern (place, id {ids['place']}))*" in await tell(
        session, "find_mentions", entity=ids["person"]
    )
    assert f"; {person}, {place})" in await tell(session, "search", query="saw again", mode="text")


@pytest.mark.anyio
async def test_no_answer_is_an_empty_text(school: Session) -> None:
    assert await tell(school, "context_for_text", text="Nobody.") == "Nothing found."
