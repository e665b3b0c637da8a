"""What a chapter may be called: by name, number, path or link, in every answer as of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp import Client

from writeros_entities.errors import AmbiguousNameError, NotFoundError
from writeros_entities.session import Session
from writeros_entities.surfaces.mcp import ServerOptions, build_server

from ..conftest import ReadVault

WriteVault = Callable[[dict[str, str]], Path]

SERIES = {f"Book {book}/Chapter {one}.md": "Ann ran." for book in (1, 2) for one in (1, 2)}


def ask(session: Session, name: str, **arguments: Any) -> Any:
    """Return an answer as data."""
    return session.call(name, arguments).model_dump(mode="json")


def test_a_chapter_may_be_asked_for_by_its_name(novel: Session) -> None:
    by_name = ask(novel, "list_entities", as_of="07 - Hope Is a Wren", limit=500)
    assert by_name == ask(novel, "list_entities", as_of=7, limit=500)


@pytest.mark.parametrize(
    ("chapter", "position"),
    [
        ("Book 2/Chapter 1", 3),
        ("book 2/chapter 1.md", 3),
        ("[[Book 2/Chapter 2|the end]]", 4),
        ("[[Book 1/Chapter 2#Dawn]]", 2),
    ],
)
def test_a_chapter_may_be_asked_for_by_its_path_or_a_link(
    read_vault: ReadVault, chapter: str, position: int
) -> None:
    session = read_vault(SERIES)
    with session.view(chapter) as view:
        assert view.as_of == position


@pytest.mark.parametrize("chapter", ["2.5", "chapter 2.5", "Ch. 2.5"])
def test_a_chapter_between_two_others_may_be_asked_for_by_its_number(
    read_vault: ReadVault, chapter: str
) -> None:
    notes = {"Fog.md": "2", "Tide.md": "2.5", "Sand.md": "3"}
    session = read_vault(
        {path: f"---\nchapter: {at}\n---\nAnn rowed.\n" for path, at in notes.items()}
    )
    with session.view(chapter) as view, session.view("Tide") as named:
        assert view.as_of == named.as_of
    by_number = ask(session, "list_notes", chapters_only=True, as_of=2.5)
    assert [one["path"] for one in by_number["notes"]] == ["Fog.md", "Tide.md"]


def test_a_name_that_two_chapters_have_is_answered_with_both(read_vault: ReadVault) -> None:
    session = read_vault(SERIES)
    message = (
        "2 chapters are called 'Chapter 1': Book 1/Chapter 1.md; Book 2/Chapter 1.md. "
        "Ask for one of them by its path."
    )
    with pytest.raises(AmbiguousNameError, match=re.escape(message)):
        session.call("list_entities", {"as_of": "Chapter 1"})


@pytest.mark.parametrize(
    "name", ["Chapter 7", "ch7", "Ch. 07", "chapter seven", "Chapter VII", "Kapitel 7"]
)
def test_a_chapter_can_be_asked_for_by_its_number_in_words(novel: Session, name: str) -> None:
    assert ask(novel, "status", as_of=name)["last_position"] == 7
    brief = ask(novel, "brief_scene", scene=name, max_tokens=100)
    assert brief["scene"]["title"] == "07 - Hope Is a Wren"
    related = ask(novel, "find_related_notes", note=name)
    assert related["path"] == "Manuscript/07 - Hope Is a Wren.md"


@pytest.mark.parametrize(
    "name", ["#7", "position 7", "before chapter 7", "Chapter 7: Gloves", "Part 1 chapter 7"]
)
def test_a_chapter_whose_number_is_not_all_that_is_said_is_suggested(
    novel: Session, name: str
) -> None:
    with pytest.raises(NotFoundError, match=r"Did you mean '07 - Hope Is a Wren'\?$"):
        novel.call("list_entities", {"as_of": name})


@pytest.fixture
def series(read_vault: ReadVault) -> Session:
    """Two books, the first with a prologue: chapter 1 of the first is at position 2."""
    return read_vault(
        {
            "Book 1/00 - Prologue.md": "[[Ann]] slept.",
            "Book 1/01 - Fog.md": "[[Ben]] woke.",
            "Book 1/02 - Rain.md": "[[Cat]] sang.",
            "Book 2/01 - Ice.md": "[[Dan]] fell.",
            "Book 2/Coda.md": "---\nchapter: 9\n---\n[[Eve]] left.",
        }
    )


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("Book 1, chapter 1", "Ann Ben"),
        ("book 1 chapter 2", "Ann Ben Cat"),
        ("Book 2 ch. 1", "Ann Ben Cat Dan"),
        ("chapter 9", "Ann Ben Cat Dan Eve"),
        ("Book 2, chapter nine", "Ann Ben Cat Dan Eve"),
    ],
)
def test_a_chapter_of_a_series_is_meant_by_the_numbers_of_book_and_chapter(
    series: Session, name: str, known: str
) -> None:
    found = ask(series, "list_entities", as_of=name, order="first")["entities"]
    assert " ".join(entity["name"] for entity in found) == known


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("chapter 1", "'chapter 1'. Did you mean '01 - Fog' or '01 - Ice'?"),
        ("Book 3 chapter 2", "'Book 3 chapter 2'. Did you mean '02 - Rain'?"),
        ("chapter 70", "'chapter 70'. The places in reading order are 1 to 9."),
    ],
)
def test_a_number_that_is_no_chapters_alone_is_answered_with_the_chapters_that_have_it(
    series: Session, name: str, message: str
) -> None:
    with pytest.raises(NotFoundError) as error:
        series.call("list_entities", {"as_of": name})
    assert str(error.value) == f"There is no chapter {message}"


def test_the_number_of_a_scene_is_not_that_of_its_chapter(read_vault: ReadVault) -> None:
    """Scenes are counted in their chapters: scene 2 of chapter 1, scene 1 of The Long Night."""
    notes = {
        "Fog": "chapter: 1\nscene: 2",
        "Bells": "chapter: 2\nscene: 1",
        "Ice": "chapter: 2\nscene: 2",
        "The Long Night": "chapter: 3",
        "Lamps": "chapter: The Long Night\nscene: 7",
    }
    session = read_vault({f"{name}.md": f"---\n{said}\n---\nA." for name, said in notes.items()})
    with pytest.raises(NotFoundError, match=r"The places in reading order are 1 to 5\.$"):
        session.call("list_entities", {"as_of": "Chapter 7"})


@pytest.mark.parametrize(
    ("name", "last"),
    [
        ("Chapter 1", 1),
        ("Chapter 2", 3),
        ("Bells", 2),
        ("Chapter 3", 5),
        ("The Long Night", 5),
        ("[[Chapters/The Long Night]]", 5),
        ("Chapter 4", 7),
        ("Dawn", 7),
    ],
)
def test_a_chapter_ends_with_its_last_scene(read_vault: ReadVault, name: str, last: int) -> None:
    notes = {
        "Fog": "act: 1\nchapter: 1\nscene: 2",
        "Bells": "act: 1\nchapter: 2\nscene: 1",
        "Ice": "act: 1\nchapter: 2\nscene: 2",
        "Chapters/The Long Night": "act: 1\nchapter: 3",
        "Lamps": "chapter: The Long Night\nscene: 7",
        "Dawn": "act: 2\nchapter: 4",
        "Larks": "act: 2\nchapter: 4\nscene: 1",
    }
    session = read_vault({f"{path}.md": f"---\n{said}\n---\nA." for path, said in notes.items()})
    assert ask(session, "status", as_of=name)["last_position"] == last


def test_a_number_of_chapters_in_two_books_is_ambiguous(read_vault: ReadVault) -> None:
    notes = {
        f"Book {at}/{name}.md": "---\nchapter: 1\n---\nA." for at, name in ((1, "Fog"), (2, "Ice"))
    }
    session = read_vault(notes)
    with pytest.raises(AmbiguousNameError, match=r"Book 1/Fog\.md.*Book 2/Ice\.md"):
        session.call("list_entities", {"as_of": "chapter 1"})
    assert ask(session, "status", as_of="Book 2, chapter 1")["last_position"] == 2


@pytest.mark.parametrize("name", ["ch. 2", "Chapter 2, scene 1", "Part 2"])
def test_chapters_of_one_title_are_suggested_by_their_paths(
    read_vault: ReadVault, name: str
) -> None:
    notes = {f"Part {part}/Chapter {at}.md": "Ann ran." for part in (1, 2) for at in (2, 3)}
    session = read_vault(notes)
    with pytest.raises(NotFoundError) as error:
        session.call("list_entities", {"as_of": name})
    assert str(error.value) == (
        f"There is no chapter '{name}'. "
        "Did you mean 'Part 1/Chapter 2.md' or 'Part 2/Chapter 2.md'?"
    )


@pytest.mark.parametrize("name", ["Chapter 1, scene 2", "chapter 1 scene 2", "Chapter 1, sc. 2"])
def test_the_scene_of_a_chapter_is_not_the_chapter_of_a_part(
    read_vault: ReadVault, name: str
) -> None:
    notes = {f"Part 1/Chapter {at}.md": "Ann ran." for at in (1, 2)}
    session = read_vault(notes)
    with pytest.raises(NotFoundError, match=r"Did you mean 'Chapter 1' or 'Chapter 2'\?$"):
        session.call("list_entities", {"as_of": name})


def test_the_scenes_of_a_play_are_numbered_in_its_acts(read_vault: ReadVault) -> None:
    notes = {f"Act {act}/Scene {at}.md": "Ann ran." for act in (1, 2) for at in (1, 2)}
    session = read_vault(notes)
    assert ask(session, "status", as_of="Act 2, scene 1")["last_position"] == 3


def test_a_chapter_may_have_its_number_as_a_heading(read_vault: ReadVault) -> None:
    notes = {
        f"{at:02} - {name}.md": f"# Chapter {at}\n\nA." for at, name in ((1, "Fog"), (2, "Ice"))
    }
    session = read_vault(notes)
    assert ask(session, "status", as_of="Chapter 2")["last_position"] == 2


def test_a_part_is_not_meant_by_the_number_of_a_chapter(read_vault: ReadVault) -> None:
    session = read_vault({"Part One.md": "Ann rowed.\n", "Part Two.md": "Ann slept.\n"})
    assert ask(session, "status", as_of="Part Two")["last_position"] == 2
    with pytest.raises(NotFoundError, match=r"Did you mean 'Part Two'\?$"):
        session.call("list_entities", {"as_of": "Chapter 2"})


@pytest.mark.parametrize("name", ["Chapter 2", "[[chapter 3]]"])
def test_a_chapter_that_is_only_a_heading_is_said_to_be_one(
    read_vault: ReadVault, name: str
) -> None:
    parts = {
        "Part One.md": "# Chapter 1\nAnn rowed.\n\n# Chapter 2\nBen slept.\n\n# Chapter 3\nFog.\n",
        "Part Two.md": "# Chapter 4\nAnn slept.\n",
    }
    session = read_vault(parts)
    with pytest.raises(NotFoundError) as error:
        session.call("list_entities", {"as_of": name})
    assert str(error.value) == (
        f"There is no chapter {name!r}. It is a heading in 'Part One.md', and "
        "a note has one place in reading order: that one has place 1, with all its headings. To "
        "ask as of each of its chapters, make them notes."
    )


@pytest.mark.parametrize(
    ("scene", "message"),
    [
        ("#7", "There is no scene '#7'. Did you mean '07 - Hope Is a Wren'?"),
        ("Chapter 70", "There is no scene 'Chapter 70'. The places in reading order are 1 to 14."),
        (99, "There is no scene '99'. The places in reading order are 1 to 14."),
    ],
)
def test_a_scene_that_there_is_not_is_answered_with_chapters_and_nobody_else(
    novel: Session, scene: str | int, message: str
) -> None:
    with pytest.raises(NotFoundError) as error:
        novel.call("brief_scene", {"scene": scene})
    assert str(error.value).startswith(message)
    assert not any("/" in name for name in error.value.nearest)


@pytest.mark.parametrize("capability", ["brief_scene", "read_note"])
def test_a_number_beyond_the_book_is_answered_with_its_places_not_with_a_title_of_like_digits(
    read_vault: ReadVault, capability: str
) -> None:
    session = read_vault({"000_Start.md": "Ann came.", "01_End.md": "Ann went."})
    parameter = "scene" if capability == "brief_scene" else "note"
    with pytest.raises(NotFoundError) as error:
        session.call(capability, {parameter: "500"})
    assert str(error.value).endswith(" '500'. The places in reading order are 0 to 1.")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


BAD_INK = "Manuscript/09 - Bad Ink.md"


NAMES_OF_BAD_INK = (9, "9", "chapter 9", "Bad Ink", "09 - Bad Ink")


@pytest.mark.anyio
async def test_an_agent_may_name_a_chapter_by_number_wherever_it_names_a_note(
    novel: Session,
) -> None:
    async def ask(tool: str, **arguments: Any) -> types.CallToolResult:
        answer = await client.call_tool(tool, arguments)
        assert not answer.is_error, answer
        return answer

    async with Client(build_server(novel, options=ServerOptions(tools=["all"]))) as client:
        for tool, parameter, others in (
            ("read_note", "note", {}),
            ("find_related_notes", "note", {}),
            ("brief_scene", "scene", {}),
            ("context_for_text", "note", {"text": "Toby wrote to Isolde."}),
            ("find_mentions", "below", {"entity": "Isolde Marrow"}),
            ("search", "below", {"query": "ink"}),
            ("list_notes", "below", {}),
            ("list_note_entities", "note", {}),
        ):
            by_path = await ask(tool, **{parameter: BAD_INK}, **others)
            assert tool != "read_note" or f"{BAD_INK} (place 9 in reading order)" in str(by_path)
            for name in NAMES_OF_BAD_INK:
                assert await ask(tool, **{parameter: name}, **others) == by_path, (tool, name)
        for name in (*NAMES_OF_BAD_INK, BAD_INK):
            resource = await client.read_resource(f"vault://note/{name}")
            (content,) = resource.contents
            assert isinstance(content, types.TextResourceContents)
            assert content.text == novel.read_note(BAD_INK)
            filled = await client.get_prompt("scene_brief", {"scene": str(name)})
            assert f"Quoted from {BAD_INK}" in str(filled)


@pytest.mark.anyio
async def test_a_number_is_an_agents_note_only_as_text_in_the_schema(novel: Session) -> None:
    async with Client(build_server(novel)) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    for tool, parameter in (("read_note", "note"), ("brief_scene", "scene"), ("search", "below")):
        assert tools[tool].input_schema["properties"][parameter]["type"] == "string"


def test_a_later_chapter_is_no_note_whatever_it_is_called(novel: Session) -> None:
    for name in (9, "9", "chapter 9", 99):
        with pytest.raises(NotFoundError) as error:
            novel.call("read_note", {"note": name, "as_of": 5})
        places = "The places in reading order are 1 to 5."
        assert str(error.value) == f"There is no note '{name}'. {places}"


def test_a_path_comes_before_a_title_and_a_title_before_the_number_of_a_chapter(
    read_vault: ReadVault,
) -> None:
    notes = {
        "Book/08 - Fog.md": "Fog.",
        "Book/09 - Ink.md": "Ink.",
        "Days/8.md": "Monday.",
        "Days/9.md": "Tuesday.",
        "Lists/9.md": "Eggs.",
        "8.md": "Eight.",
    }
    session = read_vault(notes)

    def path_of(name: int | str) -> str:
        return str(ask(session, "read_note", note=name)["path"])

    assert (path_of(8), path_of("Days/8"), path_of("chapter 8")) == (
        *("8.md", "Days/8.md"),
        "Book/08 - Fog.md",
    )
    with pytest.raises(AmbiguousNameError, match=r"Days/9\.md; Lists/9\.md\. Ask for one"):
        path_of(9)
    with pytest.raises(NotFoundError):
        path_of("Weeks/9")


@pytest.mark.parametrize("name", ["Hope Is a Wren", "hope is a wren", "[[hope-wren]]", 2])
def test_a_chapter_may_be_asked_for_by_the_title_in_its_properties(
    read_vault: ReadVault, name: int | str
) -> None:
    notes = {
        "the-fog.md": "---\nchapter: 1\n---\n",
        "hope-wren.md": "---\ntitle: Hope Is a Wren\nchapter: 2\n---\nAnn ran.\n",
    }
    session = read_vault(notes)
    assert ask(session, "read_note", note=name)["path"] == "hope-wren.md"
    assert ask(session, "status", as_of=name)["last_position"] == 2
