"""Export a drawing as GraphML (http://graphml.graphdrawing.org), for Gephi, yEd and the like."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from writeros_entities.vault.canvas import GENERATOR

if TYPE_CHECKING:
    from writeros_entities.graph.drawing import Drawing

NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_NODE_KEYS = {"label": "string", "type": "string", "mentions": "int", "importance": "double"}
_EDGE_KEYS = {
    "kind": "string",
    "origin": "string",
    "weight": "double",
    "evidence": "int",
    "first": "int",
    "last": "int",
    "ended": "boolean",
}
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_graphml(drawing: Drawing) -> str:
    """Return the graph as XML; characters that XML cannot hold become U+FFFD."""
    root = ElementTree.Element("graphml", {"xmlns": NAMESPACE})
    root.append(ElementTree.Comment(f" {GENERATOR} "))
    for target, keys in (("node", _NODE_KEYS), ("edge", _EDGE_KEYS)):
        for name, kind in keys.items():
            attributes = {"id": f"{target}-{name}", "for": target}
            ElementTree.SubElement(root, "key", attributes | {"attr.name": name, "attr.type": kind})
    graph = ElementTree.SubElement(root, "graph", {"id": "entities", "edgedefault": "directed"})
    for node in drawing.nodes:
        element = ElementTree.SubElement(graph, "node", {"id": _clean(node.id)})
        _describe(
            element,
            "node",
            {
                "label": node.name,
                "type": node.type,
                "mentions": node.mentions,
                "importance": node.importance,
            },
        )
    for number, edge in enumerate(drawing.edges):
        ends = {"source": _clean(edge.source), "target": _clean(edge.target)}
        directed = "true" if edge.is_directed else "false"
        element = ElementTree.SubElement(
            graph, "edge", {"id": f"edge-{number}", "directed": directed, **ends}
        )
        _describe(
            element,
            "edge",
            {
                "kind": edge.kind,
                "origin": edge.origin,
                "weight": edge.strength,
                "evidence": edge.count,
                "first": edge.first,
                "last": edge.last,
                "ended": "true" if edge.has_ended else None,
            },
        )
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _describe(element: ElementTree.Element, target: str, values: dict[str, object]) -> None:
    for name, value in values.items():
        if value is not None:
            data = ElementTree.SubElement(element, "data", {"key": f"{target}-{name}"})
            data.text = _clean(str(value))


def _clean(text: str) -> str:
    return _NOT_IN_XML.sub("\ufffd", text)
