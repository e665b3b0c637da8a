"""Whom a question means: by a name, by what a text would call somebody, or by nobody's name."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities import AmbiguousNameError, NotFoundError
from writeros_entities.names import nearest_names
from writeros_entities.session import Session

from ..conftest import ReadVault

OpenVault = Callable[..., Session]
WriteVault = Callable[[dict[str, str]], Path]

PERSON = "---\ntype: person\n---\n"
HARBOUR = {
    "Cast/Adaeze Okafor-Lund.md": PERSON,
    "Cast/Tom Reed.md": PERSON,
    "Story/01.md": "Okafor-Lund laughed. Tom Reed slept.\n",
    "Story/02.md": "Adaeze Okafor-Lund met Tom Reed.\n",
}
CALLED = "Captain Okafor-Lund"


@pytest.fixture
def harbour(read_vault: ReadVault) -> Session:
    return read_vault(HARBOUR)


@pytest.mark.parametrize(
    ("capability", "arguments", "named"),
    [
        ("get_entity", {"entity": CALLED}, ["entity", "name"]),
        ("find_mentions", {"entity": CALLED}, ["entity", "name"]),
        ("get_entity_history", {"entity": CALLED}, ["entity", "name"]),
        ("get_relationship_timeline", {"entity": CALLED, "other": "Tom Reed"}, ["entity", "name"]),
        ("get_entity_graph", {"center_entity": CALLED}, ["center_entity", "name"]),
        ("find_paths", {"entities": [CALLED, "Tom Reed"]}, ["paths", 0, "entities", 0, "name"]),
        ("search_by_entities", {"entities": [CALLED]}, ["detected_query_entities", 0, "name"]),
        ("build_context", {"entities": [CALLED]}, ["entities", 0, "name"]),
        (
            "infer_relationship",
            {"head_entity": CALLED, "tail_entity": "Tom Reed"},
            ["head", "name"],
        ),
    ],
)
def test_what_a_text_would_call_somebody_is_understood_everywhere(
    harbour: Session, capability: str, arguments: dict[str, Any], named: list[str | int]
) -> None:
    answer: Any = harbour.call(capability, arguments).model_dump()
    for step in named:
        answer = answer[step]
    assert answer == "Adaeze Okafor-Lund"


def test_a_sheet_says_as_whose_name_it_has_read_what_is_nobodys(harbour: Session) -> None:
    remark = f"No entity has the name {CALLED!r}; in a text, it means Adaeze Okafor-Lund."
    sheet = harbour.call("get_entity", {"entity": CALLED})
    assert sheet.model_dump()["remark"] == remark
    assert remark in sheet.as_text()
    for name in ("Adaeze Okafor-Lund", "okafor-lund", sheet.model_dump()["entity"]["id"]):
        assert harbour.call("get_entity", {"entity": name}).model_dump()["remark"] is None


def test_nobody_is_called_by_what_a_reader_has_not_met(harbour: Session) -> None:
    with pytest.raises(NotFoundError):
        harbour.call("get_entity", {"entity": "Captain Adaeze Okafor-Lund", "as_of": 1})
    sheet = harbour.call("get_entity", {"entity": CALLED, "as_of": 1}).as_text()
    assert "Adaeze" not in sheet
    context = harbour.call("build_context", {"entities": [CALLED], "as_of": 1})
    assert "Adaeze" not in context.model_dump_json()


@pytest.mark.parametrize("name", ["Captain Okafor-Lunt", "Captain Okafor-Lund slept", "Captain"])
def test_nothing_but_the_whole_of_a_name_is_read_and_nothing_by_likeness(
    harbour: Session, name: str
) -> None:
    with pytest.raises(NotFoundError):
        harbour.call("get_entity", {"entity": name})


@pytest.mark.parametrize(
    "written",
    [
        *("[[Tom Reed]]", "[[Cast/Tom Reed|him]]", "![[Tom Reed#Voice]]", " [[Cast/Tom Reed.md]] "),
        *("Cast/Tom Reed", "Cast/Tom Reed.md", "cast/tom reed"),
        *("**Tom Reed**", "“Tom Reed”", "@Tom Reed", "Tom Reed's", "Tom Reed’s", "the Tom Reed,"),
    ],
)
def test_a_name_is_understood_as_a_text_writes_it(harbour: Session, written: str) -> None:
    sheet = harbour.call("get_entity", {"entity": written}).model_dump()
    assert (sheet["entity"]["name"], sheet["remark"]) == ("Tom Reed", None)


@pytest.mark.parametrize(
    "written", ["[[]]", "[[#Voice]]", "the", "Story/Tom Reed", "Cast/Tom", "#"]
)
def test_no_entity_is_found_by_half_a_link(harbour: Session, written: str) -> None:
    with pytest.raises(NotFoundError, match=re.escape(f"There is no entity {written!r}")):
        harbour.call("get_entity", {"entity": written})


def test_marks_that_belong_to_a_name_are_not_taken_off(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    technology = "---\ntype: technology\n---\n"
    session = open_vault(write_vault({"C.md": technology, "C++.md": technology}))
    session.call("sync", {})
    for name in ("C", "C++"):
        assert session.call("get_entity", {"entity": name}).model_dump()["entity"]["name"] == name


def test_a_path_leads_to_no_note_that_a_reader_has_not_reached(harbour: Session) -> None:
    with pytest.raises(NotFoundError):
        harbour.call("get_entity", {"entity": "Cast/Adaeze Okafor-Lund", "as_of": 1})


def test_a_link_tells_two_notes_of_one_name_apart(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(HARBOUR | {"Crew/Tom Reed.md": PERSON}))
    session.call("sync", {})
    for folder in ("Cast", "Crew"):
        sheet = session.call("get_entity", {"entity": f"[[{folder}/Tom Reed|Tom]]"}).model_dump()
        assert sheet["entity"]["source"]["path"] == f"{folder}/Tom Reed.md"
    with pytest.raises(AmbiguousNameError):
        session.call("find_mentions", {"entity": "[[Tom Reed]]"})


def test_what_a_text_may_call_two_people_is_ambiguous(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(HARBOUR | {"Cast/Bola Okafor-Lund.md": PERSON}))
    session.call("sync", {})
    with pytest.raises(AmbiguousNameError, match="2 entities are called 'Captain Okafor-Lund'"):
        session.call("find_mentions", {"entity": CALLED})
    sheet = session.call("get_entity", {"entity": CALLED}).model_dump()
    found = [one["entity"]["name"] for one in sheet["candidates"]]
    assert sorted(found) == ["Adaeze Okafor-Lund", "Bola Okafor-Lund"]


THING = "---\ntype: technology\n---\n"
SERVICE = {
    "REST API.md": THING,
    "API Gateway.md": THING,
    "JWT Token.md": THING,
    "Therapist.md": THING,
    "Log.md": "The REST API wants a JWT Token. The REST API is slow. The API Gateway is not.\n",
}


@pytest.fixture
def service(read_vault: ReadVault) -> Session:
    return read_vault(SERVICE)


def test_a_word_of_one_name_alone_means_its_entity(service: Session) -> None:
    sheet = service.call("get_entity", {"entity": "jwt"})
    remark = "No entity has the name 'jwt'; JWT Token has it in its own."
    assert sheet.model_dump()["remark"] == remark
    assert remark in sheet.as_text()
    for name in ("find_mentions", "get_entity_history", "get_relationship_timeline"):
        answer = service.call(name, {"entity": "JWT"}).model_dump()
        assert answer["entity"]["name"] == "JWT Token"
    inferred = service.call("infer_relationship", {"head_entity": "Gateway", "tail_entity": "REST"})
    assert inferred.model_dump()["head"]["name"] == "API Gateway"


def test_a_word_of_several_names_means_each_the_most_mentioned_first(service: Session) -> None:
    sheet: Any = service.call("get_entity", {"entity": "API"})
    named = [one.entity.name for one in sheet.candidates]
    assert named == ["REST API", "API Gateway"]
    assert "No entity has the name 'API'; these have it in theirs:" in sheet.as_text()
    with pytest.raises(AmbiguousNameError, match="2 entities have 'API' in their name: REST API"):
        service.call("find_mentions", {"entity": "API"})
    found: Any = service.call("search_by_entities", {"entities": ["API"]})
    means = [(one.name, one.method) for one in found.detected_query_entities]
    assert means == [("REST API", "contained"), ("API Gateway", "contained")]
    for part in ("AP", "I", "the", "Gate"):
        with pytest.raises(NotFoundError):
            service.call("get_entity", {"entity": part})


def test_a_question_names_what_has_its_words_in_a_name(service: Session) -> None:
    question = {"query": "How does the JWT relate to the API?"}
    answer: Any = service.call("reason_over_entities", question)
    assert [(one.entity.name, one.method) for one in answer.query_entities] == [
        ("JWT Token", "contained"),
        ("REST API", "contained"),
        ("API Gateway", "contained"),
    ]


@pytest.mark.parametrize(
    ("misspelt", "threshold", "named"),
    [
        ("Isolda", {}, "Isolde Marrow"),
        ("Marow", {}, "Isolde Marrow"),
        ("Isolda", {"similarity_threshold": 0.9}, None),
        ("Isolda", {"similarityThreshold": 0.9}, None),
    ],
)
def test_a_misspelt_name_is_searched_for_by_likeness(
    write_vault: WriteVault,
    open_vault: OpenVault,
    misspelt: str,
    threshold: dict[str, float],
    named: str | None,
) -> None:
    """Isolda and Isolde: 5 of 6 letters, 0.8333."""
    notes = {"Cast/Isolde Marrow.md": PERSON, "Story/01.md": "Isolde Marrow slept. Isolde woke.\n"}
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    question = {"query": f"Where did {misspelt} sleep?"} | threshold
    asked: Any = session.call("reason_over_entities", question)
    assert [one.entity.name for one in asked.query_entities] == ([named] if named else [])
    wanted = {"entities": [misspelt]} | threshold
    if named is None:
        with pytest.raises(NotFoundError, match="Did you mean 'Isolde'"):
            session.call("search_by_entities", wanted)
    else:
        found: Any = session.call("search_by_entities", wanted)
        (one,) = found.detected_query_entities
        assert (one.name, one.surface_form, one.method) == (named, misspelt, "similar")
        assert found.results[0].path == "Story/01.md"


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("The Kepper", "The Keeper"),
        ("Capt Vane", "Captain Vane"),
        ("isold", "Isolde"),
        ("Hope Lasceles", "Hope Lascelles"),
        ("Seraphine", "Séraphine"),
    ],
)
def test_the_nearest_name_is_the_one_that_is_nearest_as_a_whole(name: str, nearest: str) -> None:
    known = ["The", "Kepp", "The Keeper", "The Salt Road", "Vane", "Captain Vane", "Isolde"]
    known += ["Isolde Marrow", "Hope", "Lascelles", "Hope Lascelles", "Séraphine", "Vanessa"]
    assert nearest_names(name, known)[0] == nearest


def test_namesakes_and_lists_are_told_in_the_order_of_what_a_reader_has_met(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = {
        "A/Mercury.md": "---\ntype: place\n---\n",
        "B/Mercury.md": PERSON,
        "Cast/Aaron Vale.md": "---\ntype: person\naliases: [Owl]\n---\n",
        "Story/01.md": "[[B/Mercury]] left [[A/Mercury]]. [[B/Mercury]] met Owl.\n",
        "Story/02.md": "[[A/Mercury]], [[A/Mercury]]: Owl was Aaron Vale.\n",
    }
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    for as_of, types, names in (
        (1, ["person", "place"], ["Mercury", "Mercury", "Owl"]),
        (2, ["place", "person"], ["Aaron Vale", "Mercury", "Mercury"]),
    ):
        called: Any = session.call("get_entity", {"entity": "Mercury", "as_of": as_of}).model_dump()
        assert [one["entity"]["type"] for one in called["candidates"]] == types
        listed: Any = session.call("list_entities", {"order": "name", "as_of": as_of}).model_dump()
        assert [one["name"] for one in listed["entities"]] == names


def test_two_notes_about_one_known_thing_are_both_told_by_its_id(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = dict.fromkeys(("Cpp.md", "Cplusplus.md"), "---\ntype: language\n---\n")
    session = open_vault(write_vault(notes), knowledge_bases=("technical",))
    session.call("sync", {})
    answer: Any = session.call("get_entity", {"entity": "cpp_language"}).model_dump()
    assert [one["entity"]["name"] for one in answer["candidates"]] == ["Cplusplus", "Cpp"]
    with pytest.raises(AmbiguousNameError, match="2 entities are called 'cpp_language'"):
        session.call("build_context", {"entities": ["cpp_language"]})


def test_who_else_may_be_meant_is_told_by_name_however_they_came(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    sheets = {f"Cast/{name} Reed.md": PERSON for name in ("Bob", "Cid")}
    root = write_vault(sheets | {"Story/01.md": "Reed sat.\n"})
    session = open_vault(root)
    session.call("sync", {})
    (root / "Cast/Ann Reed.md").write_text(PERSON)
    session.call("sync", {})
    (mention,) = session.call("find_mentions", {"entity": "Cid Reed"}).model_dump()["mentions"]
    names = [one["entity"]["name"] for one in mention["alternatives"]]
    assert names == ["Ann Reed", "Bob Reed"]


def test_a_name_that_is_never_looked_for_still_means_whom_links_call_so(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    story = {"Cast/Hope.md": PERSON, "Story/01.md": "Fog.", "Story/02.md": "Hope ran to [[Hope]]."}
    session = open_vault(write_vault(story), never=["Hope"])
    session.call("sync", {})
    found = session.call("get_entity", {"entity": "hope", "as_of": 2}).model_dump()["entity"]
    assert (found["name"], found["mention_count"]) == ("Hope", 1)
    with pytest.raises(NotFoundError):
        session.call("get_entity", {"entity": "Hope", "as_of": 1})
