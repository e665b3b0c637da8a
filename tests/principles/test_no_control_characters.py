"""What hides text inside the program, and what a file may hold of it, never reaches an answer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import cycle
from typing import Any

import pytest
from mcp import Client

from writeros_entities.errors import WriterosError
from writeros_entities.session import Session
from writeros_entities.surfaces.mcp import build_server
from writeros_entities.surfaces.prompts import prompt

from ..asking import Words, questions
from ..databases import Databases

CONTROL = re.compile("[\\0-\\x08\\x0b-\\x0c\\x0e-\\x1f\\x7f]")

SECRET = re.compile("a secret|tp[.]secret")

NOTES = (
    "%% a secret %%",
    "<!-- a secret -->",
    "<% tp.secret() %>",
    "`= this.secret`",
    "\x02\x1b[31m\x00",
)
"""What is hidden in a note, or should not be in one."""

SHEET = """---
type: person
aliases: ["Mrs\\x02 Reed", "Red{0} Ann"]
"allies\\x1b": ["[[Ben Hale]]"]
spouse: "[[Ben Hale]] {0}"
home: "Old\\x07 Mill"
status: "alive\\e[0m"
---
# Ann Reed {0}

{0} Ann Reed is a miller. Ann{0} Reed **lives** in {0} Old Mill. ^block

**Location**: {0} Old Mill
**Sister{0}**: Cora {0} Reed
ally:: {0} [[Ben Hale]]
(friend:: [[Ben Hale]]{0})

- Role: {0} miller
- Daughter of {0} [[Ben Hale]] and Cora Reed
- Works at the {0} [[Old Mill]]

| who {0} | what |
| --- | --- |
| Ben {0} Hale | her {0} brother |

> [!info] Ann {0} Reed
> **Age**: {0} 30
> Eyes: {0} green {0}

## Members {0}

- [[Ben Hale|the {0} smith]], smith {0} of the mill
- Cora Reed {0} — her sister
"""

CHAPTER = """---
chapter: {1}
date: "day\\x02 {1}"
---
**Location**: {0} Old Mill
**Time**: {0} dusk
POV: {0} [[Ann Reed]]

## The {0} mill

Ann Reed {0} met Ben Hale at the Old Mill. "I saw {0} Cora Reed," said Ann {0}. "She {0} is dead."
{0}
Ben Hale {0} married Ann Reed. Ben{0} Hale hid the {0} key under the stair. Cora Reed had {0} green
eyes. Cora Reed died {0}. He gave {0} Ann **Re**ed the _k_ey. "Where {0} is it?" asked Ben Hale.

- Present: {0} Ann Reed, {0} Ben Hale
"""


def vault() -> dict[str, str]:
    hidden = " ".join(NOTES)
    files = {
        "People/Ann Reed.md": SHEET.format(hidden),
        "People/Ben Hale.md": f"---\ntype: person\n---\n{hidden}\nBen Hale {hidden} is a smith.\n",
        "Places/Old Mill.md": f"---\ntype: place\n---\nOwner: {hidden} [[Ann Reed]]\n",
        "Places/Bad\x1bname.md": "Ann Reed was here.\n",
        "Board.canvas": json.dumps(
            {
                "nodes": [
                    {"id": "a", "type": "file", "file": "People/Ann Reed.md"},
                    {"id": "b", "type": "text", "text": f"Ben\x02 Hale and Ann Reed {hidden}"},
                    {"id": "c", "type": "file", "file": "People/Ben Hale.md"},
                ],
                "edges": [{"id": "e", "fromNode": "a", "toNode": "c", "label": "ally\x02 of"}],
            }
        ),
    }
    for number, one in enumerate((*NOTES, hidden), 1):
        files[f"Story/{number} - Day.md"] = CHAPTER.format(one, number)
    return files


WORDS = Words(
    names=("Ann Reed", "Ben Hale", "Cora Reed", "Old Mill", "No\x02body"),
    notes=("People/Ann Reed.md", "1", "5 - Day", "Ann Reed#Members", "6", "No\x02where"),
    texts=("Ann Reed\x02 met Ben Hale \x1b[31m", "key\x02 under the stair", "Who is \x02 Cora?"),
    folders=("Story", "No\x02where"),
    kinds=("ally_of", "lives_in"),
)


@pytest.fixture(scope="module")
def hostile(
    sqlite_databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Session]:
    root = tmp_path_factory.mktemp("hostile")
    for path, text in vault().items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    with Session.open(root, database=sqlite_databases.create(), embedding_model="") as session:
        session.call("sync", {})
        yield session


def texts_in(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Yield each text of an answer with its place, keys included."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield f"{place} (key)", str(key)
            yield from texts_in(item, f"{place}.{key}")
    elif isinstance(value, list):
        for item in value:
            yield from texts_in(item, f"{place}[]")


def test_no_answer_has_a_control_character(hostile: Session) -> None:
    bad: set[tuple[str, str, str]] = set()
    asked_of = 0
    chapters = cycle((None, 5))
    for name, capability in hostile.capabilities.items():
        for asked, as_of in zip(questions(capability, WORDS), chapters, strict=False):
            bound = {"as_of": as_of} if "as_of" in capability.request.model_fields else {}
            if asked.get("format") == "html" or name in ("rebuild", "migrate"):
                continue
            try:
                answer = hostile.call(name, asked | bound)
            except WriterosError as error:
                found = [("error", str(error))]
            else:
                found = [*texts_in(answer.model_dump(mode="json")), ("text", answer.as_text())]
            asked_of += 1
            bad |= {
                (name, place, text)
                for place, text in found
                if CONTROL.search(text) or (place.endswith(".heading") and SECRET.search(text))
            }
    assert asked_of > 200
    assert bad == set()


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("character_brief", {"entity": "Ann Reed"}),
        ("scene_brief", {"scene": "5 - Day"}),
        ("scene_brief", {"scene": "6 - Day"}),
        ("continuity_review", {"scene": "6 - Day"}),
        ("name_sheet", {}),
    ],
)
def test_no_prompt_has_a_control_character(
    hostile: Session, name: str, arguments: dict[str, str]
) -> None:
    assert not CONTROL.search(prompt(hostile, name, arguments))


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
async def test_no_attached_note_has_a_control_character(hostile: Session) -> None:
    async with Client(build_server(hostile)) as client:
        listed = (await client.list_resources()).resources
        texts = [(await client.read_resource(one.uri)).contents[0].text for one in listed]  # type: ignore[union-attr]
    assert [one.name for one in listed if "Bad" in one.name] == ["Places/Bad\\x1bname.md"]
    assert len(texts) == 10
    assert not any(map(CONTROL.search, texts))


def test_a_control_character_of_a_note_is_shown_as_unreadable(hostile: Session) -> None:
    text = hostile.call("read_note", {"note": "5 - Day"}).as_text()
    assert "Ann Reed \ufffd\ufffd[31m\ufffd met Ben Hale at the Old Mill." in text
    (found,) = hostile.call(
        "find_mentions", {"entity": "Old Mill", "below": "Story/5 - Day.md", "limit": 1}
    ).model_dump()["mentions"]
    file = (hostile.root / "Story/5 - Day.md").read_text("utf-8")
    assert file[found["start"] : found["end"]] == "Old Mill"
