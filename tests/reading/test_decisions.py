"""What the writer decides in a note of her own overrides all that is guessed or set."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities import Session
from writeros_entities.sync.synchronizer import Synchronizer

from ..conftest import OpenVault

WriteVault = Callable[[dict[str, str]], Path]

TOLD = "Mara Venn ran to the quay. Nobody saw her.\n"
PERSON = "---\ntype: character\n---\n"


@pytest.fixture
def decided(write_vault: WriteVault, open_vault: OpenVault) -> Callable[..., Session]:
    """Return a function that writes a vault with decisions, and opens and syncs it."""

    def make(decisions: str, notes: dict[str, str], **settings: Any) -> Session:
        root = write_vault(notes | {"Decisions.md": decisions})
        session = open_vault(root, **settings)
        session.call("sync", {})
        return session

    return make


def roles(session: Session) -> dict[str, str]:
    listed: Any = session.call("list_notes", {})
    return {note.path: note.role for note in listed.notes if note.path != "Decisions.md"}


def order(session: Session) -> list[tuple[int, str]]:
    listed: Any = session.call("list_notes", {"chapters_only": True})
    return [(note.position, note.path.removesuffix(".md")) for note in listed.notes]


def entities(session: Session) -> dict[str, str]:
    listed: Any = session.call("list_entities", {"limit": 100})
    return {entity.name: entity.type for entity in listed.entities}


def mentioned(session: Session, entity: str, **arguments: Any) -> list[str]:
    found: Any = session.call("find_mentions", {"entity": entity, **arguments})
    return [mention.surface for mention in found.mentions]


def troubles(session: Session) -> list[tuple[str, int | None, str]]:
    found: Any = session.call("doctor", {})
    return [(one.code, one.line, one.message) for one in found.problems]


# -- Roles ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "[[Chapter 3]] is a plan",
        "[[Book/Chapter 3]] is an outline",
        "Book/ is a plan",
        '"Book/" is a plan',
        "#later is a plan",
        "[[Chapter 3]] ist ein Plan",
        "[[Chapter 3]] est un plan.",
    ],
)
def test_a_note_a_folder_or_a_tag_has_the_role_that_is_decided(
    line: str, decided: Callable[..., Session]
) -> None:
    session = decided(f"- {line}\n", {"Book/Chapter 3.md": f"{TOLD}\n#later\n"})

    assert roles(session) == {"Book/Chapter 3.md": "plan"}
    assert order(session) == []


def test_a_decided_role_says_that_it_is_decided(decided: Callable[..., Session]) -> None:
    session = decided("- [[Chapter 3]] is a plan\n", {"Chapter 3.md": TOLD})
    listed: Any = session.call("list_notes", {})

    note = next(one for one in listed.notes if one.path == "Chapter 3.md")
    assert (note.role_reason, note.role_confidence) == ("You decided so.", 1.0)


def test_the_more_specific_of_two_decisions_counts(decided: Callable[..., Session]) -> None:
    lines = "- [[Fire]] is the manuscript\n- Plot/ is a plan\n"
    session = decided(lines, {"Plot/Fire.md": TOLD, "Plot/Fog.md": TOLD})

    assert roles(session) == {"Plot/Fire.md": "manuscript", "Plot/Fog.md": "plan"}


def test_a_decision_goes_before_a_tools_list_of_scenes(decided: Callable[..., Session]) -> None:
    notes = {
        "Index.md": "---\nlongform:\n  scenes: [Fire, Fog]\n---\n",
        "Fire.md": TOLD,
        "Fog.md": TOLD,
        "Chapter 7.md": TOLD,
    }
    session = decided("- [[Fire]] is a plan\n- [[Chapter 7]] is the manuscript\n", notes)

    assert roles(session) == {
        "Chapter 7.md": "manuscript",
        "Fire.md": "plan",
        "Fog.md": "manuscript",
        "Index.md": "index",
    }
    assert [path for _, path in order(session)] == ["Fog", "Chapter 7"]


# -- Order ----------------------------------------------------------------------------------------


def test_chapters_stand_in_the_order_that_is_decided(decided: Callable[..., Session]) -> None:
    notes = dict.fromkeys(("Dawn.md", "The Fire.md", "Chapter 2.md", "Chapter 3.md"), TOLD)
    session = decided("- order: [[Dawn]], [[The Fire]], [[Chapter 2]]\n", notes)

    assert order(session) == [(0, "Dawn"), (1, "The Fire"), (2, "Chapter 2"), (3, "Chapter 3")]


def test_a_chapter_that_is_moved_takes_the_place_after_another(
    decided: Callable[..., Session],
) -> None:
    notes = {f"Chapter {number}.md": TOLD for number in (1, 2, 3, 4)}
    session = decided("- [[Chapter 2]] is after [[Chapter 3]]\n", notes)

    assert order(session) == [
        (1, "Chapter 1"),
        (3, "Chapter 3"),
        (4, "Chapter 2"),
        (5, "Chapter 4"),
    ]


def test_notes_without_any_place_are_in_order_by_decision(decided: Callable[..., Session]) -> None:
    session = decided("- [[Fog]] is before [[Fire]]\n", {"Fire.md": TOLD, "Fog.md": TOLD})

    assert order(session) == [(1, "Fog"), (2, "Fire")]


def test_an_order_that_names_no_note_is_reported(decided: Callable[..., Session]) -> None:
    session = decided("- order: [[Chapter 1]], [[Chpater 2]]\n", {"Chapter 1.md": TOLD})

    found = [(code, message) for code, _, message in troubles(session)]
    assert (
        "missing-in-order",
        "The order names [[Chpater 2]], but there is no such note.",
    ) in found


# -- Names ----------------------------------------------------------------------------------------


def test_what_is_no_name_is_no_entity_and_no_mention(decided: Callable[..., Session]) -> None:
    chapter = "Then they took Long Rest again. So Long Rest it was, and Long Rest was good.\n"
    notes = {"Chapter 1.md": chapter * 3, "Maud Pell.md": f"{PERSON}A cook. She knows Maud Pell.\n"}
    before = decided("", notes)
    assert "Long Rest" in entities(before)
    session = decided('- "Long Rest" is not a name\n- "Maud" is not a name\n', notes)

    assert entities(session) == {"Maud Pell": "person"}


def test_a_name_that_follows_by_rule_is_none_if_the_writer_says_so(
    decided: Callable[..., Session],
) -> None:
    notes = {"Maud Pell.md": PERSON, "Chapter 1.md": "Maud slept. Pell did not.\n"}
    session = decided('- "Maud" is not a name\n', notes)

    assert mentioned(session, "Maud Pell") == ["Pell"]


def test_another_name_is_a_mention_of_whom_it_is_decided_to_be(
    decided: Callable[..., Session],
) -> None:
    chapter = "The cook came. Maudie slept; Maudie always did, and so did Maudie.\n"
    notes = {"Maud Pell.md": PERSON, "Chapter 1.md": chapter}
    session = decided("- Maudie is [[Maud Pell]]\n", notes)

    assert mentioned(session, "Maud Pell") == ["Maudie", "Maudie", "Maudie"]
    assert entities(session) == {"Maud Pell": "person"}


def test_another_name_of_somebody_who_has_only_a_section_or_links(
    decided: Callable[..., Session],
) -> None:
    notes = {
        "NPCs.md": "## Sabine Cole\n\nA thief.\n\n## Olo\n\nA smith.\n",
        "Chapter 1.md": "[[NPCs#Sabine Cole|Sabine Cole]] ran. The Cat ran.\n",
        "Chapter 2.md": "[[Tarn]] burnt. The Deep burnt.\n",
    }
    session = decided("- The Cat is [[NPCs#Sabine Cole]]\n- The Deep is [[Tarn]]\n", notes)

    assert mentioned(session, "Sabine Cole") == ["Sabine Cole", "The Cat", "Sabine Cole"]
    assert mentioned(session, "Tarn") == ["Tarn", "The Deep"]


def test_who_is_revealed_has_the_name_only_from_that_chapter_on(
    decided: Callable[..., Session],
) -> None:
    notes = {
        "Cast/Marguerite Marrow.md": "---\ntype: character\nvisible_from: always\n---\nA widow.\n",
        "Chapter 1.md": "Ash Gannet stole it. Marguerite Marrow wept.\n",
        "Chapter 2.md": "Ash Gannet took off the hood.\n",
        "Chapter 3.md": "Ash Gannet fled.\n",
    }
    line = "- Ash Gannet is [[Marguerite Marrow]] from [[Chapter 2]] on\n"
    session = decided(line, notes)

    assert mentioned(session, "Marguerite Marrow", as_of="1") == ["Marguerite Marrow"]
    found = mentioned(session, "Marguerite Marrow", as_of="3")
    assert found == ["Ash Gannet", "Marguerite Marrow", "Ash Gannet", "Ash Gannet"]


def test_a_phrase_means_whom_it_is_decided_to_mean_in_one_chapter_only(
    decided: Callable[..., Session],
) -> None:
    notes = {
        "Cast/Ilse Vane.md": "---\ntype: character\nvisible_from: always\n---\nA sailor.\n",
        "Chapter 1.md": "The captain slept.\n",
        "Chapter 2.md": "Then the\ncaptain rose. The captains did not.\n",
        "Chapter 3.md": "The captain and Ilse Vane left.\n",
    }
    session = decided('- In [[Chapter 2]], "the captain" is [[Ilse Vane]]\n', notes)

    assert mentioned(session, "Ilse Vane") == ["the captain", "Ilse Vane"]
    listed: Any = session.call("list_entities", {"as_of": "2"})
    assert [entity.name for entity in listed.entities] == ["the captain"]
    listed = session.call("list_entities", {"as_of": "3"})
    assert [entity.name for entity in listed.entities] == ["Ilse Vane"]


def test_a_phrase_means_whoever_is_there_when_the_chapter_is_synced_first(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    line = '- In [[Chapter 2]], "the captain" is [[Ilse Vane]]\n'
    session = open_vault(write_vault({"Decisions.md": line, "Chapter 2.md": "The captain rose.\n"}))
    session.call("sync", {})
    (session.root / "Ilse Vane.md").write_text(PERSON)
    session.call("sync", {})

    assert mentioned(session, "Ilse Vane") == ["The captain"]


def test_a_phrase_does_not_mean_whom_it_is_decided_not_to_mean_in_one_chapter(
    decided: Callable[..., Session],
) -> None:
    sheet = "---\ntype: character\naliases: [{}]\n---\n"
    notes = {
        "Ilse Vane.md": sheet.format("Ilse, O’Vane"),
        "Tom Wren.md": sheet.format("Wren"),
        "Ann Wren.md": sheet.format("Wren"),
        "Chapter 1.md": "Ilse slept.\n",
        "Chapter 2.md": "Ilse rowed. Ilse Vane spoke. O’Vane left. Wren wept.\n",
    }
    lines = (
        '- In [[Chapter 2]], "Ilse" is not [[Ilse Vane]]\n'
        '- In [[Chapter 2]], "O’Vane" is not [[Ilse Vane]]\n'
        '- In [[Chapter 2]], "Wren" is not [[Tom Wren]]\n'
    )
    session = decided(lines, notes)

    assert mentioned(session, "Ilse Vane") == ["Ilse", "Ilse Vane"]
    assert mentioned(session, "Tom Wren") == []
    assert mentioned(session, "Ann Wren") == ["Wren"]
    told: Any = session.call("decide", {"list": True})
    assert told.decisions[0].does == "Ilse Vane is not whom “Ilse” means in Chapter 2."


def test_two_who_are_decided_to_be_two_are_not_asked_about(
    decided: Callable[..., Session],
) -> None:
    notes = {
        "Marta.md": PERSON,
        "Maria.md": PERSON,
        "Chapter 1.md": "Marta came in. Maria rose. Marta sat down, and Maria spoke.\n",
    }
    session = decided("", notes)
    rules = {"rules": ["confusable-names"], "min_confidence": 0}
    before: Any = session.call("check_continuity", rules)
    assert [finding.message for finding in before.findings] == [
        "Marta and Maria are easily mixed up."
    ]
    (session.root / "Decisions.md").write_text("- [[Maria]] is not [[Marta]]\n")

    after: Any = session.call("check_continuity", rules)

    assert list(after.findings) == []


def test_an_entity_has_the_sort_that_is_decided(decided: Callable[..., Session]) -> None:
    notes = {
        "Cast/Ada.md": "A name.\n",
        "Hull.md": "Wood and tar.\n",
        "Chapter 1.md": "[[Tarn]] burnt. Ada saw the Hull.\n",
        "Old Things/Cup.md": "It is old.\n",
    }
    lines = (
        "- Tarn is a place\n- [[Hull]] is a tavern\n- Ada is a creature\n- Old Things/ are items\n"
    )
    session = decided(lines, notes)

    assert entities(session) == {
        "Ada": "creature",
        "Cup": "item",
        "Hull": "place",
        "Tarn": "place",
    }
    sheet: Any = session.call("get_entity", {"entity": "Hull"})
    assert sheet.entity.kind == "tavern"


# -- What is told ---------------------------------------------------------------------------------


def test_what_is_left_out_is_in_no_search_and_no_list_of_entities(
    decided: Callable[..., Session],
) -> None:
    notes = {
        "Old/Bo.md": f"{PERSON}Bo has a lantern.\n",
        "Cid.md": f"{PERSON}Cid has a lantern. #cut\n",
        "Dot.md": "---\ntype: character\nstatus: cut\n---\nDot has a lantern.\n",
        "Eve.md": f"{PERSON}Eve has a lantern.\n",
    }
    lines = '- leave out Old/\n- leave out #cut\n- leave out "status: cut"\n'
    session = decided(lines, notes)

    found: Any = session.call("search", {"query": "lantern"})
    assert [passage.path for passage in found.passages] == ["Eve.md"]
    assert entities(session) == {"Eve": "person"}


def test_notes_are_left_out_by_a_setting_as_by_a_decision(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = {
        "Old/Bo.md": f"{PERSON}Bo has a lantern.\n",
        "Cid.md": f"{PERSON}Cid has a lantern. #cut\n",
        "Dot.md": "---\ntype: character\nstatus: cut\n---\nDot has a lantern.\n",
        "Eve.md": f"{PERSON}Eve has a lantern.\n",
    }
    session = open_vault(write_vault(notes), exclude=["Old", "#cut", "status: cut"])
    session.call("sync", {})

    assert entities(session) == {"Eve": "person"}


def test_a_note_is_told_always_or_never_as_decided(decided: Callable[..., Session]) -> None:
    notes = {
        "Hope.md": f"{PERSON}Hope is a nun.\n",
        "Vale.md": "---\ntype: character\nvisible_from: 1\n---\nVale is a nun.\n",
        "Chapter 1.md": "Hope met Vale.\n",
    }
    session = decided("- [[Hope]] is always told\n- [[Vale]] is never told\n", notes)

    found: Any = session.call("search", {"query": "nun", "as_of": "1"})
    assert [passage.path for passage in found.passages] == ["Hope.md"]


# -- The note -------------------------------------------------------------------------------------


def test_the_note_of_decisions_is_no_part_of_the_story(decided: Callable[..., Session]) -> None:
    text = "# Mine\n\nMaud Pell is a riddle.\n\n- Maudie is [[Maud Pell]]\n- [[Ghost]] is a place\n"
    notes = {"Maud Pell.md": PERSON, "Chapter 1.md": "Nothing.\n"}
    session = decided(text, notes)

    found: Any = session.call("search", {"query": "riddle"})
    assert list(found.passages) == []
    assert mentioned(session, "Maud Pell") == []
    assert entities(session) == {"Maud Pell": "person"}
    listed: Any = session.call("list_notes", {"as_of": "1"})
    assert [note.path for note in listed.notes] == ["Chapter 1.md"]


def test_a_line_that_is_not_understood_is_reported_with_the_nearest(
    decided: Callable[..., Session],
) -> None:
    text = "# Mine\r\n\r\nSome thoughts.\r\n\r\n- Tarn is a place\r\n- [[Fog]] is a plam\r\n"
    session = decided(text, {"Fog.md": TOLD})

    said = "“[[Fog]] is a plam” is not understood. Do you mean “[[Fog]] is a plan”?"
    assert ("unknown-decision", 6, said) in troubles(session)


def test_comments_code_and_paragraphs_decide_nothing(decided: Callable[..., Session]) -> None:
    text = (
        "- Tarn is a place %% or is it? %%\n\n[[Fog]] is a plan\n\n"
        "%%\n- [[Fog]] is a plan\n%%\n\n```\n- [[Fog]] is a plan\n```\n"
    )
    session = decided(text, {"Chapters/Fog.md": TOLD})

    assert roles(session) == {"Chapters/Fog.md": "manuscript"}
    assert [code for code, _, _ in troubles(session)] == []


def test_a_note_of_that_name_with_a_story_in_it_is_read_like_any_other(
    decided: Callable[..., Session],
) -> None:
    session = decided("Mara Venn took a lantern.\n\n- one\n- two\n", {"Chapter 1.md": TOLD})

    found: Any = session.call("search", {"query": "lantern"})
    assert [passage.path for passage in found.passages] == ["Decisions.md"]
    assert [code for code, _, _ in troubles(session)] == []


def test_another_note_can_be_that_of_decisions(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = {"Chapter 3.md": TOLD, "Meta/Mine.md": "- [[Chapter 3]] is a plan\n"}
    session = open_vault(write_vault(notes), decisions_note="Meta/Mine.md")
    session.call("sync", {})

    assert roles(session)["Chapter 3.md"] == "plan"


def test_a_changed_decision_reads_only_the_notes_again_that_it_is_about(
    decided: Callable[..., Session],
) -> None:
    notes = {f"Chapter {number}.md": TOLD for number in range(1, 6)}
    session = decided("- [[Chapter 1]] is a plan\n", notes)
    synchronizer = Synchronizer(session)
    synchronizer.sync()
    file = session.root / "Decisions.md"
    file.write_text("- [[Chapter 2]] is a plan\n")
    os.utime(file, ns=(1, 1))

    outcome = synchronizer.sync_paths(["Decisions.md"])

    assert outcome.changed == ("Chapter 1.md", "Chapter 2.md", "Decisions.md")
    assert roles(session)["Chapter 1.md"] == "manuscript"
    assert roles(session)["Chapter 2.md"] == "plan"


def test_a_finding_that_is_meant_is_waived(decided: Callable[..., Session]) -> None:
    notes = {
        "Ada Voss.md": f"{PERSON}Ada Voss has green eyes.\n",
        "Chapter 1.md": "Ada Voss had blue eyes.\n",
        "Chapter 2.md": "Ada Voss has green eyes.\n",
    }
    session = decided("", notes)
    before: Any = session.call("check_continuity", {"min_confidence": 0})
    (finding,) = before.findings
    file = session.root / "Decisions.md"
    file.write_text(f"- {finding.id[:8]}… is meant\n")

    after: Any = session.call("check_continuity", {"min_confidence": 0})

    assert list(after.findings) == []
    assert after.waived == 1


# -- What doctor asks -----------------------------------------------------------------------------


def test_a_name_that_differs_in_a_letter_from_a_note_may_be_its_own_however_often_it_stands(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    told = "Taveneir rowed. “No,” said Taveneir. Then Taveneir slept, and Taveneir wept.\n"
    notes = {"Cast/Tavaneir.md": PERSON, "Story/1 Fire.md": told, "Story/2 Fog.md": told}
    session = open_vault(write_vault(notes))
    session.call("sync", {})

    (asked, *_) = session.call("list_questions", {}).model_dump()["questions"]

    assert asked["text"] == "Taveneir is nearly Tavaneir: the same?"
    assert asked["answers"][0]["line"] == "Taveneir is [[Tavaneir]]"


def test_doctor_asks_for_what_is_unsure_with_the_command_that_decides_it(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    kept = "Marthe rowed. Then Marthe slept, and Marthe dreamt of Marthe.\n" * 3
    notes = {
        "Cast/Marthe.md": PERSON,
        "Story/The Fire.md": f"{kept}So Marte woke. “No,” said Marte. And Marte wept.\n",
        "Story/The Fog.md": kept,
        "Chapter 1.md": "- [[The Fire]]\n- [[The Fog]]\n- [[Marthe]]\n",
    }
    session = open_vault(write_vault(notes))
    session.call("sync", {})

    found: Any = session.call("doctor", {})

    assert [(one.line, one.question) for one in found.proposals] == [
        (
            "order: [[The Fire]], [[The Fog]]",
            "2 notes of the manuscript have no place in it, so that `--as-of` does not show them: "
            "are they told in this order?",
        ),
        (
            "[[Chapter 1]] is a plan",
            "It is only guessed to be a plan: Its title is a chapter's, but it is a list of notes.",
        ),
        ("Marte is [[Marthe]]", "Marte is nearly Marthe: the same?"),
    ]
    assert found.proposals[0].command == (
        "writeros-entities decide 'order: [[The Fire]], [[The Fog]]'"
    )
    for one in found.proposals:
        session.call("decide", {"line": one.line})
    session.call("sync", {})
    assert session.call("doctor", {}).model_dump()["proposals"] == []


def test_doctor_proposes_nothing_about_two_who_are_two(
    decided: Callable[..., Session],
) -> None:
    told = "Marthe rowed. Then Marthe slept, and Marthe dreamt of Marthe.\n" * 3
    notes = {
        "Cast/Marthe.md": PERSON,
        "Chapter 1.md": f"{told}So Marte woke. “No,” said Marte. And Marte wept.\n",
    }
    session = decided('- "Marte" is not [[Marthe]]\n', notes)

    assert session.call("doctor", {}).model_dump()["proposals"] == []
