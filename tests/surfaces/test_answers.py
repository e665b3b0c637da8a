"""What people read of answers: tables, lists and quotes, on the novel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from writeros_entities import WriterosError
from writeros_entities.capabilities.answers import counted, omitted, table

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from writeros_entities.session import Session

    WriteVault = Callable[[dict[str, str]], Path]
    OpenVault = Callable[..., Session]


def text_of(session: Session, capability: str, **arguments: object) -> str:
    return session.call(capability, arguments).as_text()


def test_columns_of_numbers_are_set_to_the_right() -> None:
    assert table(["who", "mentions"], [("Isolde", 67), ("Perrin|x", None)]) == (
        "| who | mentions |\n| --- | ---: |\n| Isolde | 67 |\n| Perrin\\|x |  |"
    )


@pytest.mark.parametrize(
    ("number", "noun", "text"),
    [(1, "mention", "1 mention"), (1200, "mention", "1,200 mentions"), (0, "entity", "0 entities")],
)
def test_nouns_follow_their_number(number: int, noun: str, text: str) -> None:
    assert counted(number, noun) == text


def test_what_is_left_out_is_a_paragraph_of_its_own() -> None:
    assert omitted(20, 67, "mention") == "\n\n20 of 67 mentions shown (limit, offset)."
    assert omitted(20, 20, "mention") == ""


def test_mentions_are_quoted_by_note(novel: Session) -> None:
    text = text_of(novel, "find_mentions", entity="Søren Hald", limit=3)
    assert text.startswith(
        "Søren Hald (person): 3 of 14 mentions\n\n"
        "**Manuscript/03 - Hope and Camphor.md**\n\n"
        "- line 20: That is **Søren Hald**.\n"
    )
    assert text.endswith("\n\n3 of 14 mentions shown (limit, offset).")


@pytest.mark.parametrize("title", ["Maj.", "Cpl.", "Fr.", "Mr."])
def test_a_quote_does_not_end_behind_a_title_in_short(
    write_vault: WriteVault, open_vault: OpenVault, title: str
) -> None:
    root = write_vault(
        {
            "Cast/Ann Hale.md": "---\ntype: person\n---\nA surveyor.",
            "Chapters/Chapter 1.md": f"It rained. Ann Hale nodded to {title} Roe. Nobody spoke.",
        }
    )
    session = open_vault(root)
    session.call("sync", {})
    (mention,) = session.call("find_mentions", {"entity": "Ann Hale"}).model_dump()["mentions"]
    assert mention["text"] == f"Ann Hale nodded to {title} Roe."


def test_a_quote_shows_what_a_link_shows(novel: Session) -> None:
    answer = novel.call("find_mentions", {"entity": "Isolde Marrow", "limit": 500})
    quotes = {(one["path"], one["line"]): one for one in answer.model_dump()["mentions"]}
    quote = quotes["Manuscript/05 - A Chair for the Warden.md", 39]
    assert quote["text"] == "Isolde laid a sheet of paper on the table."
    assert quote["text"][quote["text_start"] : quote["text_end"]] == "Isolde"
    source = (novel.root / quote["path"]).read_bytes().decode()
    assert source[quote["start"] : quote["end"]] == quote["surface"] == "Isolde"
    assert source[quote["start"] - 16 : quote["start"]] == "[[Isolde Marrow|"
    assert "\n- line 39: **Isolde** laid a sheet of paper on the table.\n" in answer.as_text()


def test_the_span_that_is_meant_is_marked(novel: Session) -> None:
    text = text_of(novel, "find_mentions", entity="Marguerite Marrow", limit=500)
    assert "Marguerite Marrow was the **Gannet**, and before her" in text


def test_an_entity_is_shown_with_the_names_that_are_used(novel: Session) -> None:
    text = text_of(novel, "get_entity", entity="Toby")
    assert "Lord Tobias" not in text
    assert "\nAlso called: Toby (34), Tobias Wren (18), his grandson (1)" in text
    assert "\n- spouse: Hope Lascelles\n" in text


def test_properties_are_shown_as_they_would_be_written(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    properties = (
        "type: person\nalive: false\nage: 41\nrank:\nhaunts: ['[[Old Mill|the mill]]', Dover]\n"
        "ties: [{person: '[[Bob]]', since: 1806}, {person: '[[Eve]]', since: [1809, 1811]}]"
    )
    session = open_vault(write_vault({"Ann.md": f"---\n{properties}\n---\n"}))
    session.call("sync", {})
    assert (
        "- alive: false\n- age: 41\n- haunts: the mill, Dover\n"
        "- ties: person: Bob, since: 1806; person: Eve, since: 1809, 1811\n"
    ) in text_of(session, "get_entity", entity="Ann")


def test_a_name_that_several_have_is_answered_with_all(novel: Session) -> None:
    text = text_of(novel, "get_entity", entity="Tobias Wren")
    assert text.startswith(
        "Several entities have this name:\n\n- Tobias Wren (younger) (person, id"
    )
    assert text.endswith("Ask for one of them by its full name or its id.")
    with pytest.raises(WriterosError, match=r"Ask for one of them by its full name or its id\.$"):
        text_of(novel, "find_mentions", entity="Tobias Wren")


def test_an_unknown_name_is_told_names_that_are_used(novel: Session) -> None:
    with pytest.raises(WriterosError, match="Did you mean 'Isolde', 'Isolde Marrow' or") as raised:
        text_of(novel, "get_entity", entity="Isold")
    assert "Lady" not in str(raised.value)


def test_two_entities_of_one_name_are_listed_with_their_ids(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    note = "---\ntype: person\n---\nMara Vane is here."
    session = open_vault(write_vault({"Old/Mara Vane.md": note, "New/Mara Vane.md": note}))
    session.call("sync", {})
    rows = text_of(session, "list_entities").splitlines()[2:]
    assert len(rows) == 2
    assert all(row.startswith("| Mara Vane (e") for row in rows)


def test_passages_are_shown_with_the_sentence_that_speaks_of_both(novel: Session) -> None:
    arguments = {"entities": ["Hope Lascelles", "Toby"], "match_mode": "all", "every_passage": True}
    text = text_of(novel, "search_by_entities", **arguments)
    assert (
        "\n- Manuscript/03 - Hope and Camphor.md:48 (1.00) — Toby brought the lamp. Hope sewed "
        "eleven stitches in a very good line.\n"
    ) in text
    assert text.endswith("10 of 13 results shown (top_k).")


def test_a_passage_with_one_of_two_says_which(novel: Session) -> None:
    arguments = {"entities": ["Lin Yue", "Cormorant"], "top_k": 50}
    text = text_of(novel, "search_by_entities", **arguments)
    assert "; Lin Yue) — " in text
    assert "; Cormorant) — " in text


def test_a_status_is_a_list_of_facts(novel: Session) -> None:
    lines = text_of(novel, "status").splitlines()
    assert "- files: 40 notes, 2 excluded, 1 attachment, 1 canvas, 1 template" in lines
    assert "- manuscript: 14 notes, 1–14 in reading order" in lines
    assert "- problems in notes: 0 (doctor also checks the links)" in lines


def test_types_are_counted_over_the_entities_that_are_spoken_of(novel: Session) -> None:
    status = novel.call("status", {}).model_dump()
    assert sum(status["entity_types"].values()) == sum(status["entities"].values())


def test_a_sync_says_what_it_did(write_vault: WriteVault, open_vault: OpenVault) -> None:
    session = open_vault(write_vault({"Mara.md": "Mara."}))
    first = text_of(session, "sync")
    assert first == "Files: 1 added. Mentions looked for in 1 note."
    assert text_of(session, "sync").startswith("Nothing has changed.")


def test_what_a_plugin_provides_is_named_once_a_kind(novel: Session) -> None:
    text = text_of(novel, "list_plugins")
    assert "| reading orders: frontmatter, storyline, longform, sessions, numbered |" in text
    assert "| gazetteer | active | writeros-entities | detect_entities |" in text


@pytest.mark.parametrize("chapter", [9, "09 - Bad Ink", "bad ink", "Manuscript/09 - Bad Ink.md"])
def test_a_chapter_is_known_by_its_number_and_its_name(novel: Session, chapter: int | str) -> None:
    status = novel.call("status", {"as_of": chapter}).model_dump()
    assert status["last_position"] == 9


def test_an_unknown_chapter_is_told_the_nearest(novel: Session) -> None:
    with pytest.raises(WriterosError, match="Did you mean '09 - Bad Ink'"):
        novel.call("status", {"as_of": "Bad Inc"})


def test_a_chapters_name_that_two_have_needs_its_number(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault({"M/01 - Night.md": "Dark.", "M/02 - Night.md": "Dark."}))
    session.call("sync", {})
    both = "2 chapters are called 'Night': M/01 - Night.md; M/02 - Night.md"
    with pytest.raises(WriterosError, match=both):
        session.call("status", {"as_of": "Night"})
    assert session.call("status", {"as_of": "02 - Night"}).model_dump()["last_position"] == 2


def test_the_size_of_a_database_counts_what_is_not_yet_in_its_file(
    write_vault: WriteVault, open_vault: OpenVault, tmp_path: Path
) -> None:
    file = tmp_path / "index.sqlite3"
    session = open_vault(
        write_vault({"Mara.md": "Mara Vane. " * 2000}), database=f"sqlite:///{file}"
    )
    session.call("sync", {})
    size = session.call("status", {}).model_dump()["database_bytes"]
    assert size > file.stat().st_size
