"""From when notes outside the manuscript, and sections of them, may be seen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.session import Session

from ..conftest import OpenVault
from ..databases import one_engine

databases = one_engine

WriteVault = Callable[[dict[str, str]], Path]

SECRET = """---
type: person
aliases: [Gannet]
visible_from: 2
---
# Marguerite

The dowager, in grey gloves.

## The mask

visible_from:: [[03 - Gloves]]

Marguerite is the Gannet.

### The end

visible_from:: 4

Marguerite drowns.

## Habits

She brings Piet milk.
"""

VAULT = {
    "Characters/Marguerite.md": SECRET,
    "Characters/Piet.md": "---\ntype: person\n---\nA boy. Marguerite likes him.",
    "Manuscript/01 - Fog.md": "Piet ran.",
    "Manuscript/02 - Tea.md": "Marguerite poured.",
    "Manuscript/03 - Gloves.md": "Marguerite took off her gloves.",
    "Manuscript/04 - Tide.md": "Marguerite walked on.",
}


def texts(session: Any, entity: str, as_of: int | str | None = None) -> list[str]:
    answer = session.call("find_mentions", {"entity": entity, "as_of": as_of, "limit": 100})
    return [item["text"] for item in answer.model_dump()["mentions"]]


def test_a_section_is_seen_from_where_it_says(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(VAULT))
    session.call("sync", {})
    seen = {position: texts(session, "Marguerite", position) for position in (2, 3, 4, None)}
    assert seen[2] == ["Marguerite poured.", "Marguerite"]
    assert seen[3] == [
        "Marguerite poured.",
        "Marguerite took off her gloves.",
        "Marguerite",
        "Marguerite is the Gannet.",
        "Marguerite is the Gannet.",  # once by each of her names
    ]
    assert "Marguerite drowns." in seen[4]
    assert "Marguerite likes him." in " ".join(seen[None])
    assert "Marguerite likes him." not in " ".join(seen[4])


def test_a_section_can_be_seen_although_its_note_is_hidden(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    piet = (
        "---\ntype: person\n---\nPiet has a secret.\n\n## Known\n\nvisible_from:: 1\n\nPiet runs."
    )
    session = open_vault(write_vault(VAULT | {"Characters/Piet.md": piet}))
    session.call("sync", {})
    assert texts(session, "Piet", 1) == ["Piet ran.", "Piet runs."]


def test_properties_are_seen_with_their_note_and_not_with_an_earlier_section(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    known = "## Known\n\nvisible_from:: 1\n\nPiet runs."
    notes = {
        "Characters/Piet.md": f"---\ntype: person\nfate: hanged\n---\nPiet lies.\n\n{known}",
        "Characters/Marguerite.md": "---\ntype: person\nvisible_from: 2\nfate: drowned\n---\n"
        + f"Marguerite lies.\n\n{known}".replace("Piet", "Marguerite"),
    }
    session = open_vault(write_vault(VAULT | notes))
    session.call("sync", {})

    def fate(name: str, as_of: int | None) -> dict[str, Any] | None:
        answer = session.call("get_entity", {"entity": name, "as_of": as_of}).model_dump()
        properties: dict[str, Any] | None = answer["entity"]["properties"]
        return properties

    assert [fate("Piet", position) for position in (1, 4, None)] == [None, None, {"fate": "hanged"}]
    seen = [fate("Marguerite", position) for position in (1, 2, None)]
    assert seen == [None, {"fate": "drowned"}, {"fate": "drowned"}]


def test_the_answers_to_a_reader_keep_a_later_section_out(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(VAULT))
    session.call("sync", {})
    questions: dict[str, dict[str, Any]] = {
        "get_entity": {"entity": "Marguerite"},
        "search_by_entities": {"entities": ["Marguerite"], "include_content": True},
        "find_mentions": {"entity": "Marguerite"},
    }
    for name, arguments in questions.items():
        answer = session.call(name, arguments | {"as_of": "02 - Tea"})
        told = answer.model_dump_json()
        assert "Gannet" not in told
        assert "drowns" not in told
        assert "Gloves" not in told


def test_a_link_is_seen_with_its_section(write_vault: WriteVault, open_vault: OpenVault) -> None:
    session = open_vault(write_vault(VAULT))
    session.call("sync", {})
    counts = [session.call("status", {"as_of": 2}).model_dump()["links"]]
    counts.append(session.call("status", {"as_of": 3}).model_dump()["links"])
    assert counts == [{}, {"resolved": 1}]
    note = session.root / "Characters" / "Marguerite.md"
    note.write_text(SECRET.replace("visible_from::", "seen_from::"))
    session.call("sync", {})
    assert session.call("status", {"as_of": 2}).model_dump()["links"] == {"resolved": 1}


def test_moving_the_chapter_that_a_section_names_moves_the_section(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault(VAULT)
    session = open_vault(root)
    session.call("sync", {})
    gloves = root / "Manuscript" / "03 - Gloves.md"
    gloves.write_text("---\nchapter: 9\n---\nMarguerite took off her gloves.", "utf-8")
    session.call("sync", {})
    assert "Marguerite is the Gannet." not in texts(session, "Marguerite", 8)
    assert "Marguerite is the Gannet." in texts(session, "Marguerite", 9)


def test_a_section_that_loses_its_claim_is_hidden_with_its_note(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    hidden = SECRET.replace("visible_from: 2\n", "")
    root = write_vault(VAULT | {"Characters/Marguerite.md": hidden})
    session = open_vault(root)
    session.call("sync", {})
    assert "Marguerite drowns." in texts(session, "Marguerite", 4)
    plain = "".join(line for line in hidden.splitlines(True) if "visible_from" not in line)
    (root / "Characters" / "Marguerite.md").write_text(plain, "utf-8")
    session.call("sync", {})
    assert texts(session, "Marguerite", 4) == [
        *("Marguerite poured.", "Marguerite took off her gloves.", "Marguerite walked on."),
    ]


@pytest.mark.parametrize("claim", ["soon", "-3000000000"])
def test_a_claim_that_names_nothing_is_a_diagnostic(
    write_vault: WriteVault, open_vault: OpenVault, claim: str
) -> None:
    note = f"---\ntype: person\nvisible_from: {claim}\n---\nPiet."
    session = open_vault(write_vault(VAULT | {"Characters/Piet.md": note}))
    session.call("sync", {})
    problems = session.call("doctor", {}).model_dump()["problems"]
    assert [(item["path"], item["code"]) for item in problems] == [
        ("Characters/Piet.md", "unknown-visible-from")
    ]
    assert texts(session, "Piet", 4) == ["Piet ran.", "She brings Piet milk."]


BOOKS = {
    "Characters/Piet.md": "---\ntype: person\nvisible_from: always\n---\nA boy.",
    "Book 1/Chapter 1.md": "Piet ran.",
    "Book 1/Chapter 2.md": "Piet slept.",
    "Book 2/Chapter 1.md": "Piet sang.",
    "Book 2/Chapter 2.md": "Piet drowned.",
}


@pytest.mark.parametrize(
    ("claim", "position"),
    [
        ("[[Book 1/Chapter 2]]", 2),
        ("[[Book 2/Chapter 1]]", 3),
        ("[[Book 2/Chapter 2#The end|there]]", 4),
        ("Book 1/Chapter 2.md", 2),
    ],
)
def test_a_section_is_seen_from_the_very_chapter_that_it_links_to(
    write_vault: WriteVault, open_vault: OpenVault, claim: str, position: int
) -> None:
    secret = (
        f"{BOOKS['Characters/Piet.md']}\n\n## Later\n\nvisible_from:: {claim}\n\nPiet is king.\n"
    )
    session = open_vault(write_vault(BOOKS | {"Characters/Piet.md": secret}))
    session.call("sync", {})
    assert "Piet is king." not in texts(session, "Piet", position - 1)
    assert "Piet is king." in texts(session, "Piet", position)


def test_of_two_chapters_that_a_claim_may_mean_the_last_counts_and_doctor_says_so(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    note = "---\ntype: person\nvisible_from: Chapter 1\n---\nShe brings Piet milk."
    session = open_vault(write_vault(BOOKS | {"Characters/Mara.md": note}))
    session.call("sync", {})
    assert "She brings Piet milk." not in texts(session, "Piet", 2)
    assert "She brings Piet milk." in texts(session, "Piet", 3)
    problems = session.call("doctor", {}).model_dump()["problems"]
    assert [(item["path"], item["code"], item["message"]) for item in problems] == [
        (
            "Characters/Mara.md",
            "ambiguous-visible-from",
            "visible_from: 'Chapter 1' may mean 'Book 1/Chapter 1.md' or "
            "'Book 2/Chapter 1.md'; the last of them counts. Link to one of them by its path.",
        )
    ]


@pytest.mark.parametrize("said", ["", " ''", " []"])
def test_a_property_that_is_left_empty_claims_nothing(
    write_vault: WriteVault, open_vault: OpenVault, said: str
) -> None:
    note = f"---\ntype: person\nvisible_from:{said}\n---\nShe brings Piet milk."
    root = write_vault(BOOKS | {"Characters/Mara.md": note})
    session = open_vault(root, visible_from={"Characters": "always"})
    session.call("sync", {})
    assert session.call("doctor", {}).model_dump()["problems"] == []
    assert "She brings Piet milk." in texts(session, "Piet", 1)


@pytest.mark.parametrize("claim", ["chapter 2", "Ch. 2", "Kapitel 2", '"[[chapter two]]"'])
def test_a_chapter_may_be_claimed_by_its_number_in_words(
    write_vault: WriteVault, open_vault: OpenVault, claim: str
) -> None:
    sheet = f"---\nvisible_from: {claim}\n---\nAnn drowns."
    chapters = {"01 - Fog.md": "Ann ran.", "02 - Ice.md": "Ann slept."}
    session = open_vault(write_vault(chapters | {"Ann.md": sheet}))
    session.call("sync", {})
    assert session.call("doctor", {}).model_dump()["problems"] == []
    assert [paths(session, position) for position in (1, 2)] == [
        ["01 - Fog.md"],
        ["01 - Fog.md", "02 - Ice.md", "Ann.md"],
    ]


def test_a_chapter_of_several_scenes_is_reached_with_the_first_of_them(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    scenes = {
        f"{name}.md": f"---\nchapter: {chapter}\nscene: {scene}\n---\nIt rained."
        for name, chapter, scene in (("Dawn", 1, 1), ("Noon", 2, 1), ("Dusk", 2, 2))
    }
    sheet = "---\nvisible_from: chapter 2\n---\nAnn drowns."
    session = open_vault(write_vault(scenes | {"Ann.md": sheet}))
    session.call("sync", {})
    assert session.call("doctor", {}).model_dump()["problems"] == []
    assert [paths(session, position) for position in (1, 2)] == [
        ["Dawn.md"],
        ["Dawn.md", "Noon.md", "Ann.md"],
    ]


def test_a_number_that_two_books_have_is_reached_with_the_last_of_them(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    sheet = "---\nvisible_from: chapter 1\n---\nAnn drowns."
    session = open_vault(write_vault(BOOKS | {"Ann.md": sheet}))
    session.call("sync", {})
    problems = session.call("doctor", {}).model_dump()["problems"]
    assert [(one["path"], one["code"]) for one in problems] == [
        ("Ann.md", "ambiguous-visible-from")
    ]
    assert ["Ann.md" in paths(session, position) for position in (2, 3)] == [False, True]


def paths(session: Session, position: int) -> list[str]:
    notes = session.call("list_notes", {"as_of": position}).model_dump()["notes"]
    return [note["path"] for note in notes]
