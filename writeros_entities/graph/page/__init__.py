"""Export a drawing as a single HTML page that works offline.

The page contains its style, its program, the graph, and Cytoscape.js (MIT, see
`cytoscape.LICENSE.txt`; `make library` refreshes it). Its content security policy allows these
scripts by their hashes and nothing else. The graph is JSON in which `<`, `>` and `&` are escaped,
and is inserted as text only, so that nothing in a vault can become markup.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from importlib import resources
from typing import TYPE_CHECKING

from writeros_entities.values import ALWAYS
from writeros_entities.vault.canvas import GENERATOR

if TYPE_CHECKING:
    from writeros_entities.graph.drawing import Drawing, DrawnEdge, DrawnNode

LIBRARY_VERSION = "3.34.4"
LIBRARY_SHA256 = "081591ab735b2b6a3b31a3c60f8f3a3e2fee8c92939e0c7820ad1208571b6cd8"
"""The hash of `cytoscape.min.js` as published."""

_SCALE = 52
"""Pixels per unit of distance."""

_ESCAPES = {
    "<": "\\u003c",
    ">": "\\u003e",
    "&": "\\u0026",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}


def as_page(drawing: Drawing) -> str:
    """Return the page as HTML."""
    library = _read("cytoscape.min.js")
    program = _read("page.js")
    parts = {
        "title": html.escape(drawing.title),
        "generator": GENERATOR,
        "scripts": " ".join(f"'sha256-{_digest(script)}'" for script in (library, program)),
        "style": _read("page.css"),
        "library": library,
        "program": program,
        "graph": _escaped(_data(drawing)),
    }
    page = _read("page.html")
    pieces = page.split("{{")
    filled = [pieces[0]]
    for piece in pieces[1:]:
        name, _, rest = piece.partition("}}")
        filled += [parts[name], rest]
    return "".join(filled)


def _data(drawing: Drawing) -> dict[str, object]:
    return {
        "nodes": [_node(node) for node in drawing.nodes],
        "edges": [_edge(edge) for edge in drawing.edges],
        "positions": [list(position) for position in drawing.positions],
    }


def _node(node: DrawnNode) -> dict[str, object]:
    return {
        "id": node.id,
        "name": node.name,
        "names": [[_since(since), name] for since, name in node.names],
        "type": node.type,
        "mentions": node.mentions,
        "importance": node.importance,
        "since": _since(node.since),
        "x": round(node.x * _SCALE),
        "y": round(node.y * _SCALE),
    }


def _edge(edge: DrawnEdge) -> dict[str, object]:
    return {
        "source": edge.source,
        "target": edge.target,
        "kind": edge.label,
        "directed": edge.is_directed,
        "strength": edge.strength,
        "count": edge.count,
        "first": edge.first,
        "last": edge.last,
        "since": _since(edge.since),
        "over": [[_since(since), until] for since, until in edge.over],
    }


def _since(position: int | None) -> int | None:
    """Return a position for JavaScript: no less than `ALWAYS`, which compares exactly; None for
    never.
    """
    return ALWAYS if position is not None and position <= ALWAYS else position


def _escaped(data: dict[str, object]) -> str:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for char, escape in _ESCAPES.items():
        text = text.replace(char, escape)
    return text


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _read(name: str) -> str:
    return resources.files(__name__).joinpath(name).read_bytes().decode()
