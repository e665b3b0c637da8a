"""Export a drawing as an Obsidian canvas: JSON Canvas 1.0 (https://jsoncanvas.org/spec/1.0)."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from writeros_entities.vault.canvas import GENERATOR

if TYPE_CHECKING:
    from writeros_entities.graph.drawing import Drawing, DrawnEdge, DrawnNode

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
