"""What a context holds: who it is, what binds them to others, where they are told of; and why."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities import Session
from writeros_entities.errors import AmbiguousNameError, NotFoundError, RequestError

from .conftest import KEEPERS, PERSON

Asker = Callable[..., Callable[..., dict[str, Any]]]
Shared = Callable[..., Session]

SIBLINGS = (
    *("Bo Finch", "Cy Marsh", "Di Holt", "Ed Lark", "Fay Moss", "Gus Penn", "Hal Rook"),
    *("Ivy Stone", "Jo Tarn", "Kit Vale", "Lou Ward"),
)


def shown(answer: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(chunk["tier"], chunk["path"], chunk["why"]) for chunk in answer["chunks"]]


def texts(answer: dict[str, Any]) -> list[str]:
    return [chunk["text"] for chunk in answer["chunks"]]


def test_who_it_is_comes_first_then_relations_then_mentions(ask: Asker) -> None:
    answer = ask(KEEPERS)("Nan")
    assert shown(answer) == [
        ("primary_source", "Characters/Ann Reed.md", "the note of Ann Reed"),
        ("relationships", "Manuscript/02.md", "Ann Reed is a sibling of Bo Finch"),
        ("mentions", "Manuscript/03.md", "3 mentions of Ann Reed"),
        ("mentions", "Manuscript/01.md", "1 mention of Ann Reed"),
        ("mentions", "Notes/Plan.md", "1 mention of Ann Reed"),
    ]
    assert answer["chunks_by_source"] == {"primary_source": 1, "relationships": 1, "mentions": 3}
    # 47, 92, 70, 67 and 49 characters with their headers, and two line ends between each: 333.
    assert [chunk["tokens"] for chunk in answer["chunks"]] == [12, 23, 18, 17, 13]
    assert (answer["total_tokens"], answer["budget_utilized"]) == (84, 0.021)
    assert (answer["omitted"], answer["next"]) == ([], [])


def test_the_text_is_the_prompt(shared: Shared) -> None:
    answer = shared(KEEPERS).call("build_context", {"entities": ["Bo Finch"]})
    assert answer.as_text() == (
        "[Characters/Bo Finch.md:4]\nBo Finch counts gulls.\n\n"
        "[Manuscript/02.md:1]\n"
        "It rained. Ann Reed, sister of Bo Finch, stayed at home. The roof held.\n\n"
        "[Manuscript/03.md:1]\nNan said nothing. Nan and Bo Finch and Nan again."
    )


@pytest.mark.parametrize(
    ("tiers", "expected"),
    [
        (["primary_source"], ["Characters/Ann Reed.md"]),
        (["relationships"], ["Manuscript/02.md"]),
        (
            ["mentions"],
            [
                *("Manuscript/03.md", "Manuscript/02.md", "Characters/Ann Reed.md"),
                *("Manuscript/01.md", "Notes/Plan.md"),
            ],
        ),
    ],
)
def test_only_the_tiers_asked_for_are_there(
    ask: Asker, tiers: list[str], expected: list[str]
) -> None:
    answer = ask(KEEPERS)("Ann Reed", include=tiers)
    assert sorted(chunk["path"] for chunk in answer["chunks"]) == sorted(expected)
    assert answer["chunks_by_source"] == {tiers[0]: len(expected)}


def test_a_chunk_of_two_tiers_is_there_once(ask: Asker) -> None:
    sheet = PERSON + "Ann Reed, sister of Bo Finch, mends nets.\n"
    answer = ask(KEEPERS | {"Characters/Ann Reed.md": sheet})("Ann Reed", max_tokens=200)
    paths = [chunk["path"] for chunk in answer["chunks"]]
    assert len(paths) == len(set(paths))
    assert shown(answer)[0][:2] == ("primary_source", "Characters/Ann Reed.md")


def test_somebody_without_a_note_is_introduced_by_the_first_mention(ask: Asker) -> None:
    answer = ask(KEEPERS | {"Manuscript/02.md": "[[Cy Marsh]] rows.\n"})("Cy Marsh")
    assert shown(answer) == [("primary_source", "Manuscript/02.md", "introduces Cy Marsh")]


def test_ten_relations_are_told_the_strongest_first(ask: Asker) -> None:
    told = dict(enumerate([*SIBLINGS, SIBLINGS[-1]], 1))
    answer = ask(
        {f"Characters/{name}.md": PERSON for name in ("Ann Reed", *SIBLINGS)}
        | {
            f"Manuscript/{at:02}.md": f"Ann Reed, sister of {name}, came by at {at}.\n"
            for at, name in told.items()
        }
    )("Ann Reed", include=["relationships"])
    assert [why for _, _, why in shown(answer)] == [
        "Ann Reed is a sibling of Lou Ward",
        *(f"Ann Reed is a sibling of {name}" for name in SIBLINGS[:9]),
    ]


def test_two_of_one_name_are_two_relations(ask: Asker) -> None:
    answer = ask(
        {
            "Characters/Ann Reed.md": PERSON,
            "Characters/Bo.md": PERSON + "serves:: [[Ann Reed]]\n",
            "Crew/Bo.md": PERSON + "serves:: [[Ann Reed]]\n\nBo is the other one.\n",
        }
    )("Ann Reed", include=["relationships"])
    assert [path for _, path, _ in shown(answer)] == ["Characters/Bo.md", "Crew/Bo.md"]


def test_a_death_is_told_among_the_relations(ask: Asker) -> None:
    answer = ask(KEEPERS | {"Manuscript/04.md": "Bo Finch died in the night.\n"})("Bo Finch")
    assert ("relationships", "Manuscript/04.md", "Bo Finch: dead") in shown(answer)


def test_what_surrounds_a_mention_in_the_manuscript_comes_last(ask: Asker) -> None:
    dawn = "# Dawn\n\nAnn Reed woke before the bell, lit both of the lamps and swept the floor.\n\n"
    noon = "# Noon\n\nThe old woman rowed out to the wreck, alone, and came back with a cat.\n"
    answer = ask(
        {
            "Characters/Ann Reed.md": PERSON,
            "Manuscript/01.md": dawn + noon,
            "Notes/Plan.md": "Ann Reed leaves in the end.\n",
        },
        chunk_target=20,
        chunk_limit=40,
    )("Ann Reed")
    assert [(chunk["path"], chunk["heading"], chunk["why"]) for chunk in answer["chunks"]] == [
        ("Manuscript/01.md", "Dawn", "introduces Ann Reed"),
        ("Notes/Plan.md", "", "1 mention of Ann Reed"),
        ("Manuscript/01.md", "Noon", "beside a mention of Ann Reed"),
    ]


def test_offsets_and_lines_are_those_of_the_file(shared: Shared) -> None:
    session = shared(KEEPERS)
    chunks = session.call("build_context", {"entities": ["Ann Reed"]}).model_dump()["chunks"]
    for chunk in chunks:
        text = Path(session.root / chunk["path"]).read_bytes().decode()
        assert text[chunk["start"] : chunk["end"]] == chunk["text"]
        assert text.splitlines()[chunk["line"] - 1].startswith(chunk["text"])


def test_links_are_shown_as_their_words_and_comments_not_at_all(ask: Asker) -> None:
    sheet = PERSON + "Sister of [[Bo Finch|old Bo]]. %%She is the thief.%% Mends nets.\n"
    answer = ask(KEEPERS | {"Characters/Ann Reed.md": sheet})("Ann Reed")
    assert texts(answer)[0].replace("  ", " ") == "Sister of old Bo. Mends nets."


def test_what_a_reader_has_not_met_is_not_there(ask: Asker) -> None:
    asked = ask(KEEPERS)
    answer = asked("Ann Reed", as_of=1)
    assert shown(answer) == [("primary_source", "Manuscript/01.md", "introduces Ann Reed")]
    with pytest.raises(NotFoundError):
        asked("Bo Finch", as_of=1)


def test_several_entities_are_told_of_one_after_the_other(ask: Asker) -> None:
    answer = ask(KEEPERS)("Bo Finch", "Ann Reed", "Nan", include=["primary_source"])
    assert [entity["name"] for entity in answer["entities"]] == ["Bo Finch", "Ann Reed"]
    assert [chunk["path"] for chunk in answer["chunks"]] == [
        "Characters/Bo Finch.md",
        "Characters/Ann Reed.md",
    ]


def test_a_name_of_two_people_is_answered_with_both(ask: Asker) -> None:
    two = {f"{place}/Ann Reed.md": PERSON + f"Of {place}.\n" for place in ("East", "West")}
    with pytest.raises(AmbiguousNameError):
        ask(two)("Ann Reed")


@pytest.mark.parametrize(
    "arguments",
    [
        *({"max_tokens": 0}, {"max_tokens": -5}, {"max_tokens": 200_001}, {"include": []}),
        *({"include": ["rumours"]}, {"entities": []}, {"as_of": "No such chapter"}),
    ],
)
def test_what_cannot_be_asked_is_said(ask: Asker, arguments: dict[str, Any]) -> None:
    with pytest.raises((RequestError, NotFoundError)):
        ask(KEEPERS)("Ann Reed", **arguments)
