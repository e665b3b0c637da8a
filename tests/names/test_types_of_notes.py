"""What kind of thing a note is about, by the folders, tags and properties that writers use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..cases import by_name
from ..conftest import OpenVault, ReadVault

WriteVault = Callable[[dict[str, str]], Path]


def types(session: Any) -> dict[str, str]:
    session.call("sync", {})
    found = session.call("list_entities", {"limit": 100}).entities
    return {entity.name: entity.type for entity in found}


FOLDERS = [
    ("02 Characters", "person"),
    ("02 - Characters", "person"),
    ("z_NPCs", "person"),
    ("🧙 Personajes", "person"),
    ("Welt/Orte", "place"),
    ("Campaign/Points of Interest", "place"),
    ("People/Party/Pets", "creature"),
    ("Places/Vale/Important People", "person"),
    ("Personnages secondaires", "person"),
    ("Karaktärer", "person"),
    ("Postacie", "person"),
    ("Персонажи", "person"),
    ("Локации", "place"),
    ("人物", "person"),
    ("地点", "place"),
    ("World/Noble Families", "faction"),
    ("🕯️ PNJ", "person"),
    ("Npc", "person"),
    ("📬Ville", "place"),
    ("Lore/Deity", "person"),
    ("Países/Región", "place"),
    ("Player/World", "person"),
    ("NPC RP Blocks/Chapter One", "person"),
    ("PNJ de la ville", "person"),
    ("World/Towns & Cities", "place"),
    ("Families and Houses", "faction"),
    ("Villes et villages", "place"),
    ("Растения и животные", "creature"),
    ("Lore/Mythen & Legenden", "concept"),
]


@pytest.mark.parametrize(("name", "case"), by_name(FOLDERS).items())
def test_a_folder_tells_the_type_whatever_sorts_it_and_in_other_languages(
    read_vault: ReadVault, name: str, case: tuple[str, str]
) -> None:
    notes = {f"{path}/{one}.md": "Somebody." for one, (path, _) in by_name(FOLDERS).items()}
    assert types(read_vault(notes))[name] == case[1]


PROPERTIES = [
    ('tags: ["#NPC"]', "person"),
    ("Note Type: Character", "person"),
    ("fileClass: npc", "person"),
    ("tipo: lugar", "place"),
    ("tags: [npc]\nclass: [Druid]", "person"),
    ("class: faction", "faction"),
    ("NoteIcon: group", "faction"),
    ("tags: [book/2, npc]", "person"),
    ("tags: [world, faction]", "faction"),
    ("tags: [world]", "place"),
    ("type: organizations", "faction"),
    ("entityType: magicSystem", "concept"),
    ("tags: [deities]", "person"),
    ("tags: [worlds, factions]", "faction"),
    ("type: species", "creature"),
    ("type: tavern", "place"),
    ("type: blacksmith", "person"),
    ("type: rune-word", "unknown"),
]


@pytest.mark.parametrize(("name", "case"), by_name(PROPERTIES).items())
def test_a_property_or_a_tag_tells_the_type(
    read_vault: ReadVault, name: str, case: tuple[str, str]
) -> None:
    notes = {
        f"{one}.md": f"---\n{properties}\n---\nSomebody."
        for one, (properties, _) in by_name(PROPERTIES).items()
    }
    assert types(read_vault(notes))[name] == case[1]


def test_what_somebodys_class_is_stays_a_property(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    session: Any = open_vault(write_vault({"NPCs/Odile.md": "---\nclass: Druid\n---\nSomebody."}))
    session.call("sync", {})
    assert session.call("get_entity", {"entity": "Odile"}).entity.properties == {"class": "Druid"}


ABOUT_NOTES = [
    "type: hub",
    "tags: [moc]",
    'tags: ["#SessionNote"]',
    "type: storyline",
    "Class: Scene",
    "type: Notes",
    "entityType: campaignSession",
    "category: literaturenote",
    "tags: [clippings]",
]


@pytest.mark.parametrize(("name", "properties"), by_name(ABOUT_NOTES).items())
def test_a_note_about_notes_is_no_entity_though_linked(
    read_vault: ReadVault, name: str, properties: str
) -> None:
    notes = {}
    for one, said in by_name(ABOUT_NOTES).items():
        notes[f"All of {one}.md"] = f"---\n{said}\n---\n- [[{one}]]"
        notes[f"{one}.md"] = f"See [[All of {one}]]."
    found = types(read_vault(notes))
    assert found[name] == "concept"
    assert f"All of {name}" not in found, properties


@pytest.mark.parametrize(
    "path",
    [
        *("Characters.md", "Characters/_Cast.md", "02 - Places.md", "Factions/Organizations.md"),
        "Characters/~CAST~.md",
        *("Characters/NPC.md", "Personnages/Objets.md"),
    ],
)
def test_a_list_is_no_entity_though_linked(
    path: str, open_vault: OpenVault, write_vault: WriteVault
) -> None:
    name = path.rpartition("/")[2].removesuffix(".md")
    notes = {path: "- [[Odile]]", "Odile.md": f"See [[{name}]]."}
    assert types(open_vault(write_vault(notes))) == {"Odile": "concept"}


@pytest.mark.parametrize(
    ("note", "kind"),
    [
        ({"Factions/Party.md": ""}, "faction"),
        ({"Party.md": "---\ntype: faction\n---\n"}, "faction"),
    ],
)
def test_a_type_or_a_folder_of_another_type_makes_an_entity_of_a_list(
    note: dict[str, str], kind: str, open_vault: OpenVault, write_vault: WriteVault
) -> None:
    assert list(types(open_vault(write_vault(note))).values()) == [kind]


def test_a_note_among_characters_may_be_called_by_a_word_for_somebody(
    read_vault: ReadVault,
) -> None:
    notes = {"Characters/God.md": "He rests.", "Characters/The Hero.md": "He does not."}
    assert types(read_vault(notes)) == {"God": "person", "The Hero": "person"}


def test_the_headings_of_a_sheet_tell_its_type_as_labels_do(read_vault: ReadVault) -> None:
    found = types(
        read_vault(
            {
                "Keller.md": "From the coast.\n\n## Backstory\nA hunter.\n\n## Flaws\nPride.",
                "Vantry.md": "# Vantry\n\n## Geography\nCliffs.\n\n## Economy:\nFish.",
                "Notes.md": "# Flaws\n\n[[Keller]] and [[Vantry]] need work: see [[Notes]].",
            }
        )
    )
    assert found == {"Keller": "person", "Vantry": "place"}


@pytest.mark.parametrize(
    ("note", "kind"),
    [
        ({"Places/St. Bride.md": "---\ntype: church\n---\n"}, "place"),
        ({"St. Bride.md": "---\ntype: church\ntags: [place]\n---\n"}, "place"),
        ({"St. Bride.md": "---\ntype: church\n---\n"}, "faction"),
        ({"Places/The Guild.md": "---\ntype: guild\n---\n"}, "faction"),
    ],
)
def test_a_church_among_places_is_a_place(
    note: dict[str, str], kind: str, open_vault: OpenVault, write_vault: WriteVault
) -> None:
    assert list(types(open_vault(write_vault(note))).values()) == [kind]


@pytest.mark.parametrize(
    "properties", ["kanban-plugin: board", "excalidraw-plugin: parsed", "longform: {scenes: [A]}"]
)
def test_a_board_or_a_drawing_among_characters_is_no_character(
    properties: str, open_vault: OpenVault, write_vault: WriteVault
) -> None:
    notes = {"Characters/Cast.md": f"---\n{properties}\n---\n", "Characters/Odile.md": "[[Cast]]"}
    assert types(open_vault(write_vault(notes))) == {"Odile": "person"}


def test_a_template_is_no_entity(open_vault: OpenVault, write_vault: WriteVault) -> None:
    sheet = "---\nname: {{title}}\ntags: [npc]\n---\n"
    root = write_vault({f"{name}/NPC.md": sheet for name in ("z_Templates", "90 Vorlagen")})
    session: Any = open_vault(root)
    assert types(session) == {}
    assert session.call("doctor", {}).problems == []


KEYS = [
    ("pov", "person"),
    ("party", "person"),
    ("location", "place"),
    ("home", "place"),
    ("father", "person"),
    ("headquarters", "place"),
    ("guild", "concept"),
    ("owns", "concept"),
    ("see_also", "concept"),
]


@pytest.mark.parametrize(("name", "case"), by_name(KEYS).items())
def test_the_key_of_a_link_to_no_note_tells_its_type(
    read_vault: ReadVault, name: str, case: tuple[str, str]
) -> None:
    notes = {
        f"Chapter {at}.md": f'---\n{key}:\n  - "[[{one}]]"\n---\nSo {one} came.'
        for at, (one, (key, _)) in enumerate(by_name(KEYS).items(), 1)
    }
    assert types(read_vault(notes))[name] == case[1]


GUILD = """The leader is [[Tam Brook]]. Tam Brook is the father of [[Una Reed]].

## Members
- [[Nyx Vale]]
- Sworn in May: [[Cob Ash]]

Headquarters: [[Odile]]

It is near [[Wick]].
"""


def test_the_words_before_a_link_to_no_note_tell_its_type(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    assert types(open_vault(write_vault({"Factions/Guild.md": GUILD}))) == {
        "Guild": "faction",
        "Tam Brook": "person",
        "Una Reed": "person",
        "Nyx Vale": "person",
        "Cob Ash": "concept",
        "Odile": "place",
        "Wick": "concept",
    }


MARKED = [
    ("Castle Marrow", "Grey stones.", "place"),
    ("House Drelling", "Rich.", "faction"),
    ("König Aldo IV", "Alt.", "person"),
    ("Team 2", "They won.", "faction"),
    ("Odile Fenn (Sheriff)", "Stern.", "person"),
    ("The Gannet", "The Gannet is the oldest ship of the fleet.", "item"),
    ("Odile Vane", "**Odile Vane**, captain of the guard, is late.", "person"),
    ("Brine Head", "Brine Head – a fishing village on the coast.", "place"),
    ("Una Reed", "Una Reed, when she came to town, was late.", "concept"),
    ("Lady Luck", "Her luck holds.", "concept"),
    ("Language 1", "Soft.", "concept"),
]


def test_a_title_tells_the_type_of_a_note_by_what_stands_around_the_name(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    notes = {f"Odds/{name}.md": text for name, text, _ in MARKED}
    linked = "".join(f"- [[{name}]]\n" for name, *_ in (*MARKED, ("Bram Oak (Captain)",)))
    expected = {name: kind for name, _, kind in MARKED} | {"Bram Oak (Captain)": "person"}
    assert types(open_vault(write_vault({**notes, "Links.md": linked}))) == expected


def test_a_note_of_the_world_is_an_entity_where_its_text_tells_of_what_sort(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    notes = {
        "World/Brine Head.md": "Brine Head is a fishing village.\n",
        "World/How the sea rose.md": "It rained.\n",
        "Lore/Vantry.md": "Vantry is a fishing village.\n",
        "Lore/Tides.md": "The sea obeys.\n",
        "Odds/Fenwick.md": "Fenwick is a town.\n",
    }
    assert types(open_vault(write_vault(notes))) == {
        "Brine Head": "place",
        "Vantry": "place",
        "Tides": "concept",
    }


def test_a_heading_for_people_of_some_manner_lists_people(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    text = "# Northern Pantheon\n## Odile - Goddess of Rain\nWet.\n## Bram - God of Bread\nDry.\n"
    found = types(open_vault(write_vault({"Culture/Religion.md": text})))
    assert found == {"Odile": "person", "Bram": "person"}


def test_prose_tells_the_type_of_a_link_to_no_note_as_far_as_it_has_been_read(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    told = "“No,” said [[{0}]]. He saw {0} smile, and {0} laughed at him.\n"
    root = write_vault(
        {
            "Chapter 1.md": told.format("Odile") + "They spoke of [[Brand]].",
            "Chapter 2.md": told.format("Brand"),
        }
    )
    session: Any = open_vault(root)
    assert types(session) == {"Odile": "person", "Brand": "concept"}
    session.call("rebuild", {})
    assert types(session) == {"Odile": "person", "Brand": "concept"}


def test_a_property_added_later_tells_the_type_with_the_next_sync(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    session: Any = open_vault(write_vault({"Chapter 1.md": "They met [[Odile]]."}))
    assert types(session) == {"Odile": "concept"}
    write_vault({"Chapter 1.md": '---\npov: "[[Odile]]"\n---\nThey met [[Odile]].'})
    assert types(session) == {"Odile": "person"}
    write_vault({"Chapter 1.md": "They met [[Odile]]."})
    assert types(session) == {"Odile": "concept"}


def test_a_person_without_a_note_is_found_by_parts_of_the_name(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    root = write_vault(
        {
            "Chapter 1.md": "Then Sandy Brand laughed. He saw Sandy smile. “No,” said Sandy.",
            "Characters/Odile.md": '---\nspouse: "[[Sandy Brand]]"\n---\nA clerk.',
        }
    )
    session: Any = open_vault(root)
    assert types(session) == {"Odile": "person", "Sandy Brand": "person"}
    found = session.call("find_mentions", {"entity": "Sandy Brand", "below": "Chapter 1.md"})
    assert [mention.surface for mention in found.mentions] == ["Sandy Brand", "Sandy", "Sandy"]


TOLD = "“No,” said Odile Brand. He saw Odile Brand smile, and Odile laughed at him.\n"


def test_chapters_tell_the_type_of_a_note_that_states_none(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    root = write_vault(
        {
            "Chapter 1.md": TOLD + "Heron was late.",
            "Dossiers/Odile Brand.md": "---\naliases: [Heron]\n---\nBad knee.",
            "Dossiers/Ruth Amsel.md": "In no chapter so far.",
            "Dossiers/Ideas.md": "Odile Brand falls ill?",
        }
    )
    session: Any = open_vault(root)
    assert types(session) == {"Odile Brand": "person"}
    found = session.call("find_mentions", {"entity": "Odile Brand", "below": "Chapter 1.md"})
    assert [mention.surface for mention in found.mentions] == [
        "Odile Brand",
        "Odile Brand",
        "Odile",
        "Heron",
    ]


def test_a_name_of_one_word_must_be_used_repeatedly_to_tell_the_type_of_its_note(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    root = write_vault({"Chapter 1.md": "He met Odile.", "Notes/Odile.md": "Bad knee."})
    session: Any = open_vault(root)
    assert types(session) == {}
    write_vault({"Chapter 2.md": "“No,” said Odile. He saw Odile smile, and Odile laughed."})
    assert types(session) == {"Odile": "person"}
    (root / "Chapter 2.md").unlink()
    assert types(session) == {}


def test_what_only_notes_say_of_a_name_tells_no_type(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    root = write_vault(
        {
            "Chapter 1.md": "The rain fell.",
            "Plan.md": TOLD,
            "Dossiers/Odile Brand.md": "---\naliases: [Heron]\n---\nBad knee.",
        }
    )
    session: Any = open_vault(root)
    session.call("sync", {})
    found = session.call("list_entities", {}).entities
    assert [(entity.name, entity.status) for entity in found] == [("Odile", "suggested")]


def test_as_of_a_chapter_only_chapters_up_to_it_tell_the_type_of_a_note(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    root = write_vault(
        {
            "Book/1.md": "He met Odile. He saw the Heron.",
            "Book/2.md": "The rain fell on [[Ruth]].",
            "Book/3.md": "“No,” said Odile. He saw Odile smile. “No,” said Ruth. Ruth laughed.",
            "Dossiers/Odile.md": "---\naliases: [the Heron]\nvisible_from: always\n---\nBad knee.",
            "Dossiers/Ruth.md": "---\nvisible_from: always\n---\nSings.",
        }
    )
    session: Any = open_vault(root)
    session.call("sync", {})
    listed = {
        as_of: {
            (entity.name, entity.type)
            for entity in session.call("list_entities", {"as_of": as_of}).entities
        }
        for as_of in (1, 2, 3, None)
    }
    # Ruth is what the first link makes of her.
    last = {("Odile", "person"), ("Ruth", "concept")}
    assert listed == {1: set(), 2: {("Ruth", "concept")}, 3: last, None: last}
