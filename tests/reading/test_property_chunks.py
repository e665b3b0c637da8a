"""What the properties of an entity's note say is found, quoted and packed like its text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.session import Session

from .conftest import Ask, asking

OpenVault = Callable[..., Session]
WriteVault = Callable[[dict[str, str]], Path]

SHEET = """\
---
type: person
spouse: "[[Bo]]" # the writer's own remark
aliases: [the Gannet]
work:
  - falconer of the
    western keep
  - "spy for [[Cy]]"
nickname: Merlin
goal:
past: |
  Born in the hills. Sold at nine.
foes: ["[[Cy]]", 'the "Owl"', plain]
visible_from: always
---
# Ada

Ada keeps birds.
"""

VAULT = {
    "People/Ada.md": SHEET,
    "People/Bo.md": "---\ntype: person\nage: 40\n---\n",
    "People/Cy.md": "---\ntype: person\ncrown: iron\n---\nCy rules.\n",
    "Book/01.md": "---\nchapter: 1\nweather: hail\n---\nAda and Bo slept.\n",
    "Book/02.md": "---\nchapter: 2\nsynopsis: She hid the brass key in the tower\n---\n"
    "The Gannet fled from Cy. Merlin laughed.\n",
    "Book/03.md": '---\nchapter: 3\n---\n"So it is," said Cy.\n',
    "Notes/Ideas.md": "---\nmood: falconry\n---\nSomething with birds.\n",
}


def search(ask: Ask, query: str, **arguments: Any) -> list[tuple[str, int, str]]:
    answer = ask("search", query=query, **arguments)
    return [(one.path, one.line, one.excerpt.replace("**", "")) for one in answer.passages]


@pytest.mark.parametrize(
    ("query", "line", "excerpt"),
    [
        ("falconer", 6, "work: falconer of the western keep · spy for Cy"),
        ("spouse", 3, "spouse: Bo"),
        ("spy", 8, "work: falconer of the western keep · spy for Cy"),
        ("sold", 12, "Sold at nine."),
        ("born", 12, "past: Born in the hills."),
        ("owl", 13, 'foes: [Cy, the "Owl", plain]'),
    ],
)
def test_a_property_is_found_by_its_words_and_quoted_alone(
    ask: Ask, query: str, line: int, excerpt: str
) -> None:
    assert search(ask, query) == [("People/Ada.md", line, excerpt)]


@pytest.mark.parametrize("word", ["remark", "gannet", "merlin", "goal", "always"])
def test_a_reader_does_not_find_what_only_the_writer_sees(ask: Ask, word: str) -> None:
    assert search(ask, word, as_of=1) == []


def test_as_of_a_chapter_the_properties_are_as_visible_as_their_note(ask: Ask) -> None:
    assert search(ask, "falconer", as_of=1) == search(ask, "falconer")
    assert search(ask, "crown") == [("People/Cy.md", 3, "crown: iron")]
    assert search(ask, "crown", as_of=2) == []


@pytest.mark.parametrize("word", ["hail", "mood"])
def test_a_property_of_another_note_is_not_text_unless_it_is_one(ask: Ask, word: str) -> None:
    assert search(ask, word) == []
    assert search(ask, "tower") == [
        ("Book/02.md", 3, "synopsis: She hid the brass key in the tower"),
    ]
    assert search(ask, "tower", as_of=1) == []


def test_a_synopsis_is_no_part_of_the_story(ask: Ask) -> None:
    mentions = ask("find_mentions", entity="Cy").mentions
    assert [(one.path, one.line) for one in mentions] == [
        ("Book/02.md", 5),
        ("Book/03.md", 4),
        ("People/Cy.md", 5),
    ]
    assert ask("check_continuity").findings == []
    assert "brass" not in ask("brief_scene", scene="2").as_text()


def test_a_context_has_the_properties_after_the_beginning_of_the_note(ask: Ask) -> None:
    answer = ask("build_context", entities=["Ada"], as_of=1)
    assert [(one.tier, one.path, one.line, one.why, one.text) for one in answer.chunks] == [
        ("primary_source", "People/Ada.md", 16, "the note of Ada", "# Ada\n\nAda keeps birds."),
        (
            *("primary_source", "People/Ada.md", 3, "the properties of Ada"),
            'spouse: "Bo"\nwork:\n  - falconer of the\n    western keep\n  - "spy for Cy"\n'
            "past: |\n  Born in the hills. Sold at nine.\n"
            'foes: ["Cy", \'the "Owl"\', plain]',
        ),
        ("mentions", "Book/01.md", 5, "1 mention of Ada", "Ada and Bo slept."),
    ]


def test_a_note_of_properties_alone_is_a_source_too(ask: Ask) -> None:
    answer = ask("build_context", entities=["Bo"], include=["primary_source"])
    assert [(one.why, one.text) for one in answer.chunks] == [("the properties of Bo", "age: 40")]


def test_a_property_that_states_a_relation_is_evidence_in_a_context(ask: Ask) -> None:
    answer = ask("build_context", entities=["Bo"], include=["relationships"])
    assert [(one.path, one.line, one.why) for one in answer.chunks] == [
        ("People/Ada.md", 3, "Bo is married to Ada")
    ]


def test_a_passage_of_properties_says_where_it_is_in_the_file(ask: Ask) -> None:
    answer = ask("search", query="falconer", include_content=True)
    [passage] = answer.passages
    assert (
        SHEET[passage.start : passage.end]
        == SHEET[SHEET.index("spouse") : SHEET.index("\nvisible_from")]
    )
    assert (passage.ordinal, passage.heading) == (-1, "")
    assert "remark" not in passage.content
    assert "Gannet" not in passage.content


def test_a_name_in_a_property_is_shown_once_the_reader_has_met_it(ask: Ask) -> None:
    def properties(**arguments: Any) -> list[str]:
        return [*ask("get_entity", entity="Ada", **arguments).entity.properties]

    assert properties() == ["spouse", "work", "nickname", "goal", "past", "foes"]
    assert properties(as_of=1) == ["spouse", "work", "goal", "past", "foes"]


def test_properties_beyond_the_limit_are_several_chunks(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    traits = "".join(f"trait {number}: brave and bold as number {number}\n" for number in range(30))
    root = write_vault({"Ada.md": f"---\ntype: person\n{traits}---\nAda slept.\n"})
    ask = asking(open_vault(root, chunk_target=40, chunk_limit=80))
    ask("sync")
    for number in (0, 17, 29):
        answer = ask("search", query=f'"number {number}"', include_content=True)
        [passage] = answer.passages
        assert passage.line == 3 + number
        assert passage.ordinal < 0
        assert passage.content in traits
        assert len(passage.content) < len(traits) / 4
    assert search(ask, "slept")[0][1] == 34


def test_changed_properties_are_found_anew_and_the_text_below_stays_the_same_chunk(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault(VAULT)
    ask = asking(open_vault(root))
    ask("sync")
    changed = SHEET.replace("falconer", "chandler").replace('spouse: "[[Bo]]"', 'rival: "[[Bo]]"')
    (root / "People/Ada.md").write_text(changed, "utf-8")
    ask("sync")
    assert search(ask, "falconer") == []
    assert [line for _, line, _ in search(ask, "chandler")] == [6]
    answer = ask("build_context", entities=["Bo"], include=["relationships"])
    assert [one.why for one in answer.chunks] == ["Bo is a rival of Ada"]
    (root / "People/Ada.md").write_text("Ada keeps birds.\n", "utf-8")
    ask("sync")
    assert search(ask, "chandler") == []
