"""Read `.canvas` files (JSON Canvas 1.0)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from writeros_entities.names import storable
from writeros_entities.values import JSON, Diagnostic, Link
from writeros_entities.vault.files.disk import BYTE_ORDER_MARK
from writeros_entities.vault.markdown.plain_text import seen_value

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n]*")

GENERATOR = "writeros-entities"
"""`metadata.generator` of canvases made by this program; they are no statements of the writer."""


@dataclass(frozen=True, slots=True)
class CanvasNode:
    """A card: `text` of a text card, `file` of a file, `url` of a web page, `label` of a group.

    Links inside a text card are not extracted: Obsidian lists no backlinks for them either.
    """

    id: str
    type: str
    text: str = ""
    file: str = ""
    subpath: str = ""
    url: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class CanvasEdge:
    """A line between two cards, with an arrowhead at `to_node` unless the canvas says otherwise.

    `start` and `end` are the span of its JSON object in the file.
    """

    id: str
    from_node: str
    to_node: str
    label: str = ""
    from_arrow: bool = False
    to_arrow: bool = True
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Canvas:
    """The content of a canvas; `links` are its file cards, `text` is the decoded file."""

    path: str
    text: str = ""
    nodes: tuple[CanvasNode, ...] = ()
    edges: tuple[CanvasEdge, ...] = ()
    links: tuple[Link, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def parse_canvas(path: str, data: bytes) -> Canvas:
    """Parse the canvas at `path`; problems become diagnostics, not exceptions."""
    text = ""
    try:
        text = data.decode("utf-8")
        content = json.loads(text.removeprefix(BYTE_ORDER_MARK) or "{}")
    except (ValueError, RecursionError) as error:
        return Canvas(path, text, diagnostics=(_broken(f"it is not valid JSON ({error})"),))
    if not isinstance(content, dict):
        return Canvas(path, text, diagnostics=(_broken("it is not a JSON object"),))
    if isinstance(made := content.get("metadata"), dict) and made.get("generator") == GENERATOR:
        return Canvas(path, text)
    nodes: dict[str, CanvasNode] = {}
    for item in _objects(content.get("nodes")):
        node = CanvasNode(
            *(_text(item, key) for key in ("id", "type", "text", "file", "subpath", "url", "label"))
        )
        if node.id and node.type:
            nodes.setdefault(node.id, node)
    edges: list[CanvasEdge] = []
    loose = 0
    items = _objects(content.get("edges"))
    for item, (start, end) in zip(items, _edge_spans(text, len(items)), strict=True):
        edge = CanvasEdge(
            id=_text(item, "id"),
            from_node=_text(item, "fromNode"),
            to_node=_text(item, "toNode"),
            label=seen_value(_text(item, "label")),
            from_arrow=_text(item, "fromEnd") == "arrow",
            to_arrow=_text(item, "toEnd") != "none",
            start=start,
            end=end,
        )
        if edge.from_node in nodes and edge.to_node in nodes:
            edges.append(edge)
        else:
            loose += 1
    diagnostics = (_broken(f"{loose} of its edges lead to no card"),) if loose else ()
    links = tuple([_link(node) for node in nodes.values() if node.type == "file" and node.file])
    return Canvas(path, text, tuple(nodes.values()), tuple(edges), links, diagnostics)


def _edge_spans(text: str, number: int) -> list[tuple[int, int]]:
    """Return the spans of the objects in the top-level list `edges` of a valid canvas.

    If the key occurs twice, the last one counts, as in Python's `json`.
    """
    spans: list[tuple[int, int]] = []
    at = _after_space(text, text.index("{") + 1) if number else len(text)
    while at < len(text) and text[at] != "}":
        key, at = _DECODER.raw_decode(text, at)
        at = _after_space(text, _after_space(text, at) + 1)
        begin = at
        _, at = _DECODER.raw_decode(text, at)
        if key == "edges" and text[begin] == "[":
            spans = list(_object_spans(text, begin + 1))
        at = _after_space(text, at)
        at = _after_space(text, at + 1) if text[at] == "," else at
    return spans


def _object_spans(text: str, at: int) -> Iterator[tuple[int, int]]:
    at = _after_space(text, at)
    while text[at] != "]":
        item, end = _DECODER.raw_decode(text, at)
        if isinstance(item, dict):
            yield at, end
        at = _after_space(text, end)
        at = _after_space(text, at + 1) if text[at] == "," else at


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return at if found is None else found.end()


def _broken(problem: str) -> Diagnostic:
    return Diagnostic("broken-canvas", f"The canvas cannot be read in full: {problem}.")


def _objects(value: JSON) -> list[dict[str, JSON]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _text(item: dict[str, JSON], key: str) -> str:
    value = item.get(key)
    return storable(value) if isinstance(value, str) else ""


def _link(node: CanvasNode) -> Link:
    subpath = node.subpath.removeprefix("#")
    block = subpath[1:] if subpath.startswith("^") else None
    return Link(
        "canvas",
        node.file + node.subpath,
        "/" + node.file.removeprefix("/"),
        0,
        0,
        heading=None if block else subpath or None,
        block=block,
    )
