"""Notes can be listed and read as far as a reader may see them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.errors import NotFoundError
from writeros_entities.session import Session

from ..conftest import OpenVault, ReadVault

WriteVault = Callable[[dict[str, str]], Path]

BOOK = {
    "Manuscript/02 - Ebb.md": "# Ebb\n\nAnn went.\n\n%% He knows. %%\n",
    "Manuscript/10 - Wrack.md": "Ann came back.\n",
    "Manuscript/01 - Flood.md": "Ann saw the [[Mill]].\n",
    "Cast/Ann.md": "---\ntype: person\nhome: the mill\n---\n# Ann\n\n"
    "A miller.\n\n## End\n\nvisible_from:: 2\n\nShe leaves.\n",
    "Plan.md": "Ann drowns.\n",
}


@pytest.fixture
def book(read_vault: ReadVault) -> Session:
    return read_vault(BOOK)


@pytest.fixture
def own_book(write_vault: WriteVault, open_vault: OpenVault) -> Session:
    session = open_vault(write_vault(BOOK))
    session.call("sync", {})
    return session


def ask(session: Session, name: str, **arguments: Any) -> Any:
    return session.call(name, arguments).model_dump(mode="json")


def text_of(session: Session, note: str, **arguments: Any) -> str:
    return "\n---\n".join(
        passage["text"] for passage in ask(session, "read_note", note=note, **arguments)["passages"]
    )


def test_notes_are_listed_in_reading_order_and_then_by_path(book: Session) -> None:
    listed = ask(book, "list_notes")
    assert [(note["position"], note["path"]) for note in listed["notes"]] == [
        (1, "Manuscript/01 - Flood.md"),
        (2, "Manuscript/02 - Ebb.md"),
        (10, "Manuscript/10 - Wrack.md"),
        (None, "Cast/Ann.md"),
        (None, "Plan.md"),
    ]
    assert listed["total"] == 5


def test_a_list_of_notes_can_be_narrowed_and_paged(book: Session) -> None:
    chapters = ask(book, "list_notes", chapters_only=True, limit=1, offset=1)
    assert [note["title"] for note in chapters["notes"]] == ["02 - Ebb"]
    assert chapters["total"] == 3
    cast = ask(book, "list_notes", below="Cast")
    assert [note["path"] for note in cast["notes"]] == ["Cast/Ann.md"]
    text = book.call("list_notes", {"chapters_only": True, "limit": 1}).as_text()
    assert text.endswith("1 of 3 notes shown (limit, offset).")


def test_the_list_says_how_long_each_note_is(book: Session) -> None:
    tokens = {note["path"]: note["tokens"] for note in ask(book, "list_notes")["notes"]}
    read = ask(book, "read_note", note="Cast/Ann.md")
    assert tokens["Cast/Ann.md"] == sum(passage["tokens"] for passage in read["passages"]) > 0


def test_only_notes_that_a_reader_may_see_are_listed_as_of_a_chapter(book: Session) -> None:
    paths = [note["path"] for note in ask(book, "list_notes", as_of=2)["notes"]]
    assert paths == ["Manuscript/01 - Flood.md", "Manuscript/02 - Ebb.md", "Cast/Ann.md"]


@pytest.mark.parametrize("name", ["Manuscript/02 - Ebb.md", "02 - Ebb", "Ebb", "chapter 2"])
def test_a_note_is_read_without_the_comments_of_its_author(book: Session, name: str) -> None:
    assert text_of(book, name) == "# Ebb\n\nAnn went."


def test_a_sheet_is_read_with_its_properties_and_with_the_lines_of_its_passages(
    book: Session,
) -> None:
    read = ask(book, "read_note", note="Ann")
    assert (read["path"], read["title"], read["position"]) == ("Cast/Ann.md", "Ann", None)
    assert [(passage["line"], passage["text"].split("\n")[0]) for passage in read["passages"]] == [
        (3, "home: the mill"),
        (5, "# Ann"),
        (9, "## End"),
    ]


def test_only_the_sections_that_a_reader_may_see_are_read(book: Session) -> None:
    assert "She leaves." in text_of(book, "Ann", as_of=2)
    assert "miller" not in text_of(book, "Ann", as_of=2)


VOICES = {
    "Cast/Ann.md": "# Ann\n\nA miller. ^trade\n\n"
    "## Voice (early)\n\n%% Too soft? %%\n\nShe hums.\n\n### In anger\n\nShe swears.\n\n"
    "## End\n\nvisible_from:: 2\n\nShe leaves.\n",
    "Cast/Bea.md": "## Voice\n\nShe mumbles.\n\n# End\n\nNone yet.\n",
    "Story/01.md": "Ann saw [[Bea]].\n",
    "Story/02.md": "# Morning\n\nAnn went. ^going\n\n# Evening\n\nAnn slept.\n",
}


@pytest.fixture
def voices(read_vault: ReadVault) -> Session:
    return read_vault(VOICES)


EARLY = "## Voice (early)\n\nShe hums.\n\n### In anger\n\nShe swears."


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("Ann#Voice (early)", EARLY),
        ("Cast/Ann.md#voice early", EARLY),
        ("[[Ann#Voice early|how she talks]]", EARLY),
        ("Ann#Ann#In anger", "### In anger\n\nShe swears."),
        ("Ann#^trade", "A miller. ^trade"),
        ("Ann#", "# Ann"),
        ("Bea#Voice", "## Voice\n\nShe mumbles."),
        ("chapter 2#Evening", "# Evening\n\nAnn slept."),
        ("[[02#^Going]]", "Ann went. ^going"),
    ],
)
def test_a_section_or_block_is_read_as_a_link_leads_there(
    voices: Session, place: str, text: str
) -> None:
    assert re.sub(r"\n{3,}|\n---\n", "\n\n", text_of(voices, place)).startswith(text)


def test_a_section_has_its_own_line_and_length(voices: Session) -> None:
    (passage,) = ask(voices, "read_note", note="Ann#In anger")["passages"]
    assert (passage["line"], passage["heading"]) == (11, "Ann › Voice (early) › In anger")
    assert passage["tokens"] < 10


def test_a_heading_that_a_note_lacks_is_answered_with_the_nearest(voices: Session) -> None:
    for place, message in (
        (
            "Bea#Vioce",
            "There is no heading 'Vioce'. It was looked for in Cast/Bea.md. Did you mean 'Voice'?",
        ),
        (
            "Ann#^trad",
            "There is no block 'trad'. It was looked for in Cast/Ann.md. Did you mean 'trade'?",
        ),
    ):
        with pytest.raises(NotFoundError, match=re.escape(message)):
            ask(voices, "read_note", note=place)


def test_a_section_that_a_reader_may_not_see_yet_is_not_there(voices: Session) -> None:
    for as_of, hidden in ((2, "Voice"), (1, "End")):
        with pytest.raises(NotFoundError):
            ask(voices, "read_note", note=f"Ann#{hidden}", as_of=as_of)
    assert "She leaves." in text_of(voices, "Ann#End", as_of=2)


def test_a_title_may_have_the_mark_of_a_section(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(
        write_vault({"Draft #3.md": "# 3\n\nThird.\n", "Draft.md": "# 3\n\nNo.\n"})
    )
    session.call("sync", {})
    assert ask(session, "read_note", note="Draft #3")["path"] == "Draft #3.md"


@pytest.mark.parametrize(
    ("place", "read"),
    [
        ("Laws#Rule #3", "## Rule #3\n\nNo lamps."),
        ("Laws#rule 3", "## Rule #3\n\nNo lamps."),
        ("[[Laws#Rule #3]]", "## Rule #3\n\nNo lamps."),
        ("Laws#C# minor#Coda #1", "### Coda #1\n\nSlow."),
        ("Laws##?", "## #?\n\nWho knows."),
        ("Draft #3#Rule #1", "# Rule #1\n\nThird."),
        ("chapter 2#Rule #3", "# Rule #3\n\nTea."),
    ],
)
def test_a_heading_with_the_mark_of_a_section_is_found_as_the_message_suggests_it(
    write_vault: WriteVault, open_vault: OpenVault, place: str, read: str
) -> None:
    laws = "## Rule #3\n\nNo lamps.\n\n## C# minor\n\n### Coda #1\n\nSlow.\n\n## #?\n\nWho knows.\n"
    session = open_vault(
        write_vault(
            {
                "Laws.md": laws,
                "Draft #3.md": "# Rule #1\n\nThird.\n",
                "Book/2 - Take #4.md": "# Rule #3\n\nTea.\n",
            }
        )
    )
    session.call("sync", {})
    assert ask(session, "list_notes", as_of="Take #4", chapters_only=True)["total"] == 1
    with pytest.raises(NotFoundError, match="Did you mean 'Rule #3'"):
        ask(session, "read_note", note="Laws#Rul #3")
    assert text_of(session, place) == read


def test_a_long_note_is_read_in_pages(book: Session) -> None:
    first = book.call("read_note", {"note": "Ann", "limit": 1}).as_text()
    rest = "1 of 3 passages shown (limit, offset, or a `#heading`)."
    assert first == f"Cast/Ann.md\n\nhome: the mill\n\n{rest}"
    beyond = book.call("read_note", {"note": "Ann", "offset": 3}).as_text()
    assert beyond == "Cast/Ann.md\n\nNothing on this page: there are 3 passages."


def test_the_text_names_the_note_and_its_place(book: Session) -> None:
    text = book.call("read_note", {"note": "chapter 1"}).as_text()
    assert text == "Manuscript/01 - Flood.md (place 1 in reading order)\n\nAnn saw the [[Mill]]."


def test_a_misspelt_note_is_answered_with_the_nearest(book: Session) -> None:
    with pytest.raises(NotFoundError, match=re.escape("Did you mean 'Plan.md'")):
        book.call("read_note", {"note": "Plna"})
    with pytest.raises(NotFoundError, match="Did you mean 'Manuscript'"):
        book.call("list_notes", {"below": "Maunscript"})


def test_who_asks_for_a_hidden_note_is_told_what_can_be_read_as_of_a_chapter(
    book: Session,
) -> None:
    message = (
        "There is no note 'Plan'. As of a chapter, only the chapters so far can be read, and notes "
        "whose `visible_from` is reached."
    )
    with pytest.raises(NotFoundError, match=re.escape(message)):
        book.call("read_note", {"note": "Plan", "as_of": 10})


def test_a_note_whose_file_is_gone_is_not_read(own_book: Session) -> None:
    (own_book.root / "Plan.md").unlink()
    with pytest.raises(NotFoundError, match="Its file is gone since the last sync"):
        own_book.call("read_note", {"note": "Plan"})
    with pytest.raises(NotFoundError, match="Its file is gone"):
        own_book.read_note("Plan.md")
    assert ask(own_book, "list_notes")["total"] == 4
