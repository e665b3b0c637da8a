"""What begins, ends and begins again between two is told each time, and stands in every graph."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from writeros_entities.session import Session

from ..conftest import OpenVault, ReadVault

pytestmark = pytest.mark.usefixtures("closely")

WriteVault = Callable[[dict[str, str]], Path]

PEOPLE = {
    "Ann.md": "---\ntype: person\n---\n",
    "Bob.md": "---\ntype: person\n---\n",
    "Marlow.md": "---\ntype: faction\n---\n",
    "Guild.md": "---\ntype: faction\n---\n",
}


def chapters(*texts: str) -> dict[str, str]:
    return {f"{at}.md": f"---\nchapter: {at}\n---\n{text}\n" for at, text in enumerate(texts, 1)}


MARRIED = "Ann married Bob."
DIVORCED = "Ann divorced Bob."
RAIN = "Ann saw Bob in the rain."
ALLIED = "Marlow is allied with Guild."
HOSTILE = "Marlow is the enemy of Guild."


def history(session: Session, entity: str, as_of: int | None = None) -> list[tuple[int, str]]:
    """Return what begins and ends."""
    answer = session.call(
        "get_entity_history",
        {
            "entity": entity,
            "as_of": as_of,
            "kinds": ["relationship_added", "relationship_ended"],
        },
    ).model_dump()
    return [(change["since"], change["text"]) for change in answer["changes"]]


def over(session: Session, as_of: int | None) -> dict[str, bool]:
    """Return every stated relation of the graph, and whether it has ended."""
    answer = session.call(
        "get_entity_graph", {"origins": ["asserted"], "min_relation_score": 0, "as_of": as_of}
    ).model_dump()
    return {edge["relation"]: edge["has_ended"] for edge in answer["edges"]}


@pytest.fixture
def marriage(read_vault: ReadVault) -> Session:
    texts = (MARRIED, RAIN, DIVORCED, "Ann, once the wife of Bob, rose.", MARRIED, MARRIED, RAIN)
    return read_vault(PEOPLE | chapters(*texts))


def test_a_marriage_begins_again_after_its_end(marriage: Session) -> None:
    told = [
        (1, "is married to Bob"),
        (3, "ends: is married to Bob"),
        (5, "is married to Bob"),
    ]
    assert history(marriage, "Ann") == told
    assert history(marriage, "Bob") == [(at, text.replace("Bob", "Ann")) for at, text in told]
    assert [history(marriage, "Ann", as_of) for as_of in (1, 2, 3, 4, 5)] == [
        *(told[:1], told[:1], told[:2], told[:2], told[:3])
    ]


def test_the_graph_says_what_is_over_as_of_each_chapter(marriage: Session) -> None:
    assert [over(marriage, as_of)["spouse_of"] for as_of in (1, 2, 3, 4, 5, 6, None)] == [
        *(False, False, True, True, False, False, False)
    ]


def test_the_sheet_says_so_too(marriage: Session) -> None:
    for as_of, ended in ((2, False), (4, True), (5, False)):
        answer = marriage.call("get_entity", {"entity": "Ann", "as_of": as_of})
        [relation] = answer.model_dump()["entity"]["relations"]
        assert relation["has_ended"] is ended
        assert ("- is married to Bob, no longer (" in answer.as_text()) is ended


def test_a_timeline_counts_what_is_not_over(marriage: Session) -> None:
    answer = marriage.call("get_relationship_timeline", {"entity": "Ann", "other": "Bob"})
    points = answer.model_dump()["points"]
    assert [point["asserted"] > 0 for point in points] == [
        *(True, True, False, False, True, True, True)
    ]
    [stated] = [
        each for each in answer.model_dump()["relationships"] if each["relation"] == "spouse_of"
    ]
    assert (stated["has_ended"], stated["first_position"], stated["last_position"]) == (False, 1, 6)
    earlier = marriage.call(
        "get_relationship_timeline", {"entity": "Ann", "other": "Bob", "as_of": 4}
    )
    assert [point["asserted"] for point in earlier.model_dump()["points"]] == [
        point["asserted"] for point in points[:4]
    ]
    assert [each["has_ended"] for each in earlier.model_dump()["relationships"]] == [True, False]


def test_a_statement_that_is_over_is_not_valid_until_it_holds_again(marriage: Session) -> None:
    for as_of, verdict, reasons in (
        (2, "valid", ["The vault asserts it."]),
        (4, "unlikely", ["The vault asserts what contradicts it.", "Spouse_of is over."]),
        (5, "valid", ["The vault asserts it."]),
    ):
        asked = {"subject": "Bob", "predicate": "spouse_of", "object": "Ann", "as_of": as_of}
        answer = marriage.call("validate_knowledge", asked).model_dump()
        assert (answer["validation"], answer["reasons"]) == (verdict, reasons)
        quotes = [proof["quote"] for proof in answer["contradicting"]]
        assert (DIVORCED[:-1] in quotes) is (as_of == 4)


def test_whoever_is_asked_for_by_a_relation_that_is_over_is_said_to_have_been(
    marriage: Session,
) -> None:
    for as_of, ended in ((2, False), (4, True), (5, False)):
        related = marriage.call(
            "find_related_entities", {"entity": "Ann", "relation": "spouse_of", "as_of": as_of}
        )
        first = related.model_dump()["related_entities"][0]
        assert (first["entity"]["name"], first["has_ended"]) == ("Bob", ended)
        assert related.as_text().startswith("- Bob (person), asserted, no longer, ") is ended
        inferred = marriage.call(
            "infer_relationship", {"head_entity": "Bob", "tail_entity": "Ann", "as_of": as_of}
        )
        first = inferred.model_dump()["inferred_relations"][0]
        assert (first["relation"], first["has_ended"]) == ("spouse_of", ended)
        assert ("(asserted, no longer, score" in inferred.as_text()) is ended


def test_what_is_over_contradicts_nothing(write_vault: WriteVault, open_vault: OpenVault) -> None:
    session = open_vault(write_vault(PEOPLE | chapters(ALLIED, HOSTILE, ALLIED)))
    session.call("sync", {})
    for predicate, verdicts in (
        ("ally_of", ["valid", "unlikely", "valid"]),
        ("enemy_of", ["unlikely", "valid", "unlikely"]),
    ):
        asked = {"subject": "Marlow", "predicate": predicate, "object": "Guild"}
        assert [
            session.call("validate_knowledge", asked | {"as_of": at}).model_dump()["validation"]
            for at in (1, 2, 3)
        ] == verdicts


def test_allies_who_became_enemies_are_allies_again(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(PEOPLE | chapters(ALLIED, HOSTILE, HOSTILE, ALLIED, HOSTILE)))
    session.call("sync", {})
    assert history(session, "Marlow") == [
        (1, "is an ally of Guild"),
        (2, "is an enemy of Guild"),
        (2, "ends: is an ally of Guild"),
        (4, "is an ally of Guild"),
        (4, "ends: is an enemy of Guild"),
        (5, "is an enemy of Guild"),
        (5, "ends: is an ally of Guild"),
    ]
    assert [over(session, as_of) for as_of in (1, 2, 3, 4, 5)] == [
        {"ally_of": False},
        *({"ally_of": True, "enemy_of": False},) * 2,
        {"ally_of": False, "enemy_of": True},
        {"ally_of": True, "enemy_of": False},
    ]


def test_whoever_betrays_whom_ends_an_alliance(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    texts = ("Ann is allied with Bob.", "Bob betrayed Ann.", "Ann betrayed Bob.")
    session = open_vault(write_vault(PEOPLE | chapters(*texts)))
    session.call("sync", {})
    assert history(session, "Ann") == [
        (1, "is an ally of Bob"),
        (2, "was betrayed by Bob"),
        (2, "ends: is an ally of Bob"),
        (3, "betrayed Bob"),
    ]


def test_an_end_is_taken_back_where_its_chapter_is(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault(PEOPLE | chapters(MARRIED, DIVORCED, MARRIED))
    session = open_vault(root)
    session.call("sync", {})
    assert len(history(session, "Ann")) == 3
    (root / "2.md").unlink()
    session.call("sync", {})
    assert history(session, "Ann") == [(1, "is married to Bob")]
    (root / "4.md").write_text("---\nchapter: 4\n---\nAnn divorced Bob.\n")
    session.call("sync", {})
    assert history(session, "Bob") == [(1, "is married to Ann"), (4, "ends: is married to Ann")]
    assert over(session, None) == {"spouse_of": True}


def test_a_status_may_return(write_vault: WriteVault, open_vault: OpenVault) -> None:
    texts = ("Bob was imprisoned.", "Bob was freed.", "Rain.", "Bob was imprisoned again.")
    session = open_vault(write_vault(PEOPLE | chapters(*texts)))
    session.call("sync", {})
    answer = session.call("get_entity_history", {"entity": "Bob", "kinds": ["status_changed"]})
    found = [(each["since"], each["text"]) for each in answer.model_dump()["changes"]]
    assert found == [
        (1, "imprisoned"),
        (2, "free (before: imprisoned)"),
        (4, "imprisoned (before: free)"),
    ]


def test_days_count_from_an_edit_that_was_synced_at_once(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault(PEOPLE | chapters(MARRIED))
    session = open_vault(root)
    session.call("sync", {})
    (root / "1.md").write_text("---\nchapter: 1\n---\nAnn married Bob in the rain.\n")
    session.call("sync", {})
    answer = session.call("get_relationship_timeline", {"entity": "Ann", "clock": "days"})
    assert {one["since_last"] for one in answer.model_dump()["relationships"]} == {0}


def test_what_a_note_beside_the_manuscript_only_calls_over_is_over(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    sheet = "---\ntype: person\n---\nAnn divorced Bob. Ann left the Guild.\n"
    vault = PEOPLE | chapters(RAIN) | {"Ann.md": sheet}
    root = write_vault(vault)
    session = open_vault(root)
    session.call("sync", {})
    assert over(session, None) == {"spouse_of": True, "member_of": True}
    told = session.call("get_entity", {"entity": "Bob"}).as_text()
    assert "- is married to Ann, no longer (Ann.md:4)" in told
    timeline = session.call("get_relationship_timeline", {"entity": "Ann", "other": "Bob"})
    assert [point["asserted"] for point in timeline.model_dump()["points"]] == [0.0]
    assert over(session, 1) == {}
    (root / "Bob.md").write_text('---\ntype: person\nwife: "[[Ann]]"\n---\n')
    session.call("sync", {})
    assert over(session, None) == {"spouse_of": False, "member_of": True}
