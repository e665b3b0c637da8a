"""Passages are found by their words, whatever the query looks like."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from writeros_entities import RequestError
from writeros_entities.session import Session

from .asking import MOON, ONE, SEANCE, THREE, TWO, found, search

OpenVault = Callable[..., Session]
WriteVault = Callable[[dict[str, str]], Path]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("gulls", [TWO, "Characters/Bo Finch.md", ONE]),
        ("screaming", [ONE]),
        ("walks", [ONE, SEANCE]),
        ("sing come", [THREE, SEANCE]),
        ("quay vessel", [ONE, THREE]),
        ('"out of the fog"', [THREE]),
        ('"fog the of out"', []),
        ("scr*", [ONE]),
        ("feathers", [TWO]),
        ("CAFE", [SEANCE]),
        ("café", [SEANCE]),
        ("naive", [SEANCE]),
        ("明月", [MOON]),
        ("生明月", [MOON]),
        ("zeppelin", []),
    ],
)
def test_text_is_found_by_its_words(harbour: Session, query: str, expected: list[str]) -> None:
    assert found(harbour, query, mode="text") == expected


WENT = "{} went on all that evening, and the roofs of the harbour town were loud with it."
HID = "She hid the key in the {}, below the third board from the wall, where nobody ever looked."
ATE = (
    "Then supper was laid for eleven, with two lamps on the table, and for once nobody sang at all."
)


@pytest.mark.parametrize("mode", ["text", "hybrid"])
def test_words_that_are_told_passages_apart_find_the_one_where_they_are_nearest(
    write_vault: WriteVault, open_vault: OpenVault, mode: str
) -> None:
    paragraphs = {"1.md": ("Rain", "well"), "2.md": ("Thunder", "loft")}
    notes = {
        path: f"{WENT.format(noise)}\n\n{HID.format(place)}\n\n{ATE}\n"
        for path, (noise, place) in paragraphs.items()
    }
    session = open_vault(write_vault(notes), chunk_target=20, chunk_limit=40)
    session.call("sync", {})
    answer = search(session, "key thunder", mode=mode, trace=True, every_passage=True)
    assert [(one["path"], one["line"]) for one in answer["passages"]] == [
        ("2.md", 1),
        ("2.md", 3),
        ("1.md", 3),
    ]
    reasons = answer["passages"][1]["trace"][0]["reasons"]
    assert [reason.rpartition(" ")[0] for reason in reasons] == ["key", "thunder nearby"]


def test_words_count_for_two_passages_around_them_in_their_note_alone(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    hid = [HID.format(place) for place in ("well", "loft", "barn", "hall", "crypt", "tower")]
    first = "\n\n".join([*hid[:3], WENT.format("Thunder"), *hid[3:], WENT.format("Thunder")])
    notes = {"1.md": first, "2.md": hid[0]}
    session = open_vault(write_vault(notes), chunk_target=20, chunk_limit=40)
    session.call("sync", {})
    answer = search(session, "key thunder", mode="text", trace=True, every_passage=True)
    beside = {
        (one["path"], one["line"])
        for one in answer["passages"]
        for reason in one["trace"][0]["reasons"]
        if reason.startswith("thunder nearby")
    }
    assert len(answer["passages"]) == 9
    assert beside == {("1.md", line) for line in (3, 5, 9, 11, 13)}


def test_a_word_finds_its_other_forms(write_vault: WriteVault, open_vault: OpenVault) -> None:
    notes = {"1.md": "A ferry came.", "2.md": "He died.", "3.md": "A movie.", "4.md": "A hero."}
    session = open_vault(write_vault(notes | {"5.md": "O'Dara, unheard."}))
    session.call("sync", {})
    for number, query in enumerate(("ferries", "dies", "movies", "heroes", "O'Dara's"), start=1):
        assert found(session, query, mode="text") == [f"{number}.md"]


def test_a_word_with_an_ending_is_no_form_of_a_word_that_tells_nothing(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault({"1.md": "A red herring.", "2.md": "Her hat is on her."}))
    session.call("sync", {})
    assert found(session, "herring", mode="text") == ["1.md"]


def test_words_that_tell_nothing_are_left_out_unless_there_are_no_others(harbour: Session) -> None:
    assert found(harbour, "who was at the quay", mode="text") == [ONE]
    assert found(harbour, "whose", mode="text") == [THREE]


@pytest.mark.parametrize(
    "query",
    [
        *(
            '"',
            "'",
            "*",
            "**",
            '""',
            "AND",
            "NOT gulls",
            "NEAR(",
            "gulls OR",
            "text:gulls",
            "^gulls",
        ),
        *("-gulls", "gulls)", "(", "{heading}: x", "a\x00b", "%", "_", ";", "\\", "\u202e", "🜁"),
    ],
)
def test_no_query_is_syntax(harbour: Session, query: str) -> None:
    for mode in ("text", "hybrid"):
        assert "gulls" not in query or TWO in found(harbour, query, mode=mode)


@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(query=st.text(min_size=1, max_size=40))
@example(query="0\x1b1\U0002c709Ù")
def test_any_text_can_be_searched_for(meaning: Session, query: str) -> None:
    answer = search(meaning, query, limit=3, trace=True)
    assert len(answer["passages"]) <= 3
    assert all(0 <= passage["score"] <= 1 for passage in answer["passages"])


def test_an_empty_query_is_refused_and_a_blank_one_finds_nothing(harbour: Session) -> None:
    with pytest.raises(RequestError, match="query"):
        search(harbour, "")
    assert found(harbour, " \n ") == []


def test_a_huge_query_is_answered(meaning: Session) -> None:
    chance = random.Random(7)
    words = " ".join("".join(chance.choices("abcdefghij", k=6)) for _ in range(1_300))
    assert TWO in found(meaning, f"gulls {words}")
    with pytest.raises(RequestError, match="10000"):
        search(meaning, "x" * 10_001)


def test_a_word_in_the_form_asked_for_comes_before_its_other_forms(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = {"1.md": "They run, and run, and run.", "2.md": "She ran.", "3.md": "He was running."}
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    assert found(session, "running")[0] == "3.md"
    assert found(session, "ran")[0] == "2.md"
