"""What each capability of the entities family promises, called as every surface calls it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities import AmbiguousNameError, RequestError
from writeros_entities.errors import NotFoundError
from writeros_entities.session import Session

from ..conftest import OpenVault, ReadVault

WriteVault = Callable[[dict[str, str]], Path]

NOVEL = Path(__file__).parents[2] / "vault_fixtures" / "novel"

TOWNS = {
    "Places/Tessaly.md": "---\ntype: place\n---\nA harbour.\n",
    "Places/Orvane.md": "---\ntype: place\n---\nA hill.\n",
    "Items/Lantern Key.md": "---\ntype: item\naliases: [Brightkey]\n---\nIron.\n",
    "Manuscript/01 - One.md": "Tessaly slept. Orvane burned.\n",
    "Manuscript/02 - Two.md": "# Waking\n\nTessaly woke.\n",
    "Manuscript/03 - Three.md": "Brightkey opened Orvane; Tessaly fell to the Lantern Key.\n",
}
"""One chunk to a chapter: {Tessaly, Orvane}, {Tessaly}, {Lantern Key, Orvane, Tessaly}."""

ONE, TWO, THREE = "Manuscript/01 - One.md", "Manuscript/02 - Two.md", "Manuscript/03 - Three.md"


def ask(session: Session, capability: str, **arguments: Any) -> dict[str, Any]:
    return session.call(capability, arguments).model_dump()


@pytest.fixture
def towns(read_vault: ReadVault) -> Session:
    return read_vault(TOWNS)


# -- list_entities --------------------------------------------------------------------------------


def names(answer: dict[str, Any]) -> list[str]:
    return [item["name"] for item in answer["entities"]]


def test_entities_are_listed_by_mentions_by_name_and_by_first_appearance(towns: Session) -> None:
    answer = ask(towns, "list_entities")
    assert [(item["name"], item["mention_count"]) for item in answer["entities"]] == [
        ("Tessaly", 3),
        ("Lantern Key", 2),
        ("Orvane", 2),
    ]
    assert names(ask(towns, "list_entities", order="name")) == ["Lantern Key", "Orvane", "Tessaly"]
    assert names(ask(towns, "list_entities", order="first")) == ["Tessaly", "Orvane", "Lantern Key"]


def test_a_listed_entity_says_what_it_is_and_where_it_stands(towns: Session) -> None:
    first = ask(towns, "list_entities", limit=1)["entities"][0]
    assert first.pop("id").startswith("e")
    assert first == {
        "name": "Tessaly",
        "type": "place",
        "status": "noted",
        "kind": None,
        "heading": None,
        "mention_count": 3,
        "note_count": 3,
        "first_position": 1,
        "last_position": 3,
    }


def test_entities_are_filtered_by_type_status_and_part_of_a_name(towns: Session) -> None:
    assert names(ask(towns, "list_entities", types=["item"])) == ["Lantern Key"]
    assert names(ask(towns, "list_entities", types=["Place"])) == ["Tessaly", "Orvane"]
    assert names(ask(towns, "list_entities", statuses=["noted"], types=["item", "place"])) == [
        "Tessaly",
        "Lantern Key",
        "Orvane",
    ]
    assert names(ask(towns, "list_entities", statuses=["linked"])) == []
    assert names(ask(towns, "list_entities", containing="RIGHTK")) == ["Lantern Key"]
    assert names(ask(towns, "list_entities", containing="100%")) == []


def test_a_type_is_asked_for_by_any_word_for_it_and_a_misspelt_one_is_an_error(
    towns: Session,
) -> None:
    assert names(ask(towns, "list_entities", types=["Locations"])) == ["Tessaly", "Orvane"]
    assert names(ask(towns, "list_entities", types=["faction"])) == []
    for capability, arguments in (
        ("list_entities", {"types": ["plase"]}),
        ("search_by_entities", {"entities": ["Tessaly"], "entity_types": ["plase"]}),
        ("search", {"query": "Tessaly", "note_types": ["plase"]}),
        ("find_communities", {"entity_types": ["plase"]}),
        ("get_entity_graph", {"entity_types": ["plase"]}),
        ("find_paths", {"entities": ["Tessaly", "Orvane"], "entity_types": ["plase"]}),
    ):
        with pytest.raises(NotFoundError, match=r"There is no entity type 'plase'\..*'place'"):
            towns.call(capability, arguments)


def test_pages_join_to_the_whole_list(novel: Session) -> None:
    whole = ask(novel, "list_entities", limit=500)
    pages: list[str] = []
    for offset in range(0, whole["total"] + 7, 7):
        page = ask(novel, "list_entities", limit=7, offset=offset)
        assert page["total"] == whole["total"]
        pages += [item["id"] for item in page["entities"]]
    assert pages == [item["id"] for item in whole["entities"]]


@pytest.mark.parametrize(
    ("capability", "arguments"),
    [
        ("list_entities", {}),
        ("find_mentions", {"entity": "Hope"}),
        ("get_entity_history", {"entity": "Hope"}),
        ("analyze_entity_evolution", {"entity": "Hope"}),
        ("get_relationship_timeline", {"entity": "Hope"}),
        ("find_communities", {}),
        ("find_related_notes", {"note": "Hope Lascelles"}),
        ("search", {"query": "lamp"}),
    ],
)
def test_a_page_beyond_the_last_item_is_not_taken_for_an_answer(
    novel: Session, capability: str, arguments: dict[str, Any]
) -> None:
    answer = novel.call(capability, arguments | {"offset": 400})
    assert answer.as_text().startswith("Nothing on this page: there are ")


@pytest.mark.parametrize("arguments", [{"limit": 0}, {"limit": 501}, {"offset": -1}, {"ordre": 1}])
def test_a_request_out_of_bounds_is_refused_in_words(
    towns: Session, arguments: dict[str, Any]
) -> None:
    with pytest.raises(RequestError, match=r"^list_entities: "):
        towns.call("list_entities", arguments)


# -- get_entity -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Lantern Key", "lantern key", "Brightkey", "BRIGHTKEY"])
def test_an_entity_is_found_by_name_and_alias_in_any_case(towns: Session, name: str) -> None:
    assert ask(towns, "get_entity", entity=name)["entity"]["name"] == "Lantern Key"


def test_an_entity_is_found_by_its_id(towns: Session) -> None:
    key = ask(towns, "list_entities", containing="key")["entities"][0]["id"]
    assert ask(towns, "get_entity", entity=key)["entity"]["name"] == "Lantern Key"


def test_an_entity_is_told_with_names_source_and_chapters(towns: Session) -> None:
    answer = ask(towns, "get_entity", entity="Lantern Key")
    detail = answer["entity"]
    assert answer["candidates"] == []
    assert [(name["form"], name["kind"], name["visible_from"]) for name in detail["names"]] == [
        ("Lantern Key", "name", 3),
        ("Brightkey", "alias", 3),
    ]
    assert (detail["source"]["path"], detail["source"]["text"]) == ("Items/Lantern Key.md", "Iron.")
    assert detail["notes"] == [{"path": THREE, "title": "03 - Three", "position": 3, "mentions": 2}]
    assert (detail["mention_count"], detail["note_count"]) == (2, 1)
    assert detail["importance"] == round(2 / 12, 4)


def test_what_is_near_is_told_with_its_strength_by_distance(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    """Each relation is stated once, with a confidence and so a strength of 0.95."""
    person = "---\ntype: person\nallies: [{}]\n---\n"
    sheets = {"Ann": '"[[Bob]]"', "Bob": '"[[Cid]]"', "Cid": '"[[Dan]]"', "Dan": ""}
    notes = {f"Cast/{name}.md": person.format(ally) for name, ally in sheets.items()}
    session = open_vault(write_vault(notes))
    session.call("sync", {})

    def near(**arguments: Any) -> list[tuple[str, int, float]]:
        sheet = ask(session, "get_entity", entity="Ann", **arguments)["entity"]
        assert sheet["near_count"] == len(sheet["near"])
        return [(one["name"], one["degree"], one["strength"]) for one in sheet["near"]]

    assert near() == []
    assert near(maxRelationshipDegrees=2) == [("Bob", 1, 0.95), ("Cid", 2, 0.9025)]
    assert near(max_relationship_degrees=2, minStrength=0.96) == []


def test_a_sheet_tells_how_surely_its_mentions_are_read_and_what_its_notes_are_about(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = {
        "Cast/Ann Reed.md": "---\ntype: person\n---\n",
        "Notes/One.md": "---\ntags: [harbour]\n---\nAnn Reed slept.\n",
        "Notes/Two.md": "---\ntags: [harbour, tides]\n---\nAnn Reed woke.\n",
        "Notes/Three.md": "---\ntags: [bees]\n---\nNobody.\n",
    }
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    sheet = ask(session, "get_entity", entity="Ann Reed")["entity"]
    assert sheet["confidence"] == 1.0
    assert [(topic["name"], topic["notes"]) for topic in sheet["topics"]] == [
        ("harbour", 2),
        ("tides", 1),
    ]


def test_a_name_that_two_entities_have_gives_both_with_reasons(novel: Session) -> None:
    answer = ask(novel, "get_entity", entity="Tobias Wren")
    assert answer["entity"] is None
    assert [(item["entity"]["name"], item["reason"]) for item in answer["candidates"]] == [
        ("Tobias Wren (younger)", "'Tobias Wren' is an alias of it"),
        ("Tobias Wren (elder)", "'Tobias Wren' is an alias of it"),
    ]
    for item in answer["candidates"]:
        found = ask(novel, "get_entity", entity=item["entity"]["id"])
        assert found["entity"]["name"] == item["entity"]["name"]


@pytest.mark.parametrize("capability", ["get_entity", "find_mentions"])
def test_an_unknown_name_is_answered_with_the_nearest(novel: Session, capability: str) -> None:
    with pytest.raises(NotFoundError) as caught:
        novel.call(capability, {"entity": "Isolde Marow"})
    assert caught.value.nearest[0] == "Isolde Marrow"


def test_a_name_that_comes_later_is_neither_found_nor_suggested(novel: Session) -> None:
    with pytest.raises(NotFoundError) as caught:
        novel.call("get_entity", {"entity": "Hope Wren", "as_of": 6})
    assert "Hope Wren" not in caught.value.nearest
    assert ask(novel, "get_entity", entity="Hope Wren", as_of=7)["entity"] is not None


# -- find_mentions --------------------------------------------------------------------------------


def test_every_quote_of_the_novel_is_the_files_own_text(novel: Session) -> None:
    texts: dict[str, str] = {}
    for entity in ask(novel, "list_entities", limit=500)["entities"]:
        answer = ask(novel, "find_mentions", entity=entity["id"], limit=500)
        assert answer["total"] == len(answer["mentions"]) == entity["mention_count"]
        for mention in answer["mentions"]:
            path = mention["path"]
            text = texts.setdefault(path, (NOVEL / path).read_bytes().decode())
            surface = text[mention["start"] : mention["end"]]
            assert " ".join(surface.split()) == mention["surface"]
            before = text[: mention["start"]]
            assert mention["line"] == before.count("\n") + 1
            assert mention["column"] == len(before) - (before.rfind("\n") + 1) + 1


def test_mentions_come_in_reading_order_with_their_proof(towns: Session) -> None:
    answer = ask(towns, "find_mentions", entity="Tessaly")
    shown = [
        (item["path"], item["position"], item["line"], item["column"], item["heading"])
        for item in answer["mentions"]
    ]
    assert shown == [(ONE, 1, 1, 1, ""), (TWO, 2, 3, 1, "Waking"), (THREE, 3, 1, 26, "")]
    assert [item["text"] for item in answer["mentions"]] == [
        "Tessaly slept.",
        "Tessaly woke.",
        "Brightkey opened Orvane; Tessaly fell to the Lantern Key.",
    ]
    assert (answer["entity"]["name"], answer["total"]) == ("Tessaly", 3)


def test_mentions_are_paged_and_kept_to_a_note_or_folder(towns: Session) -> None:
    page = ask(towns, "find_mentions", entity="Tessaly", limit=1, offset=1)
    assert ([item["path"] for item in page["mentions"]], page["total"]) == ([TWO], 3)
    for below, expected in ((THREE, [THREE]), ("Manuscript", [ONE, TWO, THREE])):
        found = ask(towns, "find_mentions", entity="Tessaly", below=below)
        assert [item["path"] for item in found["mentions"]] == expected
    with pytest.raises(NotFoundError, match=r"folder 'Manu'.* 'Manuscript'"):
        towns.call("find_mentions", {"entity": "Tessaly", "below": "Manu"})


def test_a_span_that_fits_two_entities_lists_the_other(novel: Session) -> None:
    note = "Manuscript/06 - A Letter with One Eye Shut.md"
    answer = ask(novel, "find_mentions", entity="Tobias Wren (younger)", below=note)
    first, second = answer["mentions"][:2]
    assert first["surface"] == "Tobias Wren"
    assert [item["entity"]["name"] for item in first["alternatives"]] == ["Tobias Wren (elder)"]
    assert first["alternatives"][0]["reason"]
    assert (second["surface"], second["alternatives"]) == ("Toby", [])


def test_mentions_of_a_name_that_two_entities_have_need_an_id(novel: Session) -> None:
    with pytest.raises(AmbiguousNameError, match="2 entities are called 'Tobias Wren'"):
        novel.call("find_mentions", {"entity": "Tobias Wren"})


# -- search_by_entities ---------------------------------------------------------------------------


def scores(answer: dict[str, Any]) -> list[tuple[str, float]]:
    return [(item["path"], item["score"]) for item in answer["results"]]


def test_passages_are_ranked_by_coverage_and_overlap(towns: Session) -> None:
    answer = ask(towns, "search_by_entities", entities=["Tessaly", "Orvane"], boost_exact_match=1)
    assert scores(answer) == [
        (ONE, 1.0),  # 0.7 · 2/2 + 0.3 · 2/2
        (THREE, 0.9),  # 0.7 · 2/2 + 0.3 · 2/3
        (TWO, 0.5),  # 0.7 · 1/2 + 0.3 · 1/2
    ]
    assert [item["entity_overlap"] for item in answer["results"]] == [1.0, 0.6667, 0.5]
    assert (answer["total"], answer["total_candidates"], answer["unknown"]) == (3, 3, [])
    assert [item["name"] for item in answer["detected_query_entities"]] == ["Tessaly", "Orvane"]
    matched = [item["name"] for item in answer["results"][2]["matched_entities"]]
    assert matched == ["Tessaly"]


@pytest.mark.parametrize("spelling", ["match_mode", "matchMode"])
def test_all_asks_for_passages_with_every_entity(towns: Session, spelling: str) -> None:
    wanted = {"entities": ["Tessaly", "Orvane"], "boostExactMatch": 1, spelling: "all"}
    assert scores(ask(towns, "search_by_entities", **wanted)) == [(ONE, 1.0), (THREE, 0.9)]


@pytest.mark.parametrize("spelling", ["top_k", "topK"])
def test_top_k_cuts_the_list_and_the_total_says_so(towns: Session, spelling: str) -> None:
    wanted = {"entities": ["Tessaly", "Orvane"], spelling: 1}
    answer = ask(towns, "search_by_entities", **wanted)
    assert (len(answer["results"]), answer["total"]) == (1, 3)


def test_min_score_leaves_out_what_scores_less(towns: Session) -> None:
    wanted = {"entities": ["Tessaly", "Orvane"], "boost_exact_match": 1}
    answer = ask(towns, "search_by_entities", **wanted, min_score=0.9)
    assert scores(answer) == [(ONE, 1.0), (THREE, 0.9)]
    assert ask(towns, "search_by_entities", **wanted, minScore=0.5)["total"] == 3


def test_the_name_as_asked_for_is_boosted_and_one_is_the_most(towns: Session) -> None:
    def search(name: str, boost: float) -> list[tuple[str, float]]:
        wanted = {"entities": [name], "boost_exact_match": boost}
        return scores(ask(towns, "search_by_entities", **wanted))

    assert search("Orvane", 1.0) == [(ONE, 0.85), (THREE, 0.8)]
    assert search("orvane", 1.1) == [(ONE, 0.935), (THREE, 0.88)]
    assert search("Orvane", 1.3) == [(ONE, 1.0), (THREE, 1.0)]


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ({}, [ONE, TWO, THREE]),
        ({"from_position": 2}, [TWO, THREE]),
        ({"timeRange": {"start": 2, "end": 2}}, [TWO]),
        ({"time_range": {"end": 1}}, [ONE]),
        ({"maxSequence": 2}, [ONE, TWO]),
        ({"max_sequence": "2", "fromPosition": 2}, [TWO]),
    ],
)
def test_passages_are_kept_to_a_part_of_the_manuscript(
    towns: Session, arguments: dict[str, Any], found: list[str]
) -> None:
    by_entity = ask(towns, "search_by_entities", entities=["Tessaly"], **arguments)
    assert sorted(one["path"] for one in by_entity["results"]) == found
    assert by_entity["total"] == len(found)
    by_words = ask(towns, "search", query="Tessaly", mode="text", **arguments)
    chapters = [one["path"] for one in by_words["passages"] if one["position"] is not None]
    assert sorted(chapters) == found


def test_a_time_that_is_no_range_is_refused_in_words(towns: Session) -> None:
    with pytest.raises(RequestError, match="timeRange has a `start` and an `end`"):
        towns.call("search", {"query": "Tessaly", "time_range": 3})


def test_asked_entities_are_told_with_importance_and_degree(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    person = "---\ntype: person\n---\n"
    notes = {
        "Cast/Ann Reed.md": '---\ntype: person\nallies: ["[[Bo Finch]]"]\n---\n',
        "Cast/Bo Finch.md": person,
        "Story/01.md": "Ann Reed slept. Ann Reed woke.\n",
    }
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    (asked,) = ask(session, "search_by_entities", entities=["Ann Reed"])["detected_query_entities"]
    assert (asked["importance"], asked["degree"], asked["method"]) == (0.1667, 1, "named")  # 2 / 12
    answer = ask(session, "search_by_entities", entities=["Ann Reed"], minEntityImportance=0.2)
    assert (answer["results"], answer["unknown"]) == ([], [])


def test_content_comes_only_when_asked_for(towns: Session) -> None:
    wanted = {"entities": ["Lantern Key"]}
    bare = ask(towns, "search_by_entities", **wanted)["results"][0]
    full = ask(towns, "search_by_entities", **wanted, includeContent=True)["results"][0]
    assert bare["content"] is None
    assert full["content"] == "Brightkey opened Orvane; Tessaly fell to the Lantern Key."
    assert (full["start"], full["end"], full["line"], full["ordinal"]) == (0, 57, 1, 0)


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("search_by_entities", {"entities": ["Orvane"]}),
        ("reason_over_entities", {"query": "Who saw Orvane?"}),
    ],
)
def test_a_passage_is_quoted_with_the_line_on_which_the_quote_stands(
    write_vault: WriteVault,
    open_vault: OpenVault,
    name: str,
    asked: dict[str, Any],
) -> None:
    session = open_vault(
        write_vault(
            {
                "Orvane.md": "---\ntype: place\n---\n",
                "01.md": "It rained.\n\nThe road was long.\n\nAnn saw Orvane.\n",
            }
        )
    )
    session.call("sync", {})
    answer = session.call(name, asked)
    [found] = [one for one in answer.model_dump()["results"] if one["path"] == "01.md"]
    assert (found["line"], found["start"], found["end"]) == (5, 0, 47)
    assert found["excerpt"].replace("**", "") == "Ann saw Orvane."
    assert "01.md:5 " in answer.as_text()


def test_types_narrow_whom_the_names_mean(towns: Session) -> None:
    wanted = {"entities": ["Tessaly", "Brightkey"], "boost_exact_match": 1}
    for spelling in ("entity_types", "entityTypes"):
        answer = ask(towns, "search_by_entities", **wanted, **{spelling: ["Item"]})
        assert answer["unknown"] == ["Tessaly"]
        assert scores(answer) == [(THREE, 0.8)]  # 0.7 · 1/1 + 0.3 · 1/3


def test_types_are_accepted_as_the_knowledge_base_spells_them_elsewhere(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault({"Log.md": "We wrote it in rustlang.\n"})
    session = open_vault(root, knowledge_bases=("technical",))
    session.call("sync", {})
    for name in ("ProgrammingLanguage", "programmingLanguage", "programming_language"):
        answer = ask(session, "search_by_entities", entities=["Rust"], entityTypes=[name])
        assert [item["path"] for item in answer["results"]] == ["Log.md"]


def test_names_that_nothing_is_known_by_are_named(towns: Session) -> None:
    answer = ask(towns, "search_by_entities", entities=["Tessaly", "Atlantis"])
    assert answer["unknown"] == ["Atlantis"]
    with pytest.raises(NotFoundError, match="Did you mean 'Orvane'"):
        towns.call("search_by_entities", {"entities": ["Orvan"], "similarity_threshold": 1})


# -- extract_entities -----------------------------------------------------------------------------


def links(answer: dict[str, Any]) -> list[tuple[str, str]]:
    return [(item["surface_form"], item["canonical_id"]) for item in answer["entities"]]


def test_surface_forms_are_linked_to_canonical_ids(towns: Session) -> None:
    text = "From postgres to k8s: py calls rustlang, and k8s restarts Postgres."
    answer = ask(towns, "extract_entities", text=text)
    assert links(answer) == [
        ("postgres", "postgresql"),
        ("k8s", "kubernetes"),
        ("py", "python"),
        ("rustlang", "rust_language"),
        ("k8s", "kubernetes"),
        ("Postgres", "postgresql"),
    ]
    assert answer["total_count"] == 6
    for item in answer["entities"]:
        assert text[item["start"] : item["end"]] == item["surface_form"]


def test_the_vaults_own_entities_are_found_in_any_text(towns: Session) -> None:
    answer = ask(towns, "extract_entities", text="Tessaly’s Brightkey, and Tessaly.")
    found = [(item["name"], item["start"], item["end"]) for item in answer["entities"]]
    assert found == [("Tessaly", 0, 7), ("Lantern Key", 10, 19), ("Tessaly", 25, 32)]


def test_unknown_names_come_unless_they_are_not_wanted(towns: Session) -> None:
    text = "Tessaly wept when Marlow Finch left, and Marlow Finch did not."
    answer = ask(towns, "extract_entities", text=text)
    assert [(item["surface_form"], item["status"]) for item in answer["entities"]] == [
        ("Tessaly", "noted"),
        ("Marlow Finch", "suggested"),
        ("Marlow Finch", "suggested"),
    ]
    known = ask(towns, "extract_entities", text=text, includeUnknown=False)
    assert [item["surface_form"] for item in known["entities"]] == ["Tessaly"]


def test_entities_are_grouped_by_type_when_asked_for(towns: Session) -> None:
    text = "Tessaly runs on k8s and Orvane on postgres."
    assert ask(towns, "extract_entities", text=text)["by_type"] is None
    answer = ask(towns, "extract_entities", text=text, groupByType=True)
    grouped = {
        kind: [item["surface_form"] for item in items] for kind, items in answer["by_type"].items()
    }
    assert grouped == {
        "place": ["Tessaly", "Orvane"],
        "cloud": ["k8s"],
        "database": ["postgres"],
    }


def test_the_total_counts_what_the_limit_cuts(towns: Session) -> None:
    answer = ask(towns, "extract_entities", text="Tessaly. " * 12, limit=5)
    assert (len(answer["entities"]), answer["total_count"]) == (5, 12)


# -- Two vaults in one database -------------------------------------------------------------------


def test_two_vaults_in_one_database_never_see_each_other(
    tmp_path: Path, open_vault: OpenVault
) -> None:
    sessions = []
    for vault, what in (("north", "harbour"), ("south", "desert")):
        for path, text in TOWNS.items():
            file = tmp_path / vault / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text.replace("harbour", what))
        (tmp_path / vault / "Places" / f"{what.title()}.md").write_text(
            f"---\ntype: place\n---\nTessaly has a {what}.\n"
        )
        sessions.append(open_vault(tmp_path / vault))
    for session in sessions:
        session.call("sync", {})
    north, south = sessions
    assert names(ask(north, "list_entities", order="name")) == [
        *("Harbour", "Lantern Key", "Orvane", "Tessaly"),
    ]
    assert names(ask(south, "list_entities", order="name")) == [
        *("Desert", "Lantern Key", "Orvane", "Tessaly"),
    ]
    for session, path in ((north, "Places/Harbour.md"), (south, "Places/Desert.md")):
        found = ask(session, "find_mentions", entity="Tessaly")
        assert [item["path"] for item in found["mentions"]] == [ONE, TWO, THREE, path]
        wanted = ask(session, "search_by_entities", entities=["Tessaly"], top_k=50)
        assert {item["path"] for item in wanted["results"]} == {ONE, TWO, THREE, path}
        assert ask(session, "status")["notes"] == {"note": 7}
    with pytest.raises(NotFoundError):
        north.call("get_entity", {"entity": "Desert"})
    (tmp_path / "south" / "Places" / "Tessaly.md").unlink()
    south.call("sync", {})
    south.call("rebuild", {})
    assert ask(north, "get_entity", entity="Tessaly")["entity"]["mention_count"] == 4
    assert ask(north, "status")["notes"] == {"note": 7}


def test_null_is_an_argument_that_is_left_out(towns: Session) -> None:
    left_out = {"types": None, "limit": None, "as_of": None, "order": None}
    assert ask(towns, "list_entities", **left_out) == ask(towns, "list_entities")
    with pytest.raises(RequestError, match=r"^get_entity: entity is required\.$"):
        ask(towns, "get_entity", entity=None)


def test_one_text_where_a_list_belongs_is_a_list_of_it(towns: Session) -> None:
    one = ask(towns, "search_by_entities", entities="Orvane")
    assert one == ask(towns, "search_by_entities", entities=["Orvane"])
    refused = r"^build_context: entities: Input should be a valid list\.$"
    with pytest.raises(RequestError, match=refused):
        ask(towns, "build_context", entities=7)
    for name, spelling, value in (
        ("get_entity_graph", "relationshipTypes", "coOccursWith"),
        ("find_related_entities", "entityTypes", "Place"),
    ):
        asked = {"entity": "Orvane", "relation": "ally_of"} if spelling == "entityTypes" else {}
        assert ask(towns, name, **asked, **{spelling: value}) == ask(
            towns, name, **asked, **{spelling: [value]}
        )
    with pytest.raises(RequestError, match=r": relation: Input should be a valid string\.$"):
        ask(towns, "find_related_entities", entity="Orvane", relation=5)


def test_an_unknown_capability_is_answered_with_the_nearest(towns: Session) -> None:
    with pytest.raises(NotFoundError, match=r"no capability 'serch'\. Did you mean 'search'"):
        towns.call("serch", {})


def test_a_sheet_leaves_out_the_properties_that_are_not_filled_in(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    properties = "type: person\nage:\neyes: grey\nallies: []\nfaction: ''\nborn: 1790"
    session = open_vault(write_vault({"Ann.md": f"---\n{properties}\n---\n"}))
    session.call("sync", {})
    text = session.call("get_entity", {"entity": "Ann"}).as_text()
    assert [line for line in text.splitlines() if line.startswith("-")] == [
        "- eyes: grey",
        "- born: 1790",
    ]
