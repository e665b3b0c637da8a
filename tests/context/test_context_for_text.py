"""`context_for_text`: whom a passage speaks of, told apart by its scene, and their context."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from writeros_entities import Lexicon, Mention, Note, Session, Settings, hookimpl
from writeros_entities.errors import NotFoundError
from writeros_entities.plugins import load_plugins

from .conftest import KEEPERS, PERSON

Shared = Callable[..., Session]

WRENS = {
    "Characters/Tobias Wren.md": PERSON + "Tobias Wren tends the light.\n",
    "Characters/Mara Wren.md": PERSON + "Mara Wren sells rope.\n",
    "Manuscript/01.md": "---\ncharacters: [Mara Wren]\n---\nMara Wren came. Wren swept.\n",
    "Manuscript/02.md": "---\ncharacters: [Tobias Wren]\n---\nTobias Wren climbed. Wren coughed.\n",
}


def told(session: Session, text: str, **arguments: Any) -> dict[str, Any]:
    return session.call("context_for_text", {"text": text} | arguments).model_dump()


def names(answer: dict[str, Any]) -> list[str]:
    return [one["entity"]["name"] for one in answer["found"]]


def test_those_named_are_told_of_most_mentioned_first(shared: Shared) -> None:
    session = shared(KEEPERS)
    answer = told(session, "Bo Finch saw Nan. Ann Reed waved, and Zeb Ruck did not.")
    assert [
        (one["entity"]["name"], one["mentions"], one["surfaces"], one["is_told_of"])
        for one in answer["found"]
    ] == [("Ann Reed", 2, ["Nan", "Ann Reed"], True), ("Bo Finch", 1, ["Bo Finch"], True)]
    expected = session.call("build_context", {"entities": ["Ann Reed", "Bo Finch"]})
    assert answer["context"] == expected.model_dump()
    assert answer["diagnostics"] == []


def test_its_text_is_the_prompt(shared: Shared) -> None:
    session = shared(KEEPERS)
    asked = {"text": "Bo Finch!", "include": ["primary_source"], "max_tokens": 100}
    assert session.call("context_for_text", asked).as_text() == (
        "[Characters/Bo Finch.md:4]\nBo Finch counts gulls."
    )


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param({"note": "01"}, ["Mara Wren"], id="the scene of a note"),
        pytest.param({"note": "Manuscript/02.md"}, ["Tobias Wren"], id="the scene of another"),
        pytest.param({"as_of": 2}, ["Tobias Wren"], id="the chapter that is read"),
        pytest.param({}, ["Mara Wren", "Tobias Wren"], id="no scene"),
    ],
)
def test_the_scene_tells_who_is_meant(
    shared: Shared, arguments: dict[str, Any], expected: list[str]
) -> None:
    answer = told(shared(WRENS), "Well, Wren?", **arguments)
    assert sorted(names(answer)) == expected


def test_two_who_fit_equally_well_are_both_told_of(shared: Shared) -> None:
    answer = told(shared(WRENS), "Well, Wren?")
    assert {
        one["entity"]["name"]: [other["entity"]["name"] for other in one["alternatives"]]
        for one in answer["found"]
    } == {"Mara Wren": ["Tobias Wren"], "Tobias Wren": ["Mara Wren"]}
    paths = {chunk["path"] for chunk in answer["context"]["chunks"]}
    assert {"Characters/Mara Wren.md", "Characters/Tobias Wren.md"} <= paths


def test_of_many_only_the_first_are_told_of(shared: Shared) -> None:
    answer = told(shared(KEEPERS), "Bo Finch, Ann Reed, Bo Finch.", max_entities=1)
    assert [(one["entity"]["name"], one["is_told_of"]) for one in answer["found"]] == [
        ("Bo Finch", True),
        ("Ann Reed", False),
    ]
    assert [one["name"] for one in answer["context"]["entities"]] == ["Bo Finch"]


def test_the_budget_holds_for_all_of_them_together(shared: Shared) -> None:
    answer = told(
        *(shared(KEEPERS), "Ann Reed and Bo Finch."),
        max_tokens=40,
        token_counter="characters",
    )
    context = answer["context"]
    assert 36 <= context["total_tokens"] <= 40
    assert [one["reason"] for one in context["omitted"]] == ["budget"]


def test_whom_a_reader_has_not_met_is_not_found(shared: Shared) -> None:
    session = shared(KEEPERS)
    assert names(told(session, "Ann Reed and Bo Finch.", as_of=1)) == ["Ann Reed"]
    assert names(told(session, "Ann Reed and Bo Finch.", as_of=2)) == ["Ann Reed", "Bo Finch"]


def test_a_text_that_names_nobody_has_an_empty_context(shared: Shared) -> None:
    answer = told(shared(KEEPERS), "It rained.")
    assert answer["found"] == []
    assert (answer["context"]["chunks"], answer["context"]["total_tokens"]) == ([], 0)


def test_a_scene_that_does_not_exist_is_said(shared: Shared) -> None:
    with pytest.raises(NotFoundError, match="Chapter 99"):
        told(shared(KEEPERS), "Ann Reed.", note="Chapter 99")


class Blind:
    @hookimpl
    def detect_entities(self, note: Note, lexicon: Lexicon) -> Iterable[Mention]:
        if "fog" in note.text:
            raise ValueError("cannot see")
        return []


def test_a_plugin_that_fails_over_the_text_is_told_of(shared: Shared) -> None:
    session = shared(KEEPERS, plugins=load_plugins(Settings(), {"blind": Blind()}))
    answer = told(session, "Ann Reed in the fog.")
    assert names(answer) == ["Ann Reed"]
    assert ["cannot see" in one["message"] for one in answer["diagnostics"]] == [True]
