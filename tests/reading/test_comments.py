"""The comments of the author are for nobody else: not quoted, embedded, or found by a reader."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.session import Session

from ..models import WordModel, with_model

OpenVault = Callable[..., Session]
WriteVault = Callable[[dict[str, str]], Path]


def search(session: Session, query: str, **arguments: Any) -> dict[str, Any]:
    return session.call("search", {"query": query, **arguments}).model_dump()


def test_a_comment_is_never_quoted(write_vault: WriteVault, open_vault: OpenVault) -> None:
    session = open_vault(write_vault({"Log.md": "The ferry sailed. %% Ezra is the spy %%\n"}))
    session.call("sync", {})
    for query in ("spy", "ferry spy", "Ezra"):
        answer = search(session, query, include_content=True, trace=True)
        assert [one["path"] for one in answer["passages"]] == ["Log.md"]
        assert "spy" not in answer["passages"][0]["excerpt"] + answer["passages"][0]["content"]


COMMENTED = {
    "Log/01 - Fog.md": "The ferry sailed. %% Ezra is\nthe spy %% Ann typed `%%` and slept.\n",
    "Log/02 - Rain.md": "- The cook woke. <!-- the spy -->\n\n<div>Rain. <!-- the spy --></div>\n",
    "Log/03 - Snow.md": "Snow fell.\n\n%%\n" + "The spy is Ezra.\n\n" * 200 + "%%\n\nIt thawed.\n",
}


@pytest.mark.parametrize("query", ["spy", "is the spy", "sp*", "ezra"])
def test_what_only_comments_say_is_not_found_as_of_a_chapter(
    write_vault: WriteVault, open_vault: OpenVault, query: str
) -> None:
    session = open_vault(write_vault(COMMENTED))
    session.call("sync", {})
    assert search(session, query)["passages"]
    assert search(session, query, as_of=3)["passages"] == []


def test_vectors_are_made_of_what_is_told_without_the_comments(
    write_vault: WriteVault, database: str
) -> None:
    model = WordModel()
    with Session.open(write_vault(COMMENTED), database=database, **with_model(model)) as session:
        session.call("sync", {})
    read = "".join(model.take())
    assert "It thawed." in read
    assert "spy" not in read
    assert read.replace("\n", "").isprintable()


def test_a_comment_is_known_however_it_is_written(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(COMMENTED))
    session.call("sync", {})
    answer = search(
        session, "ferry typed cook rain snow thawed spy", limit=50, include_content=True
    )
    content = " ".join(one["content"] for one in answer["passages"])
    assert "spy" not in content
    assert "Ezra" not in content
    for told in ("Ann typed `%%` and slept.", "The cook woke.", "Rain.", "It thawed."):
        assert told in content


COMMANDS = {
    "Log/01 - Fog.md": "# `= this.file.name`\n\n"
    "The ferry sailed, `dice: 1d6` knots. <% tp.hidden %>\n\n"
    "> [!infobox]\n> | Race | `INPUT[text:hidden]` |\n> ~~~meta-bind\n> hidden\n> ~~~\n\n"
    "```dataview\nLIST hidden\n```\nIt `sank`.\n\n```leaflet\nid: hidden\n```\n\n"
    "<%*\nconst hidden = 1\n%>\nIt rose.\n\n```\nDear Ann: STOP\n```\n"
    "\n![][image1]\n\n[image1]: <data:image/png;base64,hidden>\n"
}


def test_commands_to_plugins_are_never_quoted_nor_found_by_a_reader(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(COMMANDS))
    session.call("sync", {})
    answer = search(session, "ferry sank rose Ann", limit=50, include_content=True)
    content = " ".join(one["content"] for one in answer["passages"])
    for command in ("hidden", "dice:", "tp.", "this.file", "dataview", "leaflet"):
        assert command not in content
    for told in ("The ferry sailed,", "It `sank`.", "It rose.", "Dear Ann: STOP"):
        assert told in content
    assert search(session, "hidden")["passages"]
    assert search(session, "hidden", as_of=1)["passages"] == []


def test_a_line_of_nothing_but_a_comment_leaves_no_blank_line(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    note = "---\ntype: person\n---\nAnn bakes.\n\n%%\nShe\nlies.\n%%\nShe rows.\n"
    session = open_vault(write_vault({"Ann.md": note}))
    session.call("sync", {})
    text = session.call("get_entity", {"entity": "Ann"}).as_text()
    assert "> Ann bakes.\n>\n> She rows." in text


HIDDEN_IN_A_SHEET = """---
type: person
trade: baker %% spy %% of bread
home: "Mill <!-- spy --> Lane"
---
# Ann %% spy %% Hale <!-- spy -->

rival:: %% spy %% [[Ben Low]]
mood:: calm <!-- spy --> and kind
(age:: 30 %% spy %%)
empty:: %% spy %%

> [!infobox]
> | **Pet** %% spy %% | a cat <!-- spy --> |
> |---|---|
> | Hair %% spy %% | %% spy %% red |

Sister of [[Eve Low]] %% spy %%. She bakes.
"""


@pytest.mark.parametrize("as_of", [None, 1])
def test_a_comment_leaves_no_trace_in_what_it_stands_in(
    write_vault: WriteVault, open_vault: OpenVault, as_of: int | None
) -> None:
    cast = {f"{name}.md": "---\ntype: person\n---\nA baker.\n" for name in ("Ben Low", "Eve Low")}
    always = HIDDEN_IN_A_SHEET.replace("---\n", "---\nvisible_from: always\n", 1)
    chapter = (
        "# One %% spy %%\n\n**Place**: %% spy %% the Mill\n\nAnn Hale met Ben Low. <!-- spy -->\n"
    )
    session = open_vault(write_vault({"Ann Hale.md": always, "Book/1.md": chapter, **cast}))
    session.call("sync", {})
    calls: list[tuple[str, dict[str, Any]]] = [
        ("get_entity", {"entity": "Ann Hale"}),
        ("build_context", {"entities": ["Ann Hale"]}),
        ("brief_scene", {"scene": 1}),
        ("search", {"query": "Ann Hale", "include_content": True}),
        ("find_mentions", {"entity": "Ben Low"}),
        ("get_entity_history", {"entity": "Ann Hale"}),
        ("check_continuity", {}),
    ]
    bound = {} if as_of is None else {"as_of": as_of}
    answers = {name: session.call(name, arguments | bound) for name, arguments in calls}
    for answer in answers.values():
        for told in (answer.as_text(), answer.model_dump_json()):
            assert "spy" not in told
            assert "\x02" not in told
            assert "\\u0002" not in told
    [place] = answers["brief_scene"].model_dump()["places"]
    assert (place["key"], place["text"]) == ("place", "the Mill")


def test_a_value_with_a_comment_is_the_value_without_it(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault({"Ann Hale.md": HIDDEN_IN_A_SHEET}))
    session.call("sync", {})
    sheet = session.call("get_entity", {"entity": "Ann Hale"}).model_dump()["entity"]
    assert sheet["properties"] == {
        "trade": "baker of bread",
        "home": "Mill Lane",
        "rival": "[[Ben Low]]",
        "mood": "calm and kind",
        "age": "30",
        "empty": "",
        "pet": "a cat",
        "hair": "red",
    }
