"""A note can wish to be in every prompt, in none, or in those about others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities import Session

from ..conftest import OpenVault, ReadVault

WriteVault = Callable[[dict[str, str]], Path]

CHAPTER = "Ada Moor met Bo Lund. Ada Moor rowed. “No,” said Ada Moor. Bo Lund slept.\n"


@pytest.fixture
def session(read_vault: ReadVault) -> Session:
    notes = {
        "Cast/Ada Moor.md": "---\ntype: character\n---\nA widow.\n",
        "Cast/Bo Lund.md": "---\ntype: character\ncontext: never\n---\nA stoker, and Ada Moor's.\n",
        "World/Tides.md": "---\ntype: concept\ncontext: always\n---\nThe tide turns at noon.\n",
        "World/Gull.md": "---\ntype: ship\ncontext: with [[Ada Moor]]\n---\nHer boat leaks.\n",
        "World/Oar.md": "---\ntype: item\ncontext: with [[Bo Lund]]\n---\nAn oar of ash.\n",
        "Chapter 1.md": CHAPTER,
    }
    return read_vault(notes)


def paths(session: Session, name: str, **arguments: Any) -> list[str]:
    answer: Any = session.call(name, arguments)
    found = getattr(answer, "context", answer)
    return sorted({chunk.path for chunk in found.chunks})


def test_a_context_has_what_wishes_to_be_there(session: Session) -> None:
    assert paths(session, "build_context", entities=["Ada Moor"]) == [
        "Cast/Ada Moor.md",
        "Chapter 1.md",
        "World/Gull.md",
        "World/Tides.md",
    ]


def test_who_wishes_never_to_be_there_is_there_only_if_asked_for(session: Session) -> None:
    assert "Cast/Bo Lund.md" in paths(session, "build_context", entities=["Bo Lund"])
    text = "Bo Lund waited for Ada Moor."
    assert "Cast/Bo Lund.md" not in paths(session, "context_for_text", text=text)


def test_a_wish_is_no_fact_and_no_relation(session: Session) -> None:
    gull: Any = session.call("get_entity", {"entity": "Gull"})

    assert gull.entity.properties is None
    assert list(gull.entity.relations) == []


def test_a_note_has_the_part_of_the_budget_that_it_wishes(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    long = "The tide turns at noon, and then it turns again.\n\n" * 40
    notes = {
        "Ada Moor.md": f"---\ntype: character\n---\n{long.replace('tide', 'wheel')}",
        "Tides.md": f"---\ntype: concept\ncontext: always\ncontext_share: 75%\n---\n{long}",
        "Chapter 1.md": CHAPTER,
    }
    session = open_vault(write_vault(notes), chunk_target=20, chunk_limit=40)
    session.call("sync", {})

    answer: Any = session.call("build_context", {"entities": ["Ada Moor"], "max_tokens": 400})

    assert answer.total_tokens <= 400
    assert [one.name for one in answer.entities] == ["Ada Moor", "Tides"]


def test_a_brief_tells_also_what_wishes_it_and_nothing_of_who_does_not(session: Session) -> None:
    brief: Any = session.call("brief_scene", {"scene": "Chapter 1"})
    assert [member.entity.name for member in brief.cast] == ["Ada Moor"]
    assert [one.entity.name for one in brief.also] == []


def test_a_brief_of_what_its_reader_may_see_tells_also_what_wishes_it(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    told = "---\ntype: {}\nvisible_from: always\ncontext: {}\n---\n{}\n"
    notes = {
        "Cast/Ada Moor.md": "---\ntype: character\nvisible_from: always\n---\nA widow.\n",
        "World/Tides.md": told.format("concept", "always", "The tide turns at noon."),
        "World/Gull.md": told.format("ship", "with [[Ada Moor]]", "Her boat leaks."),
        "Chapter 1.md": f"{CHAPTER}The Gull lay in the Tides.\n",
    }
    session = open_vault(write_vault(notes))
    session.call("sync", {})

    brief: Any = session.call("brief_scene", {"scene": "Chapter 1"})

    assert [(one.entity.name, one.summary.text) for one in brief.also] == [
        ("Gull", "Her boat leaks."),
        ("Tides", "The tide turns at noon."),
    ]
    assert "- Gull (item): Her boat leaks. (World/Gull.md:6)" in brief.as_text()
