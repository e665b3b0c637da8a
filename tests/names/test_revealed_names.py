"""A name that hides somebody: until the chapter that says whose it is, it is somebody's own.

The sheet says so by an `alias::` in a section that may be seen from there. Obsidian's own property
`aliases` may have the name too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.session import Session

from ..conftest import OpenVault, ReadVault
from ..principles.test_as_of import Ids, ask

pytestmark = pytest.mark.usefixtures("closely")

WriteVault = Callable[[dict[str, str]], Path]

MARGOT = """---
type: person
aliases: [Lady Vale, Heron]
visible_from: 1
---
# Margot Vale

A widow.

## The mask

visible_from:: [[04 - The mill]]
alias:: Heron

She took to it at twenty.
"""
PEOPLE = {
    "People/Margot Vale.md": MARGOT,
    "People/Ann Reed.md": "---\ntype: person\n---\n",
    "People/Bob Tull.md": "---\ntype: person\n---\n",
}
CHAPTERS = {
    "Book/01 - Tea.md": "Lady Vale poured the tea. Ann Reed watched her.\n",
    "Book/02 - Feathers.md": "The Heron robbed the mill. Ann Reed saw the Heron run.\n\n"
    '"The Heron!" cried Ann Reed. The Heron killed Bob Tull.\n',
    "Book/03 - Flowers.md": "Bob Tull was buried. Lady Vale never spoke of the Heron.\n",
    "Book/04 - The mill.md": "Margot Vale was the Heron. Ann Reed had her arrested.\n",
}


@pytest.fixture
def whole(read_vault: ReadVault) -> Session:
    return read_vault(PEOPLE | CHAPTERS)


def names(session: Session, as_of: int | None) -> dict[str, int]:
    """Return the entities that a reader knows, with their mentions."""
    answer = session.call("list_entities", {"as_of": as_of}).model_dump()
    return {entity["name"]: entity["mention_count"] for entity in answer["entities"]}


def killers(session: Session, as_of: int | None) -> set[str]:
    answer = session.call("get_entity", {"entity": "Bob Tull", "as_of": as_of}).model_dump()
    return {each["other"]["name"] for each in answer["entity"]["relations"]}


def test_a_mask_is_somebody_of_its_own_until_the_reader_learns_who_wears_it(
    whole: Session,
) -> None:
    assert names(whole, 3) == {"Ann Reed": 3, "Bob Tull": 2, "Heron": 5, "Margot Vale": 3}
    assert names(whole, 4) == {"Ann Reed": 4, "Bob Tull": 2, "Margot Vale": 11}
    assert [killers(whole, position) for position in (2, 3, 4, None)] == [
        {"Heron"},
        {"Heron"},
        {"Margot Vale"},
        {"Margot Vale"},
    ]


def test_the_mask_is_found_under_whom_it_turned_out_to_be(whole: Session) -> None:
    found = [
        whole.call("get_entity", {"entity": "Heron", "as_of": position}).model_dump()["entity"]
        for position in (3, 4, None)
    ]
    assert [entity["name"] for entity in found] == ["Heron", "Margot Vale", "Margot Vale"]


def test_a_history_says_so_where_it_comes_out(whole: Session) -> None:
    answer = whole.call("get_entity_history", {"entity": "Lady Vale"}).model_dump()
    assert [(change["since"], change["text"]) for change in answer["changes"]] == [
        (1, "first appears, as Lady Vale"),
        (1, "is called Margot Vale"),
        (4, "is called Heron"),
        (4, "killed Bob Tull"),
        (4, "more is told in the section The mask"),
    ]


def questions(position: int) -> Iterator[tuple[str, dict[str, Any]]]:
    as_of: dict[str, Any] = {"as_of": position}
    yield "list_entities", as_of
    yield "extract_entities", as_of | {"text": "The Heron met Lady Vale, or Margot, at the mill."}
    yield "find_communities", as_of | {"min_size": 1}
    yield "get_entity_graph", as_of | {"min_relation_score": 0, "include_counts": True}
    for query in ("Heron", "Lady Vale", "Who is the Heron?", "Heron and Lady Vale", "mask"):
        yield "search", as_of | {"query": query, "include_content": True}
        yield "reason_over_entities", as_of | {"query": query}
    for name in ("Heron", "Lady Vale", "Margot Vale", "Bob Tull"):
        yield "get_entity", as_of | {"entity": name}
        yield "find_mentions", as_of | {"entity": name}
        yield "search_by_entities", as_of | {"entities": [name], "min_score": 0.0}
        yield "get_entity_history", as_of | {"entity": name}
        yield "analyze_entity_evolution", as_of | {"entity": name}
        yield "get_entity_graph", as_of | {"center_entity": name}
        yield "get_relationship_timeline", as_of | {"entity": name}
        yield "find_related_notes", as_of | {"note": name}
        yield "find_paths", as_of | {"entities": [name, "Ann Reed"]}


def test_before_that_nothing_knows_who_it_is(
    write_vault: WriteVault, open_vault: OpenVault, tmp_path: Path
) -> None:
    """Each answer is that of a vault in which the revealing chapter is not written."""
    last = "Book/04 - The mill.md"
    root = write_vault(PEOPLE | {path: CHAPTERS[path] for path in CHAPTERS if path != last})
    session = open_vault(root)
    session.call("sync", {})
    asked = [each for position in (1, 2, 3) for each in questions(position)]
    before = [Ids(session).name(ask(session, name, **given)) for name, given in asked]
    (root / last).write_text(CHAPTERS[last])
    session.call("sync", {})
    assert names(session, 4)["Margot Vale"] == 11
    for (name, given), expected in zip(asked, before, strict=True):
        assert Ids(session).name(ask(session, name, **given)) == expected, (name, given)


def test_an_alias_in_a_field_holds_always_where_no_section_says_otherwise(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    sheet = "---\ntype: person\n---\naliases:: Lady Vale, Marge\n"
    notes = {"People/Margot Vale.md": sheet, "Book/01.md": "Marge met Lady Vale."}
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    assert names(session, 1) == {"Lady Vale": 2}


def test_moving_the_claim_moves_the_name(write_vault: WriteVault, open_vault: OpenVault) -> None:
    root = write_vault(PEOPLE | CHAPTERS)
    session = open_vault(root)
    session.call("sync", {})
    (root / "People/Margot Vale.md").write_text(MARGOT.replace("[[04 - The mill]]", "3"))
    session.call("sync", {})
    assert [killers(session, position) for position in (2, 3)] == [{"Heron"}, {"Margot Vale"}]
    (root / "People/Margot Vale.md").write_text(MARGOT.replace("[[04 - The mill]]", "99"))
    session.call("sync", {})
    assert [killers(session, position) for position in (4, None)] == [{"Heron"}, {"Margot Vale"}]


def test_a_link_in_a_note_beside_the_manuscript_does_not_give_the_name_away(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    """What a hidden note calls her in a link is her name from where the section says so."""
    crew = {"Items/Crew.md": "---\ntype: item\ncrew: '[[Margot Vale|Heron]]'\n---\n"}
    session = open_vault(write_vault(PEOPLE | CHAPTERS | crew))
    session.call("sync", {})
    assert names(session, 3) == {"Ann Reed": 3, "Bob Tull": 2, "Heron": 5, "Margot Vale": 3}
    assert names(session, 4) == {"Ann Reed": 4, "Bob Tull": 2, "Margot Vale": 11}


def test_nor_does_one_by_a_part_of_the_name(write_vault: WriteVault, open_vault: OpenVault) -> None:
    mask = "\n## Mask\n\nvisible_from:: 3\nalias:: Kit Marlow\n"
    notes = {
        "People/Christopher Sallis.md": f"---\ntype: person\n---\n{mask}",
        "People/Ann Reed.md": "---\ntype: person\n---\nKnows [[Christopher Sallis|Kit]].\n",
        "Book/01.md": "Christopher Sallis wrote home.\n",
        "Book/02.md": "Ann Reed saw Kit. Christopher wrote again.\n",
        "Book/03.md": "Kit Marlow was Christopher Sallis.\n",
    }
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    assert names(session, 2) == {"Ann Reed": 1, "Christopher Sallis": 2}
    assert names(session, 3) == {"Ann Reed": 1, "Christopher Sallis": 6}  # one in the section


MASKED = {
    "Cast/Aldous.md": "---\ntype: person\naliases: [the Stranger]\n---\nA prince.\n",
    **{
        f"Cast/{name}.md": "---\ntype: person\naliases: [Captain]\n---\n"
        for name in ("Berit", "Corvin")
    },
    "Book/01.md": "Berit met Corvin. The Captain sang.\n\n[[the Stranger]] went.\n",
    "Book/02.md": "The Stranger was Aldous. Corvin slept. Corvin woke. Corvin ate.\n",
}


def test_neither_what_is_told_later_nor_a_hidden_name_decides_an_order(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(MASKED))
    session.call("sync", {})
    for order in ("mentions", "name", "first"):
        listed = ask(session, "list_entities", order=order, as_of=1)["entities"]
        assert [one["name"] for one in listed] == ["Berit", "Corvin", "the Stranger"]
    for position, first in ((1, "Berit"), (2, "Corvin")):
        meant = ask(session, "get_entity", entity="Captain", as_of=position)["candidates"]
        assert meant[0]["entity"]["name"] == first


def test_whose_alias_a_link_leads_to_is_not_said_before_the_name_is_met(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(MASKED))
    session.call("sync", {})
    assert "Aldous" not in session.call("doctor", {"as_of": 1, "severity": "info"}).as_text()
    assert "an alias of 'Aldous'" in session.call("doctor", {"as_of": 2}).as_text()


def test_a_name_is_met_where_a_link_spells_it_in_another_way(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    places = {"Places/fenwick.md": "# Fenwick\n\nA town.\n", "People/Ann Reed.md": "A smith.\n"}
    chapters = {
        "01 - Dawn.md": "---\nchapter: 1\n---\nAnn Reed left [[fenwick]] at dawn.\n",
        "02 - Dusk.md": "---\nchapter: 2\n---\nAnn Reed came back to [[fenwick]].\n",
        "03 - Night.md": "---\nchapter: 3\n---\nFenwick slept.\n",
    }
    session = open_vault(write_vault(places | chapters))
    session.call("sync", {})
    found = session.call("get_entity", {"entity": "Fenwick", "as_of": 1}).model_dump()
    assert found["entity"]["name"] == "Fenwick"
    asked = {"query": "Ann Reed", "as_of": 2}
    answer = session.call("reason_over_entities", asked).model_dump()
    assert [one["path"] for one in answer["results"]] == ["01 - Dawn.md", "02 - Dusk.md"]
