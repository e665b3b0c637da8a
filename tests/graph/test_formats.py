"""Drawings: whatever a name is, each format stays what it is."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from writeros_entities.graph.drawing import (
    NAMESPACE,
    Drawing,
    DrawnEdge,
    DrawnNode,
    as_canvas,
    as_graphml,
    as_mermaid,
)
from writeros_entities.graph.page import as_page
from writeros_entities.vault.canvas import parse_canvas

from .labels import HOSTILE

UNPRINTABLE = ("]]> & <b>\x00\x1f", "\ud800")


def drawing_of(names: list[str]) -> Drawing:
    nodes = [
        DrawnNode(f"e{at}", name, name, 1, 0.5, float(at), 0.0, 1) for at, name in enumerate(names)
    ]
    edges = [
        DrawnEdge("e0", f"e{at}", name, "asserted", 0.75, 1, 1, None, 1)
        for at, name in enumerate(names)
        if at
    ]
    return Drawing(names[0], nodes, edges)


CANVAS_SCHEMA = {
    "type": "object",
    "required": ["nodes", "edges"],
    "properties": {
        "metadata": {"type": "object"},
        "nodes": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["id", "type", "x", "y", "width", "height"],
                "additionalProperties": False,
                "properties": {
                    "id": {"type": "string"},
                    "type": {"enum": ["text", "file", "link", "group"]},
                    "text": {"type": "string"},
                    "file": {"type": "string"},
                    "x": {"type": "integer"},
                    "y": {"type": "integer"},
                    "width": {"type": "integer", "exclusiveMinimum": 0},
                    "height": {"type": "integer", "exclusiveMinimum": 0},
                    "color": {"pattern": "^([1-6]|#[0-9a-fA-F]{6})$"},
                },
                "allOf": [
                    {
                        "if": {"properties": {"type": {"const": kind}}},
                        "then": {"required": [kind]},
                    }
                    for kind in ("text", "file")
                ],
            },
        },
        "edges": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["id", "fromNode", "toNode"],
                "additionalProperties": False,
                "properties": {
                    "id": {"type": "string"},
                    "fromNode": {"type": "string"},
                    "toNode": {"type": "string"},
                    "toEnd": {"enum": ["none", "arrow"]},
                    "label": {"type": "string"},
                },
            },
        },
    },
}
"""JSON Canvas 1.0, as far as it is used here."""


@pytest.mark.parametrize("name", HOSTILE + UNPRINTABLE)
def test_mermaid_has_only_safe_labels(name: str) -> None:
    lines = as_mermaid(drawing_of(["Isolde", name])).splitlines()
    assert lines[1:3] == ["flowchart LR", '    n0["Isolde"]:::t0'] or lines[2].startswith("    n0")
    label = r'"(?:\w|[ ,\'’]|#\d+;|\d\.\d\d)*"'
    node = rf"    n\d\[{label}\]:::t\d"
    edge = rf"    n\d -->\|{label}\| n\d"
    style = r"    classDef t\d fill:#[0-9a-f]{6},color:#111"
    for line in lines[2:]:
        assert re.fullmatch(f"{node}|{edge}|{style}", line), line


def test_mermaid_shows_who_is_connected_with_whom() -> None:
    edge = DrawnEdge("e0", "e1", "parent_of", "asserted", 0.95, 1, 1, 1, 1)
    together = DrawnEdge("e1", "e0", "co_occurs_with", "co-occurrence", 0.5, 1, 1, 1, 1)
    nodes = drawing_of(["Ann", "Bea (old)"]).nodes
    text = as_mermaid(Drawing("x", nodes, [edge, together]))
    assert '    n1["Bea #40;old#41;"]:::t1' in text
    assert '    n0 -->|"parent of 0.95"| n1\n    n1 ---|"together 0.50"| n0\n' in text


@given(
    st.lists(st.one_of(st.text(), st.sampled_from(HOSTILE + UNPRINTABLE)), min_size=1, max_size=5)
)
def test_any_name_survives_graphml(names: list[str]) -> None:
    root = ElementTree.fromstring(as_graphml(drawing_of(names)).encode("utf-8", "strict"))
    labels = [
        data.text or ""
        for node in root.iter(f"{{{NAMESPACE}}}node")
        for data in node
        if data.get("key") == "node-label"
    ]
    kept = [name for name in names if re.fullmatch("[\t\x20-\ud7ff]*", name)]
    assert len(labels) == len(names)
    assert [label for label, name in zip(labels, names, strict=True) if name in kept] == kept
    assert len(list(root.iter(f"{{{NAMESPACE}}}edge"))) == len(names) - 1


@given(
    st.lists(st.one_of(st.text(), st.sampled_from(HOSTILE + UNPRINTABLE)), min_size=1, max_size=8)
)
def test_any_name_survives_a_canvas(names: list[str]) -> None:
    import jsonschema  # type: ignore[import-untyped]  # the library ships no types

    text = as_canvas(drawing_of(names))
    content = json.loads(text)
    jsonschema.validate(content, CANVAS_SCHEMA)
    cells = [(card["x"], card["y"]) for card in content["nodes"]]
    assert len(set(cells)) == len(names)
    ends = {end for edge in content["edges"] for end in (edge["fromNode"], edge["toNode"])}
    assert ends <= {card["id"] for card in content["nodes"]}


def test_a_card_shows_a_name_and_no_markup() -> None:
    [card] = json.loads(as_canvas(drawing_of(["[[Isolde]] *x*"])))["nodes"]
    assert card["text"] == r"\[\[Isolde\]\] \*x\*"


def test_a_canvas_that_the_program_drew_states_nothing() -> None:
    drawn = as_canvas(drawing_of(["Ann", "Bea"])).encode()
    assert (
        parse_canvas("Graph.canvas", drawn).nodes,
        parse_canvas("Graph.canvas", drawn).edges,
    ) == ((), ())


@given(
    st.lists(st.one_of(st.text(), st.sampled_from(HOSTILE + UNPRINTABLE)), min_size=1, max_size=5)
)
def test_any_name_reaches_the_page_as_data(names: list[str]) -> None:
    text = as_page(drawing_of(names))
    graph = text.partition('type="application/json">')[2].partition("</script>")[0]
    assert [node["name"] for node in json.loads(graph)["nodes"]] == names
    assert text.count("</script>") == 3


def test_what_is_over_looks_so_in_every_format() -> None:
    over = DrawnEdge("e0", "e1", "ally_of", "asserted", 0.95, 1, 1, 2, 1, over=((2, None),))
    again = DrawnEdge("e0", "e1", "owns", "asserted", 0.5, 1, 1, 3, 1, over=((2, 3),))
    drawing = Drawing("x", drawing_of(["Ann", "Bea"]).nodes, [over, again])
    text = as_mermaid(drawing)
    assert '    n0 -.->|"ally of 0.95"| n1\n    n0 -->|"owns 0.50"| n1\n' in text
    labels = [edge["label"] for edge in json.loads(as_canvas(drawing))["edges"]]
    assert labels == ["ally of (over)", "owns"]
    root = ElementTree.fromstring(as_graphml(drawing))
    ended = [
        [data.text for data in edge if data.get("key") == "edge-ended"]
        for edge in root.iter(f"{{{NAMESPACE}}}edge")
    ]
    assert ended == [["true"], []]
