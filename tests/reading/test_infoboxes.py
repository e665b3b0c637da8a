"""The facts in an infobox: each row is a property of the note's subject."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..conftest import OpenVault, ReadVault

WriteVault = Callable[[dict[str, str]], Path]

BOX = """> [!infobox|right]+
> # Hanne Quist
> ![[hanne.png|cover]]
> ###### Bio
> | Type | Stat |
> | ---- | ---- |
> | **Born** | 771, [[Vell]] |
> | *Alias(es)* | The Heron, Old Quist |
> | __Spouse:__ | [[Ruben Quist\\|Ruben]] |
> | Portrait | ![[hanne.png]] |
> | Pronouns | `= this.pronouns` |
> | Rank | - |
> ###### Family
>  |
> ---|---|
> **Children** | [[Liv]]<br>[[Tam]] |

Hanne keeps bees with [[Emil]].
"""


@pytest.fixture
def hanne(read_vault: ReadVault) -> Any:
    session: Any = read_vault({"People/Hanne Quist.md": BOX, "Places/Vell.md": "Wet."})
    return session.call("get_entity", {"entity": "Hanne Quist"}).entity


def test_the_rows_of_an_infobox_are_properties_unless_they_are_commands(hanne: Any) -> None:
    assert hanne.properties == {
        "born": "771, [[Vell]]",
        "spouse": "[[Ruben Quist\\|Ruben]]",
        "children": "[[Liv]]<br>[[Tam]]",
    }
    assert {"The Heron", "Old Quist"} <= {name.form for name in hanne.names}


def test_a_row_of_an_infobox_states_a_relation_with_the_row_as_its_quote(hanne: Any) -> None:
    stated = {(each.kind, each.other.name, each.other.type) for each in hanne.relations}
    assert stated == {
        ("born_in", "Vell", "place"),
        ("spouse_of", "Ruben Quist", "person"),
        ("parent_of", "Liv", "person"),
        ("parent_of", "Tam", "person"),
    }
    (born,) = [each for each in hanne.relations if each.kind == "born_in"]
    assert born.evidence[0].line == 7


def test_the_head_of_an_infobox_is_a_row_if_it_has_a_link_or_emphasis(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    box = (
        "> [!infobox]\n> | Father | [[Olaf]] |\n> |---|---|\n> | Home | Vell |\n\n"
        "> [!infobox]\n> | **Also known as** | Beekeeper, the Drone |\n> |---|---|\n"
    )
    session: Any = open_vault(write_vault({"People/Ruben.md": box, "Places/Vell.md": "Wet."}))
    session.call("sync", {})
    found = session.call("get_entity", {"entity": "Ruben"}).entity
    assert {"Beekeeper", "the Drone"} <= {name.form for name in found.names}
    assert {(each.kind, each.other.name) for each in found.relations} == {
        ("child_of", "Olaf"),
        ("lives_in", "Vell"),
    }


def test_a_table_that_is_no_infobox_has_no_properties(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    table = "| Day | Watch |\n|---|---|\n| Spouse | [[Olaf]] |\n"
    session: Any = open_vault(write_vault({"People/Ruben.md": table}))
    session.call("sync", {})
    assert session.call("get_entity", {"entity": "Ruben"}).entity.properties is None


def test_an_infobox_in_a_section_for_later_says_nothing_before(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    secret = "> [!infobox]\n> | **Father** | [[Brand]] |\n> |---|---|\n> | Nickname | Wasp |\n"
    sheet = f"---\nvisible_from: always\n---\nShe dives.\n\n## Secret\nvisible_from:: 2\n\n{secret}"
    notes = {"People/Odile.md": sheet, "People/Brand.md": "---\nvisible_from: always\n---\n"}
    chapters = {f"Book/0{number} - Fog.md": "Odile met Brand." for number in (1, 2)}
    session: Any = open_vault(write_vault(notes | chapters))
    session.call("sync", {})
    told = [session.call("get_entity", {"entity": "Odile", "as_of": at}).entity for at in (1, 2)]
    assert [len(entity.relations) for entity in told] == [0, 1]
    assert ["Wasp" in {name.form for name in entity.names} for entity in told] == [False, True]
