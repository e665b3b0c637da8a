"""What a note's subject is called: by its file, its properties or its folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.errors import NotFoundError

from ..conftest import OpenVault

WriteVault = Callable[[dict[str, str]], Path]


def names(session: Any) -> dict[str, str]:
    found = session.call("list_entities", {"limit": 100}).entities
    return {entity.name: entity.type for entity in found}


def test_an_index_note_is_called_like_its_folder(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    root = write_vault(
        {
            "Places/Brackwater/index.md": "A town on stilts.",
            "Chapter 1.md": "They saw Brackwater, and [[Places/Brackwater/index|the Wade]].",
        }
    )
    session: Any = open_vault(root)
    session.call("sync", {})
    assert names(session) == {"Brackwater": "place"}
    found = session.call("find_mentions", {"entity": "Brackwater"})
    assert [mention.surface for mention in found.mentions] == ["Brackwater", "the Wade"]


def test_an_index_note_is_called_by_its_title(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    root = write_vault({"Factions/Divers/index.md": "---\ntitle: The Bell Divers\n---\nThey dive."})
    session: Any = open_vault(root)
    session.call("sync", {})
    assert names(session) == {"The Bell Divers": "faction"}


@pytest.mark.parametrize(
    ("path", "heading", "name"),
    [
        ("People/odile-fenn.md", "# Odile Fenn", "Odile Fenn"),
        ("People/odile-fenn.md", "# Overview", "odile-fenn"),
        ("People/odile-fenn.md", "## Odile Fenn", "odile-fenn"),
        ("People/Odile-Fenn/index.md", "# Odile Fenne", "Odile Fenne"),
        ("People/Odile/index.md", "# Overview", "Odile"),
        ("People/Odile.md", "# Odile Fenn", "Odile"),
    ],
)
def test_an_address_is_called_by_the_heading_of_its_page(
    path: str, heading: str, name: str, open_vault: OpenVault, write_vault: WriteVault
) -> None:
    session: Any = open_vault(write_vault({path: f"{heading}\n\nShe dives."}))
    session.call("sync", {})
    assert names(session) == {name: "person"}


@pytest.mark.parametrize("path", ["02 Characters/index.md", "Places/Places.md"])
def test_a_note_for_a_whole_folder_of_a_type_is_nobody(
    path: str, open_vault: OpenVault, write_vault: WriteVault
) -> None:
    folder = path.rpartition("/")[0]
    root = write_vault({path: "- [[Odile]]", f"{folder}/Odile.md": f"See [[{path[:-3]}]]."})
    session: Any = open_vault(root)
    session.call("sync", {})
    assert list(names(session)) == ["Odile"]


@pytest.mark.parametrize(
    ("file", "title", "name"),
    [
        ("black-hand", "The Black Hand", "The Black Hand"),
        ("xarvion", "Xar'vion", "Xar'vion"),
        ("kudur_etir", "Kudur-eṭir", "Kudur-eṭir"),
        ("02-black-hand", "The Black Hand", "The Black Hand"),
        ("brask", "Marshal", "brask"),
        ("Black Hand", "The Black Hand of Old", "Black Hand"),
    ],
)
def test_a_file_named_by_its_address_is_called_by_its_title(
    file: str, title: str, name: str, open_vault: OpenVault, write_vault: WriteVault
) -> None:
    session: Any = open_vault(write_vault({f"Factions/{file}.md": f'---\ntitle: "{title}"\n---\n'}))
    session.call("sync", {})
    assert names(session) == {name: "faction"}


def test_a_longer_name_and_a_nickname_in_the_properties_are_names(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    sheet = (
        "---\nfull_name: Odile Maria Fenn\ntitle: Warden\nnickname: [Wasp, none]\n"
        "aka: the Heron; Old Fenn, a diver\nname: Someone Else\n---\n"
    )
    root = write_vault({"Characters/Odile Fenn.md": sheet})
    session: Any = open_vault(root)
    session.call("sync", {})
    for name in ("Wasp", "Odile Maria Fenn", "the Heron", "Old Fenn"):
        assert session.call("get_entity", {"entity": name}).entity.name == "Odile Fenn"
    for name in ("Warden", "Someone Else", "none", "a diver"):
        with pytest.raises(NotFoundError):
            session.call("get_entity", {"entity": name})


def test_other_names_on_a_line_of_a_sheet_are_names_of_it(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    sheet = "<small>Pronunciation: as read <br>\nAlternative Names: The Salt Queens <br></small>\n"
    session: Any = open_vault(write_vault({"Characters/Odile Fenn.md": sheet}))
    session.call("sync", {})
    assert session.call("get_entity", {"entity": "The Salt Queens"}).entity.name == "Odile Fenn"


@pytest.mark.parametrize(
    ("told", "other"),
    [
        ('**Odile Fenn**, also known as "The Salt Queen," is a diver.', "The Salt Queen"),
        ("Odile Fenn, commonly called the Heron of Vantry, dives.", "Heron of Vantry"),
        ("Odile Fenn is sometimes nicknamed Mouse by divers.", "Mouse"),
        ("Odile Fenn, aussi surnommée Grive, plonge au large.", "Grive"),
        ("Odile Fenn, auch bekannt als Sturmkind, taucht.", "Sturmkind"),
    ],
)
def test_what_a_note_says_that_its_subject_is_called_is_a_name_of_it(
    open_vault: OpenVault, write_vault: WriteVault, told: str, other: str
) -> None:
    session: Any = open_vault(write_vault({"Characters/Odile Fenn.md": f"{told}\n"}))
    session.call("sync", {})
    assert session.call("get_entity", {"entity": other}).entity.name == "Odile Fenn"


@pytest.mark.parametrize(
    ("told", "other"),
    [
        ("Odile Fenn has a brother called Tobin Reed.", "Tobin Reed"),
        ("Odile Fenn dives. Her boat is called Wasp.", "Wasp"),
        ("Odile Fenn is called Captain by the men.", "Captain"),
        ("Odile Fenn is called upon when a storm comes.", "upon"),
    ],
)
def test_what_somebody_else_is_called_is_no_name_of_a_notes_subject(
    open_vault: OpenVault, write_vault: WriteVault, told: str, other: str
) -> None:
    session: Any = open_vault(write_vault({"Characters/Odile Fenn.md": f"{told}\n"}))
    session.call("sync", {})
    with pytest.raises(NotFoundError):
        session.call("get_entity", {"entity": other})


@pytest.mark.parametrize(
    "label",
    ["Surnom", "Spitzname", "Apelido", "Soprannome", "Прозвище", "Andere Namen", "Scientific Name"],
)
def test_other_names_have_their_label_in_any_language(
    open_vault: OpenVault, write_vault: WriteVault, label: str
) -> None:
    notes = {
        "Characters/Odile Fenn.md": f"---\n{label}: Wasp\n---\n",
        "Characters/Maud Serre.md": f"_**{label}**_: _Heron_\n",
    }
    session: Any = open_vault(write_vault(notes))
    session.call("sync", {})
    assert session.call("get_entity", {"entity": "Wasp"}).entity.name == "Odile Fenn"
    assert session.call("get_entity", {"entity": "Heron"}).entity.name == "Maud Serre"


def test_a_link_to_an_alias_of_an_index_note_is_to_be_written_by_its_path(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    root = write_vault(
        {
            "Places/Brackwater/index.md": "---\naliases: [The Wade]\n---\n",
            "Chapter 1.md": "They came to [[The Wade]].",
        }
    )
    session: Any = open_vault(root)
    session.call("sync", {})
    (problem,) = session.call("doctor", {}).problems
    assert problem.message == (
        "[[The Wade]] leads to an alias of 'Brackwater'. Obsidian does not resolve it: "
        "write [[Places/Brackwater/index|The Wade]]."
    )


def test_an_address_that_leads_nowhere_is_called_as_its_link_shows_it(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    text = "They fear [[grey-moor|the Grey Moor]], [[vorn]] and [[bell-house|bells]]."
    session: Any = open_vault(write_vault({"Chapter 1.md": text}))
    session.call("sync", {})
    assert sorted(names(session)) == ["bell-house", "the Grey Moor", "vorn"]


def test_the_number_of_a_missing_page_makes_nobody_a_second_time(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    root = write_vault(
        {
            "Cast/Vorn.md": "---\ntype: person\n---\nA diver.",
            "Chapter 1.md": "They fear [Vorn](../vorn_111.md) and [Vorn](vorn-2.md). [[vorn_3]]",
        }
    )
    session: Any = open_vault(root)
    session.call("sync", {})
    assert sorted(names(session)) == ["Vorn", "vorn_3"]
    found = session.call("find_mentions", {"entity": "Vorn"}).mentions
    assert [mention.alternatives for mention in found] == [[], []]


def test_a_page_exported_by_notion_is_called_without_its_id(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    one, other = "0a1b2c3d4e5f60718293a4b5c6d7e8f9", "5f2c1a0e8b7d4c3f9e6a1b2c3d4e5f60"
    root = write_vault(
        {
            f"Cast/Characters {one}/Odile Fenn {other}.md": "# Odile Fenn\n\nShe dives.",
            f"Chapters {other}/2 Fog {one}.md": f"[Odile](../Odile%20Fenn%20{other}.md) slept.",
            f"Chapters {other}/1 Rain {other}.md": "Odile Fenn woke.",
        }
    )
    session: Any = open_vault(root)
    session.call("sync", {})
    assert names(session) == {"Odile Fenn": "person"}
    found = session.call("find_mentions", {"entity": "Odile Fenn", "as_of": 2}).mentions
    assert [mention.surface for mention in found] == ["Odile Fenn", "Odile"]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("# Personality\nOdile is calm.\n", 1),
        ("# **Personality**\n**Odile** is calm.\n", 1),
        ("Mood: Cheerful\nOdile is calm.\n", 1),
        ("They had all gone down to the harbour to look for Ama\nOdile was calm.\n", 0),
        ("They saw Ama Odile.\n", 0),
    ],
)
def test_a_line_begins_with_a_name_of_its_own(
    open_vault: OpenVault, write_vault: WriteVault, text: str, count: int
) -> None:
    session: Any = open_vault(write_vault({"Characters/Odile Fenn.md": "", "a.md": text}))
    session.call("sync", {})
    found = session.call("find_mentions", {"entity": "Odile Fenn"}).mentions
    assert [one.surface for one in found] == ["Odile"] * count


def test_a_number_is_a_name_only_where_it_is_a_link(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    told = "The golem [[7]] came. 7 men ran.\n\n- [[7]]\n- 7 loaves\n"
    session: Any = open_vault(write_vault({"NPCs/7.md": "A golem.\n", "Notes.md": told}))
    report = session.call("sync", {})
    assert report.diagnostics == []
    found = session.call("find_mentions", {"entity": "7"}).mentions
    assert [(one.surface, one.start) for one in found] == [("7", 12), ("7", 38)]


def test_a_thing_of_several_words_is_named_in_lower_case_too(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    root = write_vault(
        {
            "Items/Ash Lantern.md": "It never goes out.",
            "Places/Low Ford.md": "A crossing.",
            "Characters/Old Man.md": "Nobody knows his name.",
            "Places/City A.md": "On the lake.",
            "Places/The Deep.md": "Nobody knows its end.",
            "Chapter 1.md": "An old man hid ash lanterns in the low ford, in the deep city as ever",
        }
    )
    session: Any = open_vault(root)
    session.call("sync", {})
    for name, surfaces in {
        "Ash Lantern": ["ash lanterns"],
        "Low Ford": ["low ford"],
        "Old Man": [],
        "City A": [],
        "The Deep": [],
    }.items():
        found = session.call("find_mentions", {"entity": name}).mentions
        assert [one.surface for one in found] == surfaces
