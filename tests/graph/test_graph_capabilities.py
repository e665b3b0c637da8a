"""What the capabilities about the graph promise, called as every surface calls them."""

from __future__ import annotations

import itertools
import json
import os
import re
import time
from collections.abc import Callable
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from tests.conftest import OpenVault, ReadVault
from tests.models import WordModel, with_model
from writeros_entities import RequestError
from writeros_entities.errors import NotFoundError
from writeros_entities.session import Session
from writeros_entities.surfaces.bounds import AnswerForm
from writeros_entities.surfaces.mcp import ServerOptions, build_server

WriteVault = Callable[[dict[str, str]], Path]

PERSON = "---\ntype: person\n---\n"
VILLAGE = {
    "Cast/Ansel.md": '---\ntype: person\nsibling: "[[Berit]]"\n---\n',
    "Cast/Berit.md": PERSON,
    "Cast/Corvin.md": PERSON,
    "Cast/Dagny.md": PERSON,
    "Places/Elmstead.md": "---\ntype: place\n---\n",
    "Story/01.md": "Ansel met Berit.\n\n***\n\nAnsel slept in Elmstead.\n",
    "Story/02.md": "Berit wrote to Corvin.\n",
    "Story/03.md": "Ansel and Berit walked.\n",
    "Story/04.md": "Dagny slept.\n",
}
"""Chapters 1 to 4; the first has two scenes, in one chunk."""


def ask(session: Session, capability: str, **arguments: Any) -> dict[str, Any]:
    return session.call(capability, arguments).model_dump(mode="json")


@pytest.fixture
def village(read_vault: ReadVault) -> Session:
    return read_vault(VILLAGE)


@pytest.fixture
def own_village(write_vault: WriteVault, open_vault: OpenVault) -> Session:
    """Return the same, for a test that writes into the vault."""
    session = open_vault(write_vault(VILLAGE))
    session.call("sync", {})
    return session


def edges(answer: dict[str, Any]) -> dict[tuple[str, str, str], float]:
    names = {node["id"]: node["label"] for node in answer["nodes"]}
    return {
        (names[edge["source"]], edge["relation"], names[edge["target"]]): edge["weight"]
        for edge in answer["edges"]
    }


def cosine(together: int, one: int, other: int) -> float:
    return together / sqrt((one + 2) * (other + 2))


# -- Co-occurrence --------------------------------------------------------------------------------


def test_the_strength_of_a_pair_is_the_shrunk_cosine_over_chunks_scenes_and_notes(
    village: Session,
) -> None:
    found = edges(ask(village, "get_entity_graph", min_relation_score=0, origins=["co-occurrence"]))
    pair = cosine(2, 2, 3), cosine(2, 3, 3), cosine(2, 2, 3)
    assert found == {
        ("Ansel", "co_occurs_with", "Berit"): round(
            0.5 * pair[0] + 0.3 * pair[1] + 0.2 * pair[2], 4
        ),
        ("Ansel", "co_occurs_with", "Elmstead"): round(
            0.5 * cosine(1, 2, 1) + 0.3 * cosine(1, 3, 1) + 0.2 * cosine(1, 2, 1), 4
        ),
        ("Berit", "co_occurs_with", "Elmstead"): round(
            0.5 * cosine(1, 3, 1) + 0.2 * cosine(1, 3, 1), 4
        ),
        ("Berit", "co_occurs_with", "Corvin"): round(cosine(1, 3, 1), 4),
    }


def test_a_pair_knows_its_scenes_and_first_and_last_chapter(village: Session) -> None:
    answer = ask(village, "get_entity_graph", origins=["co-occurrence"], evidence=2)
    [edge] = [edge for edge in answer["edges"] if edge["evidence_count"] == 2]
    assert (edge["first_position"], edge["last_position"]) == (1, 3)
    assert [(quote["path"], quote["surface"]) for quote in edge["evidence"]] == [
        ("Story/01.md", "Ansel met Berit"),
        ("Story/03.md", "Ansel and Berit"),
    ]


def test_the_ten_strongest_pairs_of_the_novel_are_those_that_its_plot_is_about(
    novel: Session,
) -> None:
    answer = ask(novel, "get_entity_graph", max_nodes=200, origins=["co-occurrence"], limit=10)
    assert {frozenset((source, target)) for source, _, target in edges(answer)} == {
        frozenset(pair)
        for pair in (
            ("James Ferris", "Lantern Guild"),  # its master
            ("Isolde Marrow", "Aldous Marrow"),  # brother and sister
            ("House Marrow", "Lantern Guild"),  # the alliance that turns
            ("Ilse Vane", "Søren Hald"),  # captain and mate
            ("Ilse Vane", "Cormorant"),  # her ship
            ("Tobias Wren (younger)", "Hope Lascelles"),  # they marry
            ("Isolde Marrow", "Ilse Vane"),  # allies
            ("Isolde Marrow", "Tobias Wren (younger)"),  # they light the lamp
            ("Aldous Marrow", "James Ferris"),  # the alliance, and its end
            ("Isolde Marrow", "Séraphine O'Dara"),  # they lay the trap
        )
    }
    assert all(edge["evidence_count"] >= 5 for edge in answer["edges"])


# -- get_entity_graph ------------------------------------------------------------------------------


def test_a_graph_around_an_entity_has_those_within_so_many_hops(village: Session) -> None:
    near = ask(village, "get_entity_graph", center_entity="Corvin", max_depth=1, minStrength=0)
    assert [(node["label"], node["hops"]) for node in near["nodes"]] == [
        ("Corvin", 0),
        ("Berit", 1),
    ]
    far = ask(village, "get_entity_graph", centerEntity="Corvin", maxDegrees=2, minStrength=0)
    assert [(node["label"], node["hops"]) for node in far["nodes"]] == [
        ("Corvin", 0),
        ("Berit", 1),
        ("Ansel", 2),
        ("Elmstead", 2),
    ]
    assert far["center_entity"]["name"] == "Corvin"


QUAYS = {
    "Places/North Quay.md": "---\ntype: place\n---\nStones.\n",
    "Places/Upper Quay.md": "---\ntype: place\n---\nSand.\n",
    "Places/Gate.md": '---\ntype: place\npart_of: "[[North Quay]]"\n---\nHigh.\n',
    "Story/01.md": "North Quay and Upper Quay lay in fog.\n",
    "Story/02.md": "North Quay and Gate lay in fog.\n",
    "Story/03.md": "North Quay and Gate lay in the sun.\n",
}


def around_the_quay(session: Session) -> tuple[list[tuple[str, float | None]], str]:
    session.call("sync", {})
    asked = {"center_entity": "North Quay", "min_relation_score": 0}
    answer = session.call("get_entity_graph", asked)
    nodes = answer.model_dump()["nodes"]
    return [(node["label"], node["relatedness"]) for node in nodes], answer.as_text()


def test_neighbours_are_ranked_by_vectors_by_whom_both_know_and_by_what_is_asserted(
    write_vault: WriteVault, database: str
) -> None:
    with Session.open(write_vault(QUAYS), database=database, **with_model(WordModel())) as session:
        nodes, text = around_the_quay(session)
    # "[PLACE] North Quay" shares two of three words with "[PLACE] Upper Quay", cosine 2/3, and one
    # with "[PLACE] Gate", 1 / √6. Either knows two of the three whom North Quay knows, itself
    # counted: 0.7 · 2/3 + 0.3 · 2/3, and (0.7 · 0.4082 + 0.3 · 2/3) · 1.3 for what is asserted.
    assert nodes == [("North Quay", 1.0), ("Upper Quay", 0.6667), ("Gate", 0.6315)]
    assert "no vectors" not in text


def test_around_an_entity_that_nothing_names_there_is_nothing(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    chapter = '---\ncharacters: ["[[Corvin]]"]\n---\nAnsel slept.\n'
    session = open_vault(write_vault({"Cast/Ansel.md": PERSON, "Story/01.md": chapter}))
    session.call("sync", {})
    answer = session.call("get_entity_graph", {"center_entity": "Corvin"})
    assert answer.as_text() == "Nothing is connected with Corvin."


def test_without_vectors_neighbours_are_ranked_by_strength_and_the_answer_says_so(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    nodes, text = around_the_quay(open_vault(write_vault(QUAYS)))
    assert nodes == [("North Quay", None), ("Gate", None), ("Upper Quay", None)]
    assert "There are no vectors: entities at the same distance are ordered by strength." in text


def test_what_is_left_out_is_counted(village: Session) -> None:
    answer = ask(village, "get_entity_graph", max_nodes=3, limit=1, min_relation_score=0)
    assert (len(answer["nodes"]), answer["total_nodes"]) == (3, 5)
    assert (len(answer["edges"]), answer["total_edges"]) == (1, 4)
    text = village.call("get_entity_graph", {"max_nodes": 3, "limit": 1}).as_text()
    assert text.startswith("3 of 5 entities, 1 of ")
    assert "3 of 5 entities shown (max_nodes)." in text


def test_an_asserted_relation_leads_from_its_source_and_keeps_its_evidence(
    village: Session,
) -> None:
    answer = ask(village, "get_entity_graph", origins=["asserted"], evidence=1)
    [edge] = answer["edges"]
    assert edges(answer).keys() == {("Ansel", "sibling_of", "Berit")}
    assert edge["evidence"][0]["path"] == "Cast/Ansel.md"
    with pytest.raises(NotFoundError, match=r"'sibling_off'.* Did you mean 'sibling_of'"):
        village.call("get_entity_graph", {"kinds": ["sibling off"]})
    with pytest.raises(NotFoundError, match=r"'brother'. Did you mean 'sibling_of'\?$"):
        village.call("get_entity_graph", {"kinds": ["brother"]})


def test_types_counts_and_topics_are_given_where_asked_for(village: Session) -> None:
    answer = ask(village, "get_entity_graph", entityTypes=["Place"], includeMemoryCounts=True)
    assert [(node["label"], node["passage_count"]) for node in answer["nodes"]] == [("Elmstead", 1)]
    assert ask(village, "get_entity_graph")["nodes"][0]["passage_count"] is None


RUNTIME = {
    "One.md": "Tokio is a Rust async runtime.\n",
    "Two.md": "Axum web framework built on Tokio.\n",
    "Three.md": "PostgreSQL driver for Rust using Tokio.\n",
    **{
        f"{name}.md": f"{name} uses Tokio.\n" for name in ("Redis", "Kafka", "Docker", "Kubernetes")
    },
    **{
        f"{name}.md": f"{name} beside Tokio.\n" for name in ("React", "GraphQL", "MongoDB", "Nginx")
    },
}
"""Twelve technologies: Tokio in all of eleven notes, Rust in two of them, every other in one."""


def test_a_graph_shows_the_neighbourhood_unless_asked_for_less(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(RUNTIME), knowledge_bases=["technical"])
    session.call("sync", {})
    graph = ask(session, "get_entity_graph", center_entity="Tokio", maxDepth=2)
    assert (len(graph["nodes"]), graph["total_nodes"]) == (12, 12)
    # Everything with Tokio; Rust and PostgreSQL stand together once more.
    assert {frozenset((source, target)) for source, _, target in edges(graph)} == {
        frozenset(("Tokio", node["label"])) for node in graph["nodes"][1:]
    } | {frozenset(("Rust", "PostgreSQL"))}


def test_less_important_entities_are_left_out_where_that_is_asked_for(village: Session) -> None:
    # Ansel and Berit have 3 mentions of 13 and the highest ranks; Dagny is mentioned once, alone.
    whole = ask(village, "get_entity_graph")
    importance = {node["label"]: node["importance"] for node in whole["nodes"]}
    assert importance["Dagny"] == round(0.5 * 1 / 11, 4)
    some = ask(village, "get_entity_graph", minEntityImportance=0.4)
    assert {node["label"] for node in some["nodes"]} == {"Ansel", "Berit"}
    around = ask(village, "get_entity_graph", center_entity="Corvin", min_entity_importance=0.4)
    assert {node["label"] for node in around["nodes"]} == {"Ansel", "Berit", "Corvin"}


# -- Files -----------------------------------------------------------------------------------------


def test_a_graph_is_written_only_where_it_is_asked_for(
    own_village: Session, tmp_path: Path
) -> None:
    for name, format in (
        ("graph.html", "html"),
        ("graph.mmd", "mermaid"),
        ("graph.canvas", "canvas"),
        ("graph.graphml", "graphml"),
        ("graph.json", "json"),
    ):
        answer = ask(own_village, "draw_entity_graph", format=format, output=str(tmp_path / name))
        assert answer["written"] == str(tmp_path / name)
        first = (tmp_path / name).read_bytes()
        assert ask(own_village, "draw_entity_graph", format=format, output=str(tmp_path / name))
        assert (tmp_path / name).read_bytes() == first
    assert json.loads(first)["edges"][0]["relation"] == "sibling_of"


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("graph.txt", "ends in .html"),
        ("missing/graph.html", "there is no folder"),
        ("vault/graph.html", "only the folder 'Entity graphs'"),
        ("vault/Story/graph.html", "only the folder 'Entity graphs'"),
        ("mine.html", "not written by this program"),
        ("folder.html", "not written by this program"),
        ("x" * 300 + ".html", "cannot be written: File name too long"),
        ("x" * 245 + ".html", "cannot be written: File name too long"),
        ("x" * 300 + "/graph.html", "cannot be written: File name too long"),
        ("vault/Entity graphs/" + "x" * 300 + "/graph.html", "cannot be written: File"),
    ],
)
def test_no_other_file_is_touched(
    own_village: Session, tmp_path: Path, output: str, reason: str
) -> None:
    (tmp_path / "mine.html").write_text("<p>Mine</p>")
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(RequestError, match=reason):
        own_village.call("draw_entity_graph", {"format": "html", "output": str(tmp_path / output)})
    assert (tmp_path / "mine.html").read_text() == "<p>Mine</p>"


def test_a_canvas_in_the_vault_states_no_relations(own_village: Session) -> None:
    before = ask(own_village, "get_entity_graph", limit=500)
    file = own_village.root / "Entity graphs" / "All.canvas"
    own_village.call("draw_entity_graph", {"format": "canvas", "output": str(file)})
    own_village.call("sync", {})
    assert file.exists()
    assert ask(own_village, "get_entity_graph", limit=500) == before


def test_a_drawing_without_a_name_is_a_page_named_for_what_it_shows(own_village: Session) -> None:
    folder = own_village.root / "Entity graphs"
    for asked, name in (
        ({}, "Entities.html"),
        ({"center_entity": "ansel"}, "Around Ansel.html"),
        ({"center_entity": "Ansel", "as_of": 1}, "Around Ansel as of 1.html"),
        ({"format": "canvas"}, "Entities.canvas"),
    ):
        assert ask(own_village, "draw_entity_graph", **asked)["written"] == str(folder / name)
        assert (folder / name).is_file()


def test_a_drawing_is_named_without_what_a_file_may_not_be_called(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    long = f"Who? {'陽' * 60}"
    sheets = {f"Cast/{name}.md": PERSON for name in ('A "#1" | B', long)}
    session = open_vault(write_vault(sheets))
    session.call("sync", {})
    for entity in session.call("list_entities", {}).model_dump()["entities"]:
        name = Path(ask(session, "draw_entity_graph", center_entity=entity["id"])["written"]).name
        assert name in ("Around A 1 B.html", f"Around Who {'陽' * 39}.html")


def test_what_was_written_is_counted_and_what_was_left_out(own_village: Session) -> None:
    drawn = own_village.call("draw_entity_graph", {"max_nodes": 2, "format": "json"})
    file = own_village.root / "Entity graphs" / "Entities.json"
    data = json.loads(file.read_text())
    assert (len(data["nodes"]), len(data["edges"])) == (2, 2)
    assert drawn.as_text() == (
        f"Written: {file} (2 entities, 2 relations).\n\n2 of 5 entities shown (max_nodes)."
    )


def test_looking_at_a_graph_writes_no_file(own_village: Session, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(RequestError, match="output is not a parameter"):
        own_village.call("get_entity_graph", {"output": str(tmp_path / "graph.json")})
    for form in ("json", "mermaid", "canvas", "graphml"):
        own_village.call("get_entity_graph", {"format": form})
    assert sorted(tmp_path.rglob("*")) == before
    assert not own_village.capabilities["get_entity_graph"].writes
    assert own_village.capabilities["draw_entity_graph"].writes


# -- find_paths ------------------------------------------------------------------------------------


def chains(answer: dict[str, Any]) -> list[str]:
    return [" > ".join(entity["name"] for entity in path["entities"]) for path in answer["paths"]]


def test_a_path_is_told_with_its_strength_and_the_evidence_of_each_step(village: Session) -> None:
    answer = ask(village, "find_paths", entities=["Ansel", "Corvin"], max_hops=2)
    assert chains(answer) == ["Ansel > Berit > Corvin"]
    [path] = answer["paths"]
    assert [step["relation"] for step in path["relations"]] == ["sibling_of", "co_occurs_with"]
    product = path["relations"][0]["weight"] * cosine(1, 3, 1)
    assert path["strength"] == pytest.approx(product, abs=1e-4)
    text = village.call("find_paths", {"entities": ["Corvin", "Ansel"], "max_hops": 2}).as_text()
    assert f"**Corvin → Berit → Ansel (strength {product:.2f})**" in text
    assert "**Berit wrote to Corvin**" in text


def test_as_many_paths_are_shown_as_are_asked_for_and_counted(novel: Session) -> None:
    pair = {"entities": ["Isolde", "Hope"]}
    usual = ask(novel, "find_paths", **pair)
    assert (len(usual["paths"]), usual["total"]) == (20, 50)
    assert len(ask(novel, "find_paths", **pair, max_paths=50)["paths"]) == 50
    few = novel.call("find_paths", {**pair, "maxPaths": 2})
    assert [path["explanation"] for path in few.model_dump()["paths"]] == [
        path["explanation"] for path in usual["paths"][:2]
    ]
    assert few.as_text().endswith(
        "\n\n2 of the 50 best paths shown (max_paths); no others are looked for."
    )
    whole = novel.call("find_paths", {**pair, "max_paths": 50}).as_text()
    assert whole.endswith("\n\n50 of the 50 best paths shown; no others are looked for.")
    with pytest.raises(RequestError, match="max_paths: Input should be less than or equal to 50"):
        novel.call("find_paths", {**pair, "max_paths": 51})
    question = {"query": "Isolde and Hope", "max_hops": 4}
    answer = ask(novel, "reason_over_entities", **question)
    assert (len(answer["paths"]), answer["total_paths"]) == (20, 50)
    all_told = ask(novel, "reason_over_entities", **question, maxPaths=50)
    assert len(all_told["paths"]) == all_told["total_paths"] == 50


def test_a_path_names_its_relations_in_words_and_is_explained_in_the_data(
    village: Session,
) -> None:
    question = {"query": "How did Corvin hear of Ansel?", "max_paths": 1}
    answer = village.call("reason_over_entities", question)
    strength = 0.95 * cosine(1, 3, 1)
    assert answer.model_dump()["paths"][0]["explanation"] == (
        f"Corvin → Berit → Ansel (strength {strength:.2f})"
    )
    assert f"- Corvin — together — Berit ← sibling of — Ansel (strength {strength:.2f})" in (
        answer.as_text()
    )


def test_shortest_paths_come_first_if_asked_for(novel: Session) -> None:
    arguments = {"entities": ["Lin Yue"], "to": ["Søren Hald"]}
    strongest = ask(novel, "find_paths", **arguments, order="strongest")
    shortest = ask(novel, "find_paths", **arguments, order="shortest")
    assert chains(strongest)[0] == "Lin Yue > Vantry > Søren Hald"
    assert chains(shortest)[0] == "Lin Yue > Søren Hald"


def test_who_is_alone_has_no_path(village: Session) -> None:
    assert ask(village, "find_paths", entities=["Dagny", "Ansel"])["paths"] == []
    assert village.call("find_paths", {"entities": ["Dagny", "Ansel"]}).as_text() == "No path."


def test_a_path_from_one_entity_to_nowhere_is_not_looked_for(village: Session) -> None:
    with pytest.raises(RequestError, match="a path has two ends"):
        village.call("find_paths", {"entities": ["Dagny"]})


# -- find_communities ------------------------------------------------------------------------------


def test_a_community_says_who_is_in_it_and_what_binds_them(novel: Session) -> None:
    answer = ask(novel, "find_communities")
    groups = [{member["name"] for member in group["members"]} for group in answer["communities"]]
    assert any({"Ilse Vane", "Søren Hald", "Cormorant"} <= group for group in groups)
    assert any({"Tobias Wren (younger)", "Hope Lascelles"} <= group for group in groups)
    first = answer["communities"][0]
    importances = [member["importance"] for member in first["members"]]
    assert importances == sorted(importances, reverse=True)
    assert first["bonds"][0]["weight"] >= first["average_strength"]
    assert sum(first["kinds"].values()) == first["relation_count"]


def test_members_and_communities_are_limited_and_counted(novel: Session) -> None:
    answer = ask(novel, "find_communities", limit=1, max_members=2, min_size=4)
    assert len(answer["communities"]) == 1 < answer["total"]
    [group] = answer["communities"]
    assert len(group["members"]) == 2 < group["size"]


def test_the_bonds_of_a_community_are_between_those_who_are_listed(novel: Session) -> None:
    asked = {"max_members": 2, "limit": 1}
    [group] = ask(novel, "find_communities", **asked)["communities"]
    listed = {member["id"] for member in group["members"]}
    assert group["bonds"]
    assert all({bond["source"], bond["target"]} <= listed for bond in group["bonds"])
    told = novel.call("find_communities", asked | {"max_members": 1}).as_text()
    assert told.startswith("**Tobias Wren (younger)** (1 of 10 entities, 46 relations)\n\n")


# -- get_relationship_timeline ---------------------------------------------------------------------


def test_a_timeline_has_the_strength_that_each_chapters_graph_has(novel: Session) -> None:
    answer = ask(novel, "get_relationship_timeline", entity="Isolde", other="Aldous")
    assert [point["position"] for point in answer["points"]] == list(range(1, 15))
    for point in answer["points"]:
        graph = ask(
            novel,
            "get_entity_graph",
            center_entity="Isolde",
            max_depth=1,
            min_relation_score=0,
            origins=["co-occurrence"],
            limit=500,
            as_of=point["position"],
        )
        assert point["together"] == edges(graph)["Isolde Marrow", "co_occurs_with", "Aldous Marrow"]


def test_a_relationship_fades_by_the_chapters_read_without_the_two(village: Session) -> None:
    answer = ask(village, "get_relationship_timeline", entity="Berit", other="Corvin")
    strength = [cosine(1, 2, 1), cosine(1, 3, 1), cosine(1, 3, 1)]
    assert [(point["position"], point["strength"]) for point in answer["points"]] == [
        (1, 0.0),
        (2, round(strength[0], 4)),
        (3, round(strength[1], 4)),
        (4, round(strength[2], 4)),
    ]
    left = [point["adjusted_strength"] for point in answer["points"]]
    assert left[2] == round(strength[1] * 0.8 ** (1 / 5), 4)
    assert left[3] == round(strength[2] * 0.8 ** (2 / 5), 4)
    [relation] = answer["relationships"]
    assert (relation["first_position"], relation["last_position"], relation["since_last"]) == (
        2,
        2,
        2,
    )


@pytest.mark.usefixtures("closely")
def test_a_stated_relation_fades_from_the_last_scene_of_the_two(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    sheets = {"Cast/Ansel.md": PERSON, "Cast/Berit.md": PERSON}
    told = {"Story/01.md": "Ansel is the brother of Berit.\n"}
    met = {f"Story/{at:02}.md": "Ansel walked with Berit.\n" for at in range(2, 8)}
    apart = {"Story/08.md": "Ansel slept.\n\n***\n\nBerit left.\n", "Story/09.md": "Rain.\n"}
    session = open_vault(write_vault(sheets | told | met | apart))
    session.call("sync", {})
    answer = ask(session, "get_relationship_timeline", entity="Ansel", other="Berit")
    relations = {one["relation"]: one for one in answer["relationships"]}
    # Stated once with a confidence of 0.9; the last scene of both is in chapter 7 of 9.
    assert relations["sibling_of"]["original_strength"] == 0.9
    for one in relations.values():
        assert one["since_last"] == 2
        left = one["original_strength"] * 0.8 ** (2 / 5)
        assert one["adjusted_strength"] == pytest.approx(left, abs=1e-4)
    last = answer["points"][-1]
    assert last["adjusted_strength"] == relations["sibling_of"]["adjusted_strength"] == 0.8231
    everybody = ask(session, "get_relationship_timeline", entity="Ansel")
    assert everybody["relationships"] == answer["relationships"]


def test_who_never_met_fade_from_the_last_that_was_said_of_them(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    sheets = {"Cast/Ansel.md": PERSON, "Cast/Berit.md": PERSON}
    scene = '---\nrelationships: "[[Ansel]] is the brother of [[Berit]]."\n---\nRain.\n'
    rain = {f"Story/{at:02}.md": "Rain.\n" for at in (2, 3)}
    session = open_vault(write_vault(sheets | rain | {"Story/01.md": scene}))
    session.call("sync", {})
    for asked in ({"other": "Berit"}, {}):
        answer = ask(session, "get_relationship_timeline", entity="Ansel", **asked)
        for one in answer["relationships"]:
            assert one["since_last"] == 2


def test_by_days_two_have_no_strength_chapter_by_chapter(village: Session) -> None:
    arguments = {"entity": "Ansel", "other": "Berit", "clock": "days"}
    answer = village.call("get_relationship_timeline", arguments)
    assert (answer.model_dump()["points"], answer.model_dump()["total"]) == ([], 2)
    assert "| position | chapter |" not in answer.as_text()
    assert (
        len(
            village.call("get_relationship_timeline", {**arguments, "limit": 1}).model_dump()[
                "relationships"
            ]
        )
        == 1
    )


def test_a_timeline_has_only_what_is_strong_enough_and_told_by_then(village: Session) -> None:
    pair = {"entity": "Ansel", "other": "Berit"}
    strong = ask(village, "get_relationship_timeline", **pair, minStrength=0.9)
    assert [one["relation"] for one in strong["relationships"]] == ["sibling_of"]
    assert {point["together"] for point in strong["points"]} == {0.0}
    within = ask(village, "get_relationship_timeline", **pair, timeRange={"start": 2, "end": 3})
    assert [point["position"] for point in within["points"]] == [2, 3]
    early = ask(village, "get_relationship_timeline", entity="Berit", to_position=1)
    ends = {one[end]["name"] for one in early["relationships"] for end in ("source", "target")}
    assert ends == {"Ansel", "Berit", "Elmstead"}  # Corvin comes in chapter 2


@pytest.mark.usefixtures("closely")
def test_a_timeline_counts_only_the_kinds_and_origins_asked_for(own_village: Session) -> None:
    def strongest(**asked: Any) -> tuple[int, float]:
        answer = ask(
            own_village,
            "get_relationship_timeline",
            entity="Ansel",
            other="Berit",
            as_of=3,
            **asked,
        )
        return len(answer["relationships"]), max(one["strength"] for one in answer["points"])

    own_village.root.joinpath("Story/02.md").write_text("Ansel is the brother of Berit.\n")
    own_village.call("sync", {})
    assert strongest(kinds=["sibling_of"]) == (1, 0.9)
    own_village.root.joinpath("Story/02.md").write_text("Ansel is the father of Berit.\n")
    own_village.call("sync", {})
    assert strongest(kinds=["child of"]) == (1, 0.9)
    assert strongest(origins=["asserted"]) == (2, 0.9)  # chapter 1 says that they met
    assert strongest(origins=["co-occurrence"])[1] < 0.9


def test_a_timeline_shows_a_bond_that_has_faded_to_nothing(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    alone = "# Night\n\nAnsel slept until the bell rang across the water, and nobody came.\n\n" * 15
    sheets = {"Cast/Ansel.md": PERSON, "Cast/Berit.md": PERSON}
    chapters = {f"Story/{at:02}.md": alone for at in range(2, 30)}
    root = write_vault(sheets | chapters | {"Story/01.md": "Ansel met Berit.\n"})
    session = open_vault(root, chunk_target=20, chunk_limit=40)
    session.call("sync", {})
    answer = session.call("get_relationship_timeline", {"entity": "Ansel", "other": "Berit"})
    assert answer.as_text().startswith("No relationship of Ansel with Berit any more.\n\n")
    with pytest.raises(RequestError, match="are the same entity"):
        ask(session, "get_relationship_timeline", entity="Ansel", other="Ansel")


def test_by_days_four_fifths_are_left_after_thirty(own_village: Session) -> None:
    for days, part in ((10, 1.0), (31, 0.8)):
        then = time.time() - days * 86_400 - 60
        for file in own_village.root.rglob("*.md"):
            os.utime(file, (then, then))
            file.write_text(file.read_text() + "\n")
            os.utime(file, (then, then))
        own_village.call("sync", {})
        answer = ask(own_village, "get_relationship_timeline", entity="Corvin", clock="days")
        first = answer["relationships"][0]
        assert first["since_last"] == days
        assert first["adjusted_strength"] == pytest.approx(
            part * first["original_strength"], abs=1e-4
        )


# -- reason_over_entities --------------------------------------------------------------------------


def test_a_question_is_answered_by_way_of_the_entities_it_names(novel: Session) -> None:
    answer = ask(novel, "reason_over_entities", query="What binds Lin Yue to Søren Hald?")
    assert [one["entity"]["name"] for one in answer["query_entities"]] == ["Lin Yue", "Søren Hald"]
    names = [[entity["name"] for entity in path["entities"]] for path in answer["paths"]]
    assert names[0] == ["Lin Yue", "Vantry", "Søren Hald"]
    best = answer["results"][0]
    assert {"Lin Yue", "Søren Hald"} & {entity["name"] for entity in best["mentioned_entities"]}
    scores = [result["score"] for result in answer["results"]]
    assert scores == sorted(scores, reverse=True)


LEADING = (
    "Isolde Marrow",
    "Aldous Marrow",
    "Marguerite Marrow",
    "Tobias Wren (younger)",
    "Tobias Wren (elder)",
    "Séraphine O'Dara",
    "Hope Lascelles",
    "Ilse Vane",
    "James Ferris",
    "Perrin",
)


def test_of_any_two_leading_people_the_first_passage_proves_how_they_are_connected(
    novel: Session,
) -> None:
    for one, other in itertools.combinations(LEADING, 2):
        answer = ask(novel, "reason_over_entities", query=f"How is {one} connected with {other}?")
        steps = [{step["source"], step["target"]} for step in answer["paths"][0]["relations"]]
        named = {entity["id"] for entity in answer["results"][0]["mentioned_entities"]}
        assert any(step <= named for step in steps), (one, other)
        for passage in answer["results"]:
            assert bool(passage["entity_score"]) == bool(passage["mentioned_entities"])


def test_how_important_and_connected_those_are_that_a_question_names_is_told(
    village: Session,
) -> None:
    nodes = ask(village, "get_entity_graph", min_relation_score=0)["nodes"]
    [named] = ask(village, "reason_over_entities", query="Where is Berit?")["query_entities"]
    # She is together with Ansel, Elmstead and Corvin.
    assert named["degree"] == 3
    assert named["importance"] == next(
        node["importance"] for node in nodes if node["label"] == "Berit"
    )


def test_a_relation_in_a_property_proves_a_path_and_comes_first(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    sheet = '---\ntype: person\nspouse: "[[Ben]]"\n---\nA baker.\n'
    chapters = {
        "Story/01.md": "Ann was connected with the guild of bakers.\n",
        "Story/02.md": "Ben was connected with nobody.\n",
    }
    session = open_vault(write_vault({"Cast/Ann.md": sheet, "Cast/Ben.md": PERSON} | chapters))
    session.call("sync", {})
    answer = ask(session, "reason_over_entities", query="How is Ann connected with Ben?")
    first = answer["results"][0]
    assert (first["path"], first["excerpt"]) == ("Cast/Ann.md", "spouse: Ben")
    assert {entity["name"] for entity in first["mentioned_entities"]} == {"Ann", "Ben"}
    assert first["entity_score"] == max(one["importance"] for one in answer["query_entities"])


def test_the_passages_found_via_entities_are_shared_among_them(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    sheets = {"Cast/Ansel.md": PERSON, "Cast/Corvin.md": PERSON}
    chapters = {f"Story/{at:02}.md": "Ansel slept in the rain.\n" for at in range(1, 7)}
    session = open_vault(write_vault(sheets | chapters | {"Story/07.md": "Corvin went home.\n"}))
    session.call("sync", {})
    # No word of the question is found, so the answer begins with the passages of its entities.
    question = {"query": "Ansell? Corvinn?", "max_entities": 2}
    answer = ask(session, "reason_over_entities", **question)
    walked = {one["path"]: one["walk_score"] for one in answer["results"]}
    assert walked["Story/01.md"] == 1
    assert 0 < walked["Story/07.md"] < 1


def test_a_question_is_answered_by_way_of_those_relations_and_entities_asked_for(
    village: Session,
) -> None:
    def paths(**asked: Any) -> list[str]:
        question = {"query": "How did Corvin hear of Ansel?", "max_hops": 3}
        answer = ask(village, "reason_over_entities", **question, **asked)
        assert answer["total_paths"] == len(answer["paths"])
        return chains(answer)

    assert paths() == ["Corvin > Berit > Ansel", "Corvin > Berit > Elmstead > Ansel"]
    assert paths(minStrength=0.2) == ["Corvin > Berit > Ansel"]  # Berit and Elmstead share a note
    assert paths(min_entity_importance=0.3) == ["Corvin > Berit > Ansel"]
    assert paths(relationshipTypes=["siblingOf"]) == []


def test_a_misspelt_name_is_found_by_likeness_and_a_stranger_is_not(novel: Session) -> None:
    misspelt = ask(novel, "reason_over_entities", query="Was Isolde Marow at Harowmouth?")
    found = [(one["entity"]["name"], one["method"]) for one in misspelt["query_entities"]]
    assert found == [("Isolde Marrow", "detected"), ("Harrowmouth", "similar")]
    stranger = ask(novel, "reason_over_entities", query="Was it raining in the morning?")
    assert stranger["query_entities"] == []
    assert stranger["paths"] == []


def test_of_one_entity_alone_what_is_near_is_told(novel: Session) -> None:
    answer = ask(novel, "reason_over_entities", query="Cormorant", max_hops=1)
    assert answer["paths"][0]["entities"][0]["name"] == "Cormorant"
    assert {path["length"] for path in answer["paths"]} == {1}


def test_of_ten_entities_in_a_question_only_so_many_are_taken(novel: Session) -> None:
    query = "Isolde, Aldous, Hope, Toby and Captain Vane"
    answer = ask(novel, "reason_over_entities", query=query, max_query_entities=2)
    assert len(answer["query_entities"]) == 2


def test_the_names_that_others_give_to_parameters_are_understood(village: Session) -> None:
    for name in ("get_entity_history", "analyze_entity_evolution", "get_relationship_timeline"):
        assert ask(village, name, entityName="Corvin") == ask(village, name, entity="Corvin")
    early = ask(village, "list_entities", as_of=2)
    assert ask(village, "list_entities", maxSequence=2) == early
    assert ask(village, "list_entities", max_sequence="02") == early
    kinds = {"relationshipTypes": ["co_occurs_with"]}
    graph = ask(village, "get_entity_graph", minStrength=0, **kinds)
    assert {edge["relation"] for edge in graph["edges"]} == {"co_occurs_with"}


HISTORY = {
    "Cast/Ansel.md": PERSON,
    "Cast/Berit.md": PERSON,
    "Cast/Corvin.md": PERSON,
    "Story/01.md": "Ansel is the brother of Berit.\n",
    "Story/02.md": "Berit is the mother of Corvin.\n",
    "Story/03.md": "Ansel is dead.\n",
}


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({}, ["first appears, as Ansel", "is a sibling of Berit", "dead"]),
        ({"maxRelationshipDegrees": 0}, ["first appears, as Ansel", "dead"]),
        (
            {"max_relationship_degrees": 2, "kinds": ["relationship_added"]},
            ["is a sibling of Berit", "is a parent of Corvin"],
        ),
        ({"includeEvolution": False}, ["first appears, as Ansel"]),
        ({"timeRange": {"start": 2}}, ["dead"]),
        ({"time_range": {"end": 1}}, ["first appears, as Ansel", "is a sibling of Berit"]),
    ],
)
@pytest.mark.usefixtures("closely")
def test_a_history_is_as_wide_and_as_long_as_is_asked_for(
    read_vault: ReadVault, asked: dict[str, Any], told: list[str]
) -> None:
    session = read_vault(HISTORY)
    changes = ask(session, "get_entity_history", entityName="Ansel", **asked)["changes"]
    assert [change["text"] for change in changes] == told
    whose = {change["text"]: change["entity"]["name"] for change in changes}
    assert whose.get("is a parent of Corvin", "Berit") == "Berit"


def test_a_time_range_of_another_shape_is_explained(village: Session) -> None:
    with pytest.raises(RequestError, match="timeRange has a `start` and an `end`"):
        village.call("analyze_entity_evolution", {"entity": "Ansel", "timeRange": {"from": 2}})
    within = ask(village, "analyze_entity_evolution", entity="Ansel", timeRange={"start": 2})
    assert [chapter["position"] for chapter in within["chapters"]] == [3]


@pytest.mark.usefixtures("closely")
def test_an_evolution_tells_what_changes_in_words(read_vault: ReadVault) -> None:
    session = read_vault(HISTORY)
    told = session.call("analyze_entity_evolution", {"entity": "Ansel"}).as_text()
    assert "| 1 | 01 | 1 | Ansel | first appears, new relation |" in told
    assert "| 3 | 03 | 1 | Ansel | new status |" in told


def test_no_relation_is_of_an_origin_that_the_graph_does_not_have(village: Session) -> None:
    with pytest.raises(RequestError, match=r"origins.*'asserted' or 'co-occurrence'"):
        village.call("get_entity_graph", {"origins": ["inferred"]})


@pytest.mark.anyio
async def test_a_graph_that_is_shortened_counts_the_relations_that_it_shows(
    novel: Session,
) -> None:
    told = (await _graph_of(novel, "text", 300)).content[0].text
    counts = re.findall(r"(\d+) of \d+ (?:relations|edges)", told)
    assert counts == [str(len(re.findall(r"^- ", told, re.MULTILINE)))] * 3
    graph = (await _graph_of(novel, "data", 1_000)).structured_content
    assert graph["edges"]
    ends = {end for edge in graph["edges"] for end in (edge["source"], edge["target"])}
    assert ends <= {node["id"] for node in graph["nodes"]}


async def _graph_of(session: Session, form: AnswerForm, tokens: int) -> Any:
    options = ServerOptions(tools=["all"], answers=form, answer_tokens=tokens)
    async with Client(build_server(session, options=options)) as client:
        return await client.call_tool("get_entity_graph", {})
