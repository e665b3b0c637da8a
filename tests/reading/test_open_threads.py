"""What a writer notes as yet to do is no part of her story, and is found where she asks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.session import Session

from ..cases import by_name
from ..conftest import ReadVault
from .conftest import Ask

OpenVault = Callable[..., Session]
WriteVault = Callable[[dict[str, str]], Path]

VAULT = {
    "Chapters/Chapter 1.md": "Ann Reed came to the Old Mill. The well was dry.\n\n"
    "- [ ] Tell why the millstone is gone\n"
    "- [x] Name the ferryman\n"
    "- [ ] Ask [[Bo Finch]] about the key\n"
    "    the brass one\n\n"
    "TODO: describe the road to Fenwick\n\n"
    "She left at dawn. (TODO more weather) The rain began.\n\n"
    "[question:: Who lit the beacon?]\n\n"
    "%% TODO Ann Reed is the thief %%\n",
    "Chapters/Chapter 2.md": "Bo Finch slept. “{{greeting}},” said Ann Reed.\n\n"
    "## Open questions\n\n- Does Ann Reed know of the beacon?\n",
    "Chapters/Chapter 3.md": "Bo Finch left.\n\n- [ ] Let Bo Finch drown the beacon\n",
    "People/Ann Reed.md": "---\ntype: person\n---\nAge: TBD\n\nEyes: grey\n",
    "People/Bo Finch.md": "---\ntype: person\n---\nA miller.\n",
    "Plan.md": "# Outline\n\n- [ ] Ann Reed burns the mill\n",
}

CHAPTER = "Chapters/Chapter 1.md"


def found(ask: Ask, query: str, **asked: Any) -> list[tuple[str, int, str | None, str]]:
    answer = ask("search", query=query, limit=50, **asked).model_dump()
    return [(one["path"], one["line"], one["thread"], one["excerpt"]) for one in answer["passages"]]


def test_what_is_yet_to_do_is_not_found_among_what_is_told(ask: Ask) -> None:
    assert [path for path, *_ in found(ask, "millstone")] == []
    assert [path for path, *_ in found(ask, "weather Fenwick beacon greeting")] == []
    content = ask("read_note", note=CHAPTER).model_dump()["passages"]
    assert "".join(one["text"] for one in content).split("\n\n")[0].startswith("Ann Reed came")
    assert "millstone" not in str(content)
    assert "She left at dawn." in str(content)
    assert "Name the ferryman" in str(content)


def test_nobody_is_mentioned_in_what_is_yet_to_do(ask: Ask) -> None:
    answer = ask("find_mentions", entity="Bo Finch").model_dump()
    assert [(one["path"], one["line"]) for one in answer["mentions"]] == [
        ("Chapters/Chapter 2.md", 1),
        ("Chapters/Chapter 3.md", 1),
    ]


def test_search_finds_what_is_yet_to_do_where_it_is_asked_for(ask: Ask) -> None:
    assert found(ask, "*", open_threads=True) == [
        (CHAPTER, 3, "to-do", "Tell why the millstone is gone"),
        (CHAPTER, 5, "to-do", "Ask Bo Finch about the key the brass one"),
        (CHAPTER, 8, "to-do", "describe the road to Fenwick"),
        (CHAPTER, 10, "to-do", "more weather"),
        (CHAPTER, 12, "question", "Who lit the beacon?"),
        (CHAPTER, 14, "comment", "Ann Reed is the thief"),
        (
            "Chapters/Chapter 2.md",
            1,
            "placeholder",
            "Bo Finch slept. “{{greeting}},” said Ann Reed.",
        ),
        ("Chapters/Chapter 2.md", 5, "question", "Does Ann Reed know of the beacon?"),
        ("Chapters/Chapter 3.md", 3, "to-do", "Let Bo Finch drown the beacon"),
        ("People/Ann Reed.md", 4, "to-do", "Age: TBD"),
        ("Plan.md", 3, "to-do", "Ann Reed burns the mill"),
    ]


def test_open_threads_are_found_by_their_words_and_by_whom_they_name(ask: Ask) -> None:
    assert found(ask, "drown beacon", open_threads=True) == [
        ("Chapters/Chapter 3.md", 3, "to-do", "Let Bo Finch **drown** the **beacon**"),
        (CHAPTER, 12, "question", "Who lit the **beacon**?"),
        ("Chapters/Chapter 2.md", 5, "question", "Does Ann Reed know of the **beacon**?"),
    ]
    by_name = found(ask, "*", open_threads=True, mentioning=["Bo Finch"], below="Chapters")
    assert [(path, line) for path, line, *_ in by_name] == [
        (CHAPTER, 5),
        ("Chapters/Chapter 2.md", 1),
        ("Chapters/Chapter 3.md", 3),
    ]


def test_as_of_a_chapter_there_are_its_threads_and_no_later_ones_and_no_comments(ask: Ask) -> None:
    assert [line for _, line, *_ in found(ask, "*", open_threads=True, as_of=1)] == [
        *(3, 5, 8, 10, 12),
    ]


def test_a_plan_is_found_and_is_open(ask: Ask) -> None:
    assert [path for path, *_ in found(ask, "burns")] == ["Plan.md"]


def test_a_brief_tells_what_is_noted_about_the_scene_and_its_people(ask: Ask) -> None:
    brief = ask("brief_scene", scene=2)
    assert [(one["path"], one["line"], one["kind"]) for one in brief.model_dump()["noted"]] == [
        ("Chapters/Chapter 2.md", 1, "placeholder"),
        ("Chapters/Chapter 2.md", 5, "question"),
        (CHAPTER, 5, "to-do"),
    ]
    assert (
        "## Noted for later\n\n"
        "- placeholder: Bo Finch slept. “{{greeting}},” said Ann Reed. (Chapters/Chapter 2.md:1)\n"
        "- question: Does Ann Reed know of the beacon? (Chapters/Chapter 2.md:5)\n"
        "- to-do: Ask Bo Finch about the key the brass one (Chapters/Chapter 1.md:5)"
    ) in brief.as_text()


def chapters(written: Iterable[str]) -> dict[str, str]:
    """Return a chapter for each of some texts, in a folder of its own."""
    return {
        f"{name}/Chapter 1.md": f"Ann slept.\n\n{text}\n" for name, text in by_name(written).items()
    }


def threads_below(session: Session, folder: str) -> list[tuple[str, str]]:
    """Return the kind and the text of each thread in a folder."""
    asked = {"query": "*", "open_threads": True, "below": folder}
    answer = session.call("search", asked).model_dump()
    return [(one["thread"], one["excerpt"]) for one in answer["passages"]]


THREADS = [
    ("- [ ] more fog", "to-do", "more fog"),
    ("1. [/] more fog", "to-do", "more fog"),
    ("> - [?] is there fog", "question", "is there fog"),
    ("TODO more fog", "to-do", "more fog"),
    ("**TODO:** more fog", "to-do", "more fog"),
    ("//TODO", "to-do", "TODO"),
    ("#TODO more fog", "to-do", "more fog"),
    ("It was late. TO-DO: more fog", "to-do", "more fog"),
    ("It was [FIXME: late] again.", "to-do", "late"),
    ("ZU TUN: mehr Nebel", "to-do", "mehr Nebel"),
    ("À FAIRE : plus de brume", "to-do", "plus de brume"),
    ("Offene Frage:: Woher der Nebel?", "question", "Woher der Nebel?"),
    ("## Perguntas em aberto\n\n- De onde a névoa?", "question", "De onde a névoa?"),
    ("## Loose ends\n\n- The fog", "to-do", "The fog"),
    ("The weather: {{fog}}", "placeholder", "The weather: {{fog}}"),
]


@pytest.mark.parametrize(("name", "case"), by_name(THREADS).items())
def test_open_threads_are_told_by_how_they_are_written(
    read_vault: ReadVault, name: str, case: tuple[str, str, str]
) -> None:
    session = read_vault(chapters(written for written, _, _ in THREADS))
    assert threads_below(session, name) == [case[1:]]


NO_THREADS = [
    "- [x] more fog",
    "- [-] more fog",
    "TODO EL MUNDO CALLÓ.",
    "Todo el mundo calló.",
    "The sign said TODO and nothing else.",
    "All that was left to do: sleep.",
    "A list of [ ] empty boxes.",
    "`TODO: more fog`",
    "```\n- [ ] more fog\n```",
    "## Questions of state\n\n- The fog",
    "“A question:” said Ann.",
]


@pytest.mark.parametrize(("name", "written"), by_name(NO_THREADS).items())
def test_what_only_looks_like_an_open_thread_is_told(
    read_vault: ReadVault, name: str, written: str
) -> None:
    assert threads_below(read_vault(chapters(NO_THREADS)), name) == [], written


def test_a_thread_that_is_ticked_off_is_open_no_more(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault({"Chapter 1.md": "Ann slept.\n\n- [ ] more fog\n- [ ] less rain\n"})
    session = open_vault(root)
    session.call("sync", {})
    (root / "Chapter 1.md").write_text("Ann slept.\n\n- [x] more fog\n- [ ] less rain\n", "utf-8")
    session.call("sync", {})
    answer = session.call("search", {"query": "*", "open_threads": True}).model_dump()
    assert [one["excerpt"] for one in answer["passages"]] == ["less rain"]


def test_a_thread_in_a_section_is_seen_from_where_the_section_is(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    sheet = (
        "---\ntype: person\nvisible_from: always\n---\n- [ ] more of her youth\n\n"
        "## Secret\n\nvisible_from:: 2\n\nShe is the thief.\n\n- [ ] more of her theft\n"
    )
    chapters = {f"Chapter {number}.md": "Ann slept.\n" for number in (1, 2)}
    session = open_vault(write_vault({"People/Ann.md": sheet, **chapters}))
    session.call("sync", {})

    def seen(as_of: int) -> list[str]:
        asked = {"query": "more", "open_threads": True, "as_of": as_of}
        answer = session.call("search", asked).model_dump()
        return [one["excerpt"] for one in answer["passages"]]

    assert seen(1) == ["**more** of her youth"]
    assert seen(2) == ["**more** of her youth", "**more** of her theft"]


def test_what_a_note_is_decides_anew_whether_its_threads_are_told(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    told = "Ann slept until noon.\n\nThe rain fell on the roof.\n\nBo left her at the ford.\n"
    root = write_vault({"Chapter 1.md": f"{told}\n- [ ] Ann burns the mill\n"})
    session = open_vault(root)
    session.call("sync", {})
    before = session.call("search", {"query": "burns"}).model_dump()["passages"]
    (root / "Decisions.md").write_text("- [[Chapter 1]] is a plan\n", "utf-8")
    session.call("sync", {})
    after = session.call("search", {"query": "burns"}).model_dump()["passages"]
    assert ([one["path"] for one in before], [one["path"] for one in after]) == (
        [],
        ["Chapter 1.md"],
    )
