"""Drafts of one work, as the Longform plugin keeps them: an index note each, with one title."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from writeros_entities.session import Session

from ..conftest import OpenVault

WriteVault = Callable[[dict[str, str]], Path]

INDEX = """---
longform:
  format: scenes
  title: {title}
  draftTitle: {draft}
  scenes: [{scenes}]
---
"""


def vault(first: str, second: str, titles: tuple[str, str] = ("Fog", "Fog")) -> dict[str, str]:
    """Return a work of two drafts; Ida kills Corvin in the first, and Bea does in the second."""
    return {
        "Characters/Ida Crane.md": "",
        "Characters/Bea Hale.md": "",
        "Characters/Corvin Moss.md": "",
        "One/Index.md": INDEX.format(title=titles[0], draft=first, scenes="01 Quay, 02 Weir"),
        "One/01 Quay.md": "Ida Crane rowed.\n",
        "One/02 Weir.md": "Ida Crane killed Corvin Moss.\n",
        "Two/Index.md": INDEX.format(title=titles[1], draft=second, scenes="Bank, Lock, Mill"),
        "Two/Bank.md": "Bea Hale rowed.\n",
        "Two/Lock.md": "Bea Hale fished with Ida Crane.\n",
        "Two/Mill.md": "Bea Hale killed Corvin Moss.\n",
    }


def told_by(session: Session, chapter: int) -> tuple[list[str], list[str]]:
    """Return whom a reader knows by a chapter, and who is said to have killed somebody."""
    people = session.call("list_entities", {"as_of": chapter}).model_dump()["entities"]
    names = sorted(each["name"] for each in people)
    sheets = {
        name: session.call("get_entity", {"entity": name, "as_of": chapter}).as_text()
        for name in names
    }
    return names, [name for name in names if "- killed Corvin Moss" in sheets[name]]


@pytest.mark.parametrize(
    ("first", "second"),
    [("Draft 1", "Draft 2"), ("null", "Draft 2"), ("First draft", "Second draft"), ("9", "10")],
)
@pytest.mark.usefixtures("closely")
def test_the_last_draft_of_a_work_is_the_manuscript(
    write_vault: WriteVault, open_vault: OpenVault, first: str, second: str
) -> None:
    session = open_vault(write_vault(vault(first, second)))
    session.call("sync", {})
    assert told_by(session, 2) == (["Bea Hale", "Ida Crane"], [])
    assert told_by(session, 3) == (["Bea Hale", "Corvin Moss", "Ida Crane"], ["Bea Hale"])
    problems = session.call("doctor", {}).model_dump()["problems"]
    assert [(each["path"], each["message"]) for each in problems] == [
        (
            "One/Index.md",
            "An earlier draft of 'Fog': the manuscript is that of 'Two/Index.md'.",
        )
    ]


@pytest.mark.parametrize(
    ("drafts", "titles"),
    [(("Rough", "Polished"), ("Fog", "Fog")), (("Draft 1", "Draft 2"), ("Fog", "Ice"))],
    ids=["drafts without numbers", "two works"],
)
def test_no_draft_is_left_out_if_it_may_be_the_last_of_its_work(
    write_vault: WriteVault,
    open_vault: OpenVault,
    drafts: tuple[str, str],
    titles: tuple[str, str],
) -> None:
    session = open_vault(write_vault(vault(*drafts, titles)))
    session.call("sync", {})
    assert told_by(session, 1)[0] == ["Bea Hale", "Ida Crane"]


def test_the_scenes_of_a_project_of_the_first_version_have_their_order(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    index = (
        "---\nversion: 1\ndrafts:\n  - name: One\n    folder: One\n    scenes: [Weir, Quay]\n---\n"
    )
    notes = {
        "Fog/Index.md": index + "Managed by a plugin.\n",
        "Fog/Drafts/One/Quay.md": "Ida rowed.\n",
        "Fog/Drafts/One/Weir.md": "Ida fished.\n",
    }
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    found = session.call("list_notes", {}).model_dump()["notes"]
    assert {one["path"]: (one["role"], one["position"]) for one in found} == {
        "Fog/Drafts/One/Weir.md": ("manuscript", 1),
        "Fog/Drafts/One/Quay.md": ("manuscript", 2),
        "Fog/Index.md": ("index", None),
    }
