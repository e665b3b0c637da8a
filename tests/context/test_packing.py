"""How passages are packed: windows around mentions, duplicates once, shares, and what is left out.

A token is four characters; the line above a passage of `Manuscript/01.md` takes 21.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from writeros_entities import Session

from ..models import WordModel, with_model
from .conftest import KEEPERS, PERSON

Asker = Callable[..., Callable[..., dict[str, Any]]]
Synced = Callable[..., Session]

YARD = {
    "Characters/Ann Reed.md": PERSON,
    "Manuscript/01.md": (
        "The nets hung in the yard. Rain fell on the slates all night. A cart stood in the lane. "
        "Ann Reed never sang at work. The gulls did that for her. Smoke rose from the kilns. "
        "Nobody asked the price of salt. The bell rang for noon.\n"
    ),
}
"""One chunk with one mention, in its fourth sentence: characters 88 to 116."""


@pytest.mark.parametrize(
    ("budget", "text", "start", "end"),
    [
        pytest.param(10, "… Ann Reed never …", 88, 102, id="words"),
        pytest.param(14, "… Ann Reed never sang at work. …", 88, 116, id="the sentence"),
        # The next does not fit, and 14 of 19 would be less than nine tenths.
        pytest.param(
            *(19, "… in the lane. Ann Reed never sang at work. The gulls …", 75, 126),
            id="the sentence and words",
        ),
        pytest.param(
            *(20, "… A cart stood in the lane. Ann Reed never sang at work. …", 62, 116),
            id="the sentence before",
        ),
        pytest.param(
            *(21, "… Ann Reed never sang at work. The gulls did that for her. …", 88, 144),
            id="two sentences",
        ),
    ],
)
def test_an_oversized_chunk_is_windowed_around_its_mention(
    ask: Asker, budget: int, text: str, start: int, end: int
) -> None:
    answer = ask(YARD)("Ann Reed", max_tokens=budget)
    (chunk,) = answer["chunks"]
    assert (chunk["text"], chunk["start"], chunk["end"]) == (text, start, end)
    assert (chunk["tier"], chunk["is_cut"]) == ("primary_source", True)
    assert (answer["total_tokens"], answer["budget_utilized"]) == (budget, 1.0)
    assert [(one["path"], one["tokens"]) for one in answer["next"]] == [("Manuscript/01.md", 62)]


def test_what_fits_is_whole(ask: Asker) -> None:
    # 227 characters and the line above: 248.
    (chunk,) = ask(YARD)("Ann Reed", max_tokens=62)["chunks"]
    assert (chunk["tokens"], chunk["is_cut"], chunk["start"], chunk["end"]) == (62, False, 0, 227)


def test_where_nothing_fits_the_answer_says_what_would(ask: Asker) -> None:
    answer = ask(YARD)("Ann Reed", max_tokens=5)
    assert (answer["chunks"], answer["total_tokens"]) == ([], 0)
    assert [(one["reason"], one["chunks"]) for one in answer["omitted"]] == [("budget", 1)]
    assert [(one["path"], one["tier"]) for one in answer["next"]] == [
        ("Manuscript/01.md", "primary_source")
    ]


def test_of_a_relation_the_sentence_that_states_it_comes_first(ask: Asker) -> None:
    answer = ask(KEEPERS)("Ann Reed", max_tokens=31, include=["primary_source", "relationships"])
    assert [chunk["text"] for chunk in answer["chunks"]] == [
        "Ann Reed mends nets.",
        "… Ann Reed, sister of Bo Finch, stayed at home. …",
    ]


def test_what_is_left_out_and_what_comes_next_is_said(ask: Asker) -> None:
    # 12 and 23 tokens are there, 18, 17 and 13 are not; a window of the first of these is.
    answer = ask(KEEPERS)("Ann Reed", max_tokens=46)
    assert [chunk["text"] for chunk in answer["chunks"]] == [
        "Ann Reed mends nets.",
        "It rained. Ann Reed, sister of Bo Finch, stayed at home. The roof held.",
        "Nan said nothing. …",
    ]
    assert [(one["reason"], one["chunks"]) for one in answer["omitted"]] == [("budget", 2)]
    assert [(one["path"], one["tokens"], one["why"]) for one in answer["next"]] == [
        ("Manuscript/03.md", 18, "3 mentions of Ann Reed"),
        ("Manuscript/01.md", 17, "1 mention of Ann Reed"),
        ("Notes/Plan.md", 13, "1 mention of Ann Reed"),
    ]


LAMP = "Ann Reed mended the net by the light of the lamp while the rain fell on the"


def test_passages_that_say_nearly_the_same_are_there_once(ask: Asker) -> None:
    # Fifteen shingles each, fourteen of them shared: a resemblance of 14 / 16.
    answer = ask(
        {
            "Characters/Ann Reed.md": PERSON,
            "Manuscript/01.md": f"{LAMP} roof.\n",
            "Manuscript/02.md": f"{LAMP} slates.\n",
            "Manuscript/03.md": "Ann Reed rowed out.\n",
            "Notes/Copy.md": f"{LAMP} roof.\n",
        }
    )("Ann Reed", strategy="narrative")
    assert [chunk["path"] for chunk in answer["chunks"]] == ["Manuscript/01.md", "Manuscript/03.md"]
    assert [(one["reason"], one["chunks"]) for one in answer["omitted"]] == [("near_duplicate", 2)]


GUARD = "{} is a city guard of Vantry, walks the wall at night, and takes small bribes there.\n"


@pytest.mark.parametrize("sheet", [GUARD, GUARD.replace("{}", "He")])
def test_what_is_said_of_one_person_in_the_same_words_is_said_of_the_other_too(
    ask: Asker, sheet: str
) -> None:
    people = ("Karl Weiss", "Max Stern", "Otto Brand")
    sheets = {f"Characters/{name}.md": f"{PERSON}{sheet.format(name)}" for name in people}
    copy = {"Notes/Otto again.md": f"[[Otto Brand]]\n\n{GUARD.format('Otto Brand')}"}
    answer = ask(sheets | copy)("Otto Brand", "Karl Weiss", "Max Stern", max_tokens=1_000)
    paths = [chunk["path"] for chunk in answer["chunks"]]
    assert {*sheets} <= {*paths}
    assert len(set(paths)) == len(paths)


@pytest.mark.parametrize("has_vectors", [False, True])
def test_vectors_know_near_duplicates_by_other_words_in_a_row(
    synced: Synced, has_vectors: bool
) -> None:
    session = synced(
        {
            "Characters/Ann Reed.md": PERSON,
            "Manuscript/01.md": "Ann Reed mended nets and sang songs.\n",
            "Manuscript/02.md": "Songs sang Ann Reed, and nets mended.\n",
        },
        **(with_model(WordModel()) if has_vectors else {}),
    )
    answer = session.call("build_context", {"entities": ["Ann Reed"]}).model_dump()
    expected = ["Manuscript/01.md", "Manuscript/02.md"]
    assert [chunk["path"] for chunk in answer["chunks"]] == expected[: 1 if has_vectors else 2]


def told_of(name: str, chapters: range) -> dict[str, str]:
    """Return chapters that mention somebody, of 79 characters: with the line above, 25 tokens."""
    words = [
        "tar",
        "rope",
        "salt",
        "fish",
        "lamp",
        "door",
        "rain",
        "wind",
        "sail",
        "bell",
        "cart",
        "coal",
        "wood",
        "iron",
        "wool",
        "corn",
    ]
    notes = {}
    for chapter in chapters:
        said = " ".join(random.Random(chapter).choices(words, k=20))
        notes[f"Manuscript/{chapter:02}.md"] = f"{name} had {said}"[:78] + ".\n"
    return notes


@pytest.mark.parametrize(
    ("of_ann", "of_bo", "expected"),
    [
        # Importance 8/18 and 4/14, so 61 % and 39 % of 260: 158 and 102 tokens.
        pytest.param(8, 4, (6, 4), id="by importance"),
        # Importance 12/22 and 1/11, so 86 % and 14 %; Bo has no more to say than 25.
        pytest.param(12, 1, (9, 1), id="what is left over goes to the other"),
    ],
)
def test_each_entity_has_its_share(
    ask: Asker, of_ann: int, of_bo: int, expected: tuple[int, int]
) -> None:
    notes = {"Characters/Ann Reed.md": PERSON, "Characters/Bo Finch.md": PERSON}
    notes |= told_of("Ann Reed", range(1, of_ann + 1))
    notes |= told_of("Bo Finch", range(20, 20 + of_bo))
    answer = ask(notes)("Bo Finch", "Ann Reed", max_tokens=260, include=["mentions"])
    told = [chunk["text"][:8] for chunk in answer["chunks"]]
    assert (told.count("Ann Reed"), told.count("Bo Finch")) == expected
    # Ten of 100 characters, two line ends between each.
    assert answer["total_tokens"] == 255


def test_the_counter_that_is_asked_for_counts(shared: Synced) -> None:
    session = shared(KEEPERS)
    asked = {"entities": ["Bo Finch"], "include": ["primary_source"]}
    tokens = [
        session.call("build_context", asked | {"token_counter": counter}).model_dump()
        for counter in ("characters", "words")
    ]
    # `[Characters/Bo Finch.md:4]` and `Bo Finch counts gulls.`: 49 characters; 11 and 5 pieces
    # of words and marks ("Characters" is two), times 1.1.
    assert [answer["total_tokens"] for answer in tokens] == [13, 18]
