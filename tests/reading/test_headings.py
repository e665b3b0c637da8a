"""Every proof names the headings above it, however short the sections are that share a chunk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from writeros_entities.session import Session

from .conftest import Ask, asking

OpenVault = Callable[..., Session]
WriteVault = Callable[[dict[str, str]], Path]

VAULT = {
    "People/Ada.md": (
        "---\ntype: person\n---\n# Ada\n\nKeeps birds.\n\n## Never ask her about\n\n"
        "Bo, her wedding.\n\n## Do ask her about\n\nHawks; Bo's boat.\n\n"
        "### Her family\n\nally:: [[Cy]]\n"
    ),
    "People/Bo.md": "---\ntype: person\n---\nBo rows.\n",
    "People/Cy.md": (
        "---\ntype: person\nvisible_from: always\n---\n# Cy\n\nCy sings.\n\n## The mask\n\n"
        "visible_from:: 1\n\nstatus:: in hiding\n\nBo is his brother.\n"
    ),
    "People/Di.md": (
        "---\ntype: person\nvisible_from: always\n---\n## The gallows\n\nvisible_from:: 9\n\n"
        "She hangs.\n\n## Habits\n\nDi hums.\n"
    ),
    "Book/01.md": "---\nchapter: 1\n---\n# Rain\n\nBo and Cy slept.\n\n## Hail\n\nBo woke.\n",
}


def test_a_mention_is_below_the_headings_of_its_own_section(ask: Ask) -> None:
    found = ask("find_mentions", entity="Bo").mentions
    assert [(one.path, one.line, one.heading) for one in found] == [
        ("Book/01.md", 6, "Rain"),
        ("Book/01.md", 10, "Rain › Hail"),
        ("People/Ada.md", 10, "Ada › Never ask her about"),
        ("People/Ada.md", 14, "Ada › Do ask her about"),
        ("People/Bo.md", 4, ""),
        ("People/Cy.md", 15, "Cy › The mask"),
    ]


def test_a_name_in_a_heading_is_below_that_heading(ask: Ask) -> None:
    [first, *_] = ask("find_mentions", entity="Ada").mentions
    assert (first.line, first.heading) == (4, "Ada")


def test_the_proof_of_a_relation_is_below_its_own_headings(ask: Ask) -> None:
    found = ask("get_entity", entity="Ada").entity.relations
    assert [(one.kind, one.evidence[0].heading) for one in found] == [
        ("ally_of", "Ada › Do ask her about › Her family")
    ]


def test_a_change_is_below_its_own_headings(ask: Ask) -> None:
    found = ask("get_entity_history", entity="Cy", kinds=["status_changed"]).changes
    assert [(one.new, one.evidence.heading) for one in found] == [("in hiding", "Cy › The mask")]


def test_a_passage_is_below_the_headings_of_its_excerpt(ask: Ask) -> None:
    [found] = ask("search", query="boat").passages
    assert (found.excerpt, found.heading) == ("Hawks; Bo's **boat**.", "Ada › Do ask her about")
    [found] = ask("search_by_entities", entities=["Cy"], top_k=1).results
    assert (found.excerpt, found.heading) == ("Bo and Cy slept.", "Rain")


def test_a_piece_of_a_context_is_below_the_headings_of_its_beginning(ask: Ask) -> None:
    pieces = ask("build_context", entities=["Cy"]).chunks
    assert [(one.path, one.line, one.heading) for one in pieces] == [
        ("People/Cy.md", 5, "Cy"),
        ("People/Ada.md", 4, "Ada"),
        ("Book/01.md", 4, "Rain"),
        ("People/Cy.md", 9, "Cy › The mask"),
    ]


def test_what_is_seen_does_not_stand_below_a_heading_that_is_hidden(ask: Ask) -> None:
    assert [one.heading for one in ask("search", query="hums", as_of=1).passages] == ["Habits"]
    assert ask("search", query="gallows", as_of=1).passages == []


def test_a_renamed_heading_stands_above_the_passages_below_it(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    prose = "He rowed and rowed, and never looked back to the land. " * 60
    text = f"# Old\n\n{prose}\n\n### Near\n\nBo rowed.\n\n### Far\n\nBo slept.\n"
    root = write_vault({"Bo.md": "---\ntype: person\n---\n", "Log.md": text})
    ask = asking(open_vault(root))
    ask("sync")
    (root / "Log.md").write_text(text.replace("# Old", "# New", 1), "utf-8")
    ask("sync")
    found = ask("find_mentions", entity="Bo").mentions
    assert [one.heading for one in found] == ["New › Near", "New › Far"]
