"""A drawing: what to show of a graph, also as Mermaid, canvas, GraphML."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.etree import ElementTree

from writeros_entities.graph.network import Intervals, holds_at
from writeros_entities.vault.canvas import GENERATOR


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """An entity: `id` is its key, `x` and `y` are coordinates in units of the distance of nodes.

    `names` has the names by which it goes, each with the reading position it is met from, the last
    one its own; `since` is the position from which a reader knows of it (None: never, under
    `as_of`). `path` is that of its note, if it has a visible one.
    """

    id: str
    name: str
    type: str
    mentions: int
    importance: float
    x: float
    y: float
    since: int | None
    names: tuple[tuple[int | None, str], ...] = ()
    path: str | None = None


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    """A relation from one entity to another; a co-occurrence is undirected.

    `over` has the intervals of reading positions in which it is over.
    """

    source: str
    target: str
    kind: str
    origin: str
    strength: float
    count: int
    first: int | None
    last: int | None
    since: int | None
    over: Intervals = ()

    @property
    def has_ended(self) -> bool:
        """Whether it is over in the end, and has not begun again."""
        return holds_at(self.over)

    @property
    def is_directed(self) -> bool:
        """Whether it leads from source to target only."""
        return self.origin != "co-occurrence"

    @property
    def label(self) -> str:
        """The kind in words, such as `parent of`; `together` for a co-occurrence."""
        return self.kind.replace("_", " ") if self.is_directed else "together"


@dataclass(frozen=True)
class Drawing:
    """Nodes and edges, and the (reading position, title) pairs for the slider of a page."""

    title: str
    nodes: Sequence[DrawnNode]
    edges: Sequence[DrawnEdge]
    positions: Sequence[tuple[int, str]] = field(default_factory=tuple)


_PLAIN = frozenset(" ,'’")


def as_mermaid(drawing: Drawing) -> str:
    """Return the flowchart; labels contain only plain characters and character references."""
    numbers = {node.id: f"n{at}" for at, node in enumerate(drawing.nodes)}
    types = {name: f"t{at}" for at, name in enumerate(sorted({n.type for n in drawing.nodes}))}
    lines = [f"%% {GENERATOR}", "flowchart LR"]
    for node in drawing.nodes:
        lines.append(f'    {numbers[node.id]}["{escape(node.name)}"]:::{types[node.type]}')
    for edge in drawing.edges:
        line = "-.->" if edge.has_ended else "-->" if edge.is_directed else "---"
        label = f"{escape(edge.label)} {edge.strength:.2f}"
        lines.append(f'    {numbers[edge.source]} {line}|"{label}"| {numbers[edge.target]}')
    for at, name in enumerate(types.values()):
        lines.append(f"    classDef {name} fill:#{_shade(at)},color:#111")
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    """Return a text with all characters that Mermaid or HTML may interpret as references."""
    words = " ".join(text.split())
    return "".join(char if char.isalnum() or char in _PLAIN else f"#{ord(char)};" for char in words)


def _shade(number: int) -> str:
    from colorsys import hls_to_rgb

    red, green, blue = hls_to_rgb((number * 0.381966) % 1, 0.85, 0.6)
    return "".join(f"{round(part * 255):02x}" for part in (red, green, blue))


WIDTH, HEIGHT = 260, 60
_GAP = 140
_COLOURS = 6
_MARKUP = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~=$^%&:@])")


def as_canvas(drawing: Drawing) -> str:
    """Return the canvas: a card for each entity, embedding its note if it has one, and arrows."""
    import numpy as np

    from writeros_entities.graph.layout import snap_to_grid

    types = sorted({node.type for node in drawing.nodes})
    places = np.array([(node.x, node.y) for node in drawing.nodes]).reshape(-1, 2)
    cells = snap_to_grid(places, WIDTH + _GAP, HEIGHT + _GAP)
    cards = [
        _card(node, int(x), int(y), types.index(node.type) % _COLOURS + 1)
        for node, (x, y) in zip(drawing.nodes, cells, strict=True)
    ]
    arrows = [_arrow(edge, number) for number, edge in enumerate(drawing.edges)]
    content = {"metadata": {"generator": GENERATOR}, "nodes": cards, "edges": arrows}
    return json.dumps(content, ensure_ascii=False, indent="\t") + "\n"


def _card(node: DrawnNode, x: int, y: int, colour: int) -> dict[str, object]:
    place = {"x": x, "y": y, "width": WIDTH, "height": HEIGHT, "color": str(colour)}
    if node.path is not None:
        return {"id": node.id, "type": "file", "file": node.path, **place}
    return {"id": node.id, "type": "text", "text": _MARKUP.sub(r"\\\1", node.name), **place}


def _arrow(edge: DrawnEdge, number: int) -> dict[str, object]:
    return {
        "id": f"edge-{number}",
        "fromNode": edge.source,
        "toNode": edge.target,
        "toEnd": "arrow" if edge.is_directed else "none",
        "label": edge.label + (" (over)" if edge.has_ended else ""),
    }


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
