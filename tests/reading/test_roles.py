"""What each note is, and which of them have a place in reading order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from writeros_entities import Session

from ..conftest import OpenVault
from ..sync.snapshot import take_snapshot

WriteVault = Callable[[dict[str, str]], Path]

TOLD = "Mara Venn ran to the quay. Nobody saw her.\n"
LISTED = "<!-- SerializedQuery: LIST said -->\n"
LONGFORM = "---\nlongform:\n  scenes:\n    - Arrival\n    - Fire\n---\n"


def roles(session: Session) -> dict[str, str]:
    session.call("sync", {})
    listed: Any = session.call("list_notes", {})
    return {note.path: note.role for note in listed.notes}


def order(session: Session) -> list[tuple[int, str]]:
    session.call("sync", {})
    listed: Any = session.call("list_notes", {"chapters_only": True})
    return [
        (note.position, note.path.rpartition("/")[2].removesuffix(".md")) for note in listed.notes
    ]


@pytest.mark.parametrize(
    ("path", "text", "role"),
    [
        ("Chapter 3.md", TOLD, "manuscript"),
        ("Manuscript/Fog.md", TOLD, "manuscript"),
        ("Main Story/Fog.md", TOLD, "manuscript"),
        ("Pages/04 Fog.md", f"# Chapter Four: Fog\n\n{TOLD}", "manuscript"),
        ("Глава 3.md", TOLD, "manuscript"),
        ("Chapter Nine.md", TOLD, "manuscript"),
        ("Act IV.md", TOLD, "manuscript"),
        ("2. Kapitel.md", TOLD, "manuscript"),
        ("Scene - Fog.md", TOLD, "manuscript"),
        ("Capítulos/Niebla.md", TOLD, "manuscript"),
        ("Notes/Fog.md", f"---\ntype: scene\n---\n{TOLD}", "manuscript"),
        ("Logs/S02 Fog.md", f"---\ntags: [session]\n---\n{TOLD}", "manuscript"),
        ("Game Journal/Day 3.md", "- We rowed to [[Tarn]].\n", "manuscript"),
        ("Séances/Séance 2.md", TOLD, "manuscript"),
        ("Book 1 Outline.md", "- Mara arrives.\n", "plan"),
        ("Plot/Book 1/Act 2 Notes.md", TOLD, "plan"),
        ("Session 8 Prep.md", TOLD, "plan"),
        ("Sessions/Session 2 - DM Notes.md", TOLD, "plan"),
        ("Intrigue/Fin.md", TOLD, "plan"),
        ("Plot Outline - The Keystone.md", TOLD, "plan"),
        ("Ideas/Books/Fog.md", TOLD, "plan"),
        ("Story Arcs/Concept - Fog.md", TOLD, "plan"),
        ("Second Arc Outline - Fog.md", TOLD, "plan"),
        ("Board.md", "---\nkanban-plugin: board\n---\n## To write\n- [ ] Fire\n", "plan"),
        ("NPCs/Odo.md", TOLD, "entity"),
        ("NPCs & Monsters/Odo.md", TOLD, "entity"),
        ("Worldbuilding/The Weave.md", "A net of light.\n", "entity"),
        ("Вики/Тат.md", "Сеть из света.\n", "entity"),
        ("Manuscript/Old Friends.md", TOLD, "manuscript"),
        ("Factions/Anciens.md", TOLD, "entity"),
        ("Odo.md", "---\ntype: character\n---\n", "entity"),
        ("Rules/Characters/Advantages.md", "Points you may spend.\n", "reference"),
        ("Hausregeln/Rast.md", "Acht Stunden.\n", "reference"),
        ("Index.md", "- [[Odo]]\n- [[Mara]]\n", "index"),
        ("Manuscript/Part.md", "[[Scene 1]] [[Scene 2]] [[Scene 3]]\n", "index"),
        ("History/The Mines.md", "```aat-vertical\nMines\n```\n", "index"),
        ("Lore.md", f"{LISTED}- [[Odo]]: He lied.\n", "index"),
        ("NPCs/Ann.md", f"A pilot.\n\n{LISTED}- [[Odo]]: He lied.\n", "entity"),
        ("Home.md", "- [[Odo]]\n- [[Mara]]\n", "index"),
        ("NPCs/Tarn/Tarn.md", "- [[Odo]]\n- [[Mara]]\n", "index"),
        ("NPCs/Urchin Overview.md", "- [[Odo]]\n- [[Mara]]\n", "index"),
        ("Places/Tarn Home.md", "Odo lives here, by the lake.\n", "entity"),
        ("NPC Templates/Odo.md", "---\ntype: npc\n---\n", "other"),
        ("Modèles/Chapitre 1.md", TOLD, "other"),
        ("Map.md", "---\nexcalidraw-plugin: parsed\n---\n", "other"),
        ("Hope.md", "A thing with feathers.\n", "other"),
        ("Writing/The Weave/Odds/Threads.md", "A net of light.\n", "other"),
        ("Method.md", f"# Scene and sequel\n\n{TOLD}", "other"),
        ("Book of Hours.md", TOLD, "other"),
        ("Kapitel und Verse.md", TOLD, "other"),
        ("The Long Way Home.md", TOLD, "other"),
        ("Manuscript/Old Drafts/01 Fog.md", TOLD, "other"),
        ("Manuscript/Chapter 3 (old).md", TOLD, "other"),
        ("Manuskript/Alte Entwürfe/1 Nebel.md", TOLD, "other"),
        ("Writing/The Weave/Fog.md", TOLD, "manuscript"),
    ],
)
def test_a_note_has_the_role_that_its_signs_tell(
    path: str, text: str, role: str, write_vault: WriteVault, open_vault: OpenVault
) -> None:
    assert roles(open_vault(write_vault({path: text}))) == {path: role}


def test_a_role_has_a_reason_and_says_how_sure_it_is(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault({"Plot/Fire.md": TOLD, "Hope.md": "Feathers.\n"}))
    session.call("sync", {})
    notes: Any = session.call("list_notes", {})
    told = [(note.role, note.role_reason, note.role_confidence) for note in notes.notes]
    assert told == [
        ("other", "Nothing says what it is.", 0),
        ("plan", "Its folder is 'Plot'.", 0.9),
    ]


def test_a_note_that_others_name_is_an_entity_where_nothing_else_is_said(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = {"Hope.md": "Feathers.\n", "Faith.md": "Sister of [[Hope]], who fled.\n"}
    session = open_vault(write_vault(notes))
    assert roles(session) == {"Hope.md": "entity", "Faith.md": "other"}
    for role, paths in (("entity", ["Hope.md"]), ("other", ["Faith.md"]), ("plan", [])):
        found: Any = session.call("list_notes", {"role": role, "limit": 1})
        assert ([one.path for one in found.notes], found.total) == (paths, len(paths))


@pytest.mark.parametrize(
    "notes",
    [
        {"Chapter 1.md": ""},
        {"Chapter 1.md": "# Chapter 1\n"},
        {"Manuscript/01.md": "[[Scene 1]] [[Scene 2]]\n"},
        {"Plot/Chapter 1.md": TOLD},
        {"Chapter 1 Outline.md": TOLD},
        {"Scene Templates/Chapter 1.md": TOLD},
        {"House Rules/01 - Rest.md": TOLD},
        {"Locations/Keep/1. Hall.md": TOLD},
        {"Characters/01 - Odo.md": TOLD},
        {"7 Kingdoms.md": TOLD},
        {"Session 3 Prep.md": TOLD},
        {"Journal/2024-05-30.md": TOLD},
    ],
)
def test_what_tells_no_story_has_no_place_in_reading_order(
    notes: dict[str, str], write_vault: WriteVault, open_vault: OpenVault
) -> None:
    assert order(open_vault(write_vault(notes))) == []


def test_where_a_project_lists_the_manuscript_nothing_else_is_in_it(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = {
        "Draft/Index.md": LONGFORM,
        "Draft/Arrival.md": TOLD,
        "Draft/Fire.md": "",
        "Draft/03 - Cut.md": TOLD,
        "Chapter 1.md": TOLD,
    }
    session = open_vault(write_vault(notes))
    assert order(session) == [(1, "Arrival"), (2, "Fire")]
    assert roles(session) == {
        "Draft/Arrival.md": "manuscript",
        "Draft/Fire.md": "manuscript",
        "Chapter 1.md": "other",
        "Draft/03 - Cut.md": "other",
        "Draft/Index.md": "index",
    }


@pytest.mark.parametrize("later", [LONGFORM, "- [[Fire]]\n", None])
def test_a_role_follows_the_list_of_the_manuscript_when_that_changes(
    later: str | None, write_vault: WriteVault, open_vault: OpenVault
) -> None:
    before = LONGFORM.replace("    - Fire\n", "")
    scenes = {"Draft/Arrival.md": TOLD, "Draft/Fire.md": TOLD, "Chapter 1.md": TOLD}
    root = write_vault({"Draft/Index.md": before, **scenes})
    session = open_vault(root)
    assert order(session) == [(1, "Arrival")]
    index = root / "Draft/Index.md"
    if later is None:
        index.unlink()
    else:
        index.write_text(later)
    session.call("sync", {})
    kept = take_snapshot(session)
    session.call("rebuild", {})
    assert take_snapshot(session) == kept


def dated(**days: str) -> dict[str, str]:
    return {
        f"{name.replace('_', '/')} Fog.md": f"---\ndate: {day}\ntags: [session]\n---\n{TOLD}"
        for name, day in days.items()
    }


@pytest.mark.parametrize(
    "titles",
    [
        ("Notes 01 - 01.02.2023", "Notes 02 - 02.02.2023", "Notes 03 - 03.02.2023"),
        ("30.01.2023", "02.02.2023", "1.3.2023"),
        ("2023-02-09", "2023-02-10", "2023-10-01"),
        ("20230209 Fog", "20230210 Fog", "20231001 Fog"),
        ("9 February 2023", "10 February 2023", "1 October 2023"),
        ("Feb 9, 2023", "Feb 10th, 2023", "October 1, 2023"),
        ("9 février 2023", "10 février 2023", "1er octobre 2023"),
        ("9. Februar 2023", "10. Februar 2023", "1. Oktober 2023"),
        ("9 de fevereiro de 2023", "10 de fevereiro de 2023", "1 de outubro de 2023"),
        ("9 февраля 2023", "10 февраля 2023", "1 октября 2023"),
    ],
)
def test_sessions_are_ordered_by_dates_in_their_titles(
    titles: tuple[str, ...], write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault({f"Sessions/{title}.md": TOLD for title in titles}))
    assert order(session) == list(enumerate(titles, 1))


def test_threads_of_dated_sessions_are_told_by_their_dates(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = dated(
        Main_S01="2025-01-10",
        Main_S02="2025-02-10",
        Main_S03="2024-03-10",
        Side_X01="2025-01-20",
        Side_X02="2025-03-20",
        Main_S04="2025-04-10",
    )
    retold = {f"Book/Chapter {at}.md": TOLD for at in (1, 2)}
    session = open_vault(write_vault(notes | retold))
    told = [
        "Chapter 1",
        "Chapter 2",
        "S01 Fog",
        "X01 Fog",
        "S02 Fog",
        "S03 Fog",
        "X02 Fog",
        "S04 Fog",
    ]
    assert [name for _, name in order(session)] == told


def test_a_date_that_contradicts_all_others_is_reported_and_not_believed(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = dated(Log_S01="2025-12-08", Log_S02="2025-12-15", Log_S03="2025-01-12")
    session = open_vault(write_vault(notes))
    assert order(session) == [(1, "S01 Fog"), (2, "S02 Fog"), (3, "S03 Fog")]
    doctor: Any = session.call("doctor", {})
    assert [(one.path, one.message) for one in doctor.problems] == [
        (
            "Log/S03 Fog.md",
            "It is dated 2025-01-12, 11 months before 'Log/S02 Fog.md', which comes before it. "
            "Dated 2026-01-12, it would fit.",
        )
    ]


@pytest.mark.parametrize(
    "notes",
    [
        {
            "Stories/Fire.md": f"**Previous**:\n**Next**: [[Ice]]\n\n{TOLD}",
            "Stories/Ice.md": f"{TOLD}\n← [[Fire]] | [[Air]] →\n",
            "Stories/Air.md": TOLD,
        },
        {
            "Stories/Fire.md": TOLD,
            "Stories/Ice.md": f"---\nprevious: '[[Fire]]'\n---\n{TOLD}",
            "Stories/Air.md": f"> [!note] Précédent\n> [[Ice]]\n\n{TOLD}",
        },
        {
            "Stories/Contents.md": "1. [[Fire]]\n2. [[Ice|The Ice]]\n3. [[Air]]\n",
            **{f"Stories/{name}.md": TOLD for name in ("Air", "Fire", "Ice")},
        },
    ],
)
def test_chapters_without_numbers_are_ordered_by_links(
    notes: Mapping[str, str], write_vault: WriteVault, open_vault: OpenVault
) -> None:
    alone = {"Stories/Alone.md": TOLD}
    session = open_vault(write_vault({**notes, **alone}))
    assert order(session) == [(1, "Fire"), (2, "Ice"), (3, "Air")]


SCENE = f"---\ntype: scene\n---\n{TOLD}"


def test_what_is_told_and_nothing_orders_comes_last_and_is_reported(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = {
        "Extras/Ember.md": SCENE,
        "Extras/Ash.md": SCENE,
        "Extras/Empty.md": "---\ntype: scene\n---\n",
        "Stories/Smoke.md": TOLD,
        "Main/Fire.md": f"{SCENE}\nNext: [[Ice]]\n",
        "Main/Ice.md": SCENE,
    }
    session = open_vault(write_vault(notes))
    assert order(session) == [(1, "Fire"), (2, "Ice"), (3, "Ash"), (4, "Ember")]
    doctor: Any = session.call("doctor", {})
    told = "Nothing tells its place in reading order: it is told as the last."
    assert [(one.path, one.message.partition(" A number")[0]) for one in doctor.problems] == [
        ("Extras/Ash.md", told),
        ("Extras/Ember.md", told),
    ]


def test_where_most_is_told_in_no_order_nothing_is(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    unordered = {f"Extras/{name}.md": SCENE for name in ("Ash", "Ember")}
    session = open_vault(write_vault({"Chapter 1.md": TOLD, **unordered}))
    assert order(session) == [(1, "Chapter 1")]


def test_what_a_plan_tells_is_hidden_from_a_reader(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = {
        "Chapter 1.md": TOLD,
        "Plot/Book 1 Outline.md": "Mara Venn is the killer. Odile Venn inherits.\n",
        "Characters/Odile Venn.md": "A twin.\n",
    }
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    seen: Any = session.call("list_notes", {"as_of": 1})
    assert [note.path for note in seen.notes] == ["Chapter 1.md"]
    known: Any = session.call("list_entities", {"as_of": 1})
    assert [one.name for one in known.entities] == ["Mara Venn"]


@pytest.mark.parametrize("folder", ["Rules", "NPC Templates", "Spell Lists"])
def test_rules_and_templates_give_no_names(
    folder: str, write_vault: WriteVault, open_vault: OpenVault
) -> None:
    text = "Giant Strength is cast by Giant Strength. They say that Giant Strength ends.\n"
    session = open_vault(write_vault({f"{folder}/{name}.md": text for name in "ABC"}))
    session.call("sync", {})
    assert session.call("list_entities", {}).entities == []  # type: ignore[attr-defined]
