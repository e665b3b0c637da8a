"""A filter that names nothing known is an error that names what is, never an empty answer."""

from __future__ import annotations

from typing import Any

import pytest

from writeros_entities import NotFoundError, WriterosError
from writeros_entities.session import Session


@pytest.mark.parametrize(
    ("capability", "arguments", "message"),
    [
        ("list_entities", {"types": ["persn"]}, "entity type 'persn'. Did you mean 'person'"),
        ("search", {"query": "lamp", "note_types": ["fction"]}, "Did you mean 'faction'"),
        ("search_by_entities", {"entities": ["Toby"], "entity_types": ["persn"]}, "'person'"),
        ("get_entity_graph", {"entity_types": ["persn"]}, "'person'"),
        ("find_communities", {"entity_types": ["persn"]}, "'person'"),
        ("find_paths", {"entities": ["Toby", "Perrin"], "entity_types": ["persn"]}, "'person'"),
        (
            "find_related_entities",
            {"entity": "Toby", "relation": "ally_of", "entity_type": ["persn"]},
            "'person'",
        ),
        (
            "list_entities",
            {"types": ["qqqq"]},
            "Did you mean 'concept', 'event', 'faction', 'item', 'person' or 'place'",
        ),
        ("get_entity_graph", {"kinds": ["qqqq"]}, "Did you mean 'ally_of', 'based_in'"),
        (
            "search",
            {"query": "lamp", "below": "Manuscritp"},
            "note or folder 'Manuscritp'. Did you mean 'Manuscript'",
        ),
        ("find_mentions", {"entity": "Toby", "below": "Manuscritp"}, "'Manuscript'"),
        ("find_mentions", {"entity": "Toby", "below": "Characters/Lin Yu.md"}, "Lin Yue.md'"),
    ],
)
def test_an_unknown_value_is_told_the_nearest_known_one(
    novel: Session, capability: str, arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(NotFoundError, match=message):
        novel.call(capability, arguments)


def test_a_type_that_is_declared_and_a_folder_that_is_there_may_have_nothing(
    novel: Session,
) -> None:
    assert novel.call("list_entities", {"types": ["creature"]}).model_dump()["total"] == 0
    nothing = novel.call("find_mentions", {"entity": "Lin Yue", "below": "Places/Marrow House.md"})
    assert nothing.model_dump()["total"] == 0


def test_what_a_reader_has_not_met_is_not_named(novel: Session) -> None:
    with pytest.raises(NotFoundError) as raised:
        novel.call("search", {"query": "lamp", "below": "Characters/Lin Yue", "as_of": 3})
    assert "Lin Yue.md" not in str(raised.value)


@pytest.mark.parametrize(
    ("capability", "arguments", "message"),
    [
        ("search_by_entities", {"entities": ["\0"]}, "no entity '\ufffd'"),
        ("build_context", {"entities": ["\ud800"]}, "no entity '\ufffd'"),
        ("list_entities", {"types": 7}, "types: Input should be a valid list"),
        (
            *("list_entities", {"as_of": [7]}),
            "list_entities: as_of: Input should be a valid string.",
        ),
        ("list_entities", {"types": [None]}, "types.0: Input should be a valid string"),
        ("list_entities", {"containing": "a" * 60_000}, "at most 300 characters"),
        ("find_communities", {"kinds": [7]}, "kinds.0: Input should be a valid string"),
        ("brief_scene", {"scene": 10**30}, "no scene '1000000"),
        ("brief_scene", {"scene": "--5"}, "no scene '--5'"),
    ],
)
def test_what_nothing_can_be_called_is_refused(
    novel: Session, capability: str, arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(WriterosError, match=message):
        novel.call(capability, arguments)


def test_beyond_the_last_page_there_is_nothing(novel: Session) -> None:
    page = novel.call("find_mentions", {"entity": "Toby", "offset": 10**30}).model_dump()
    assert (page["mentions"], page["total"] > 0) == ([], True)
