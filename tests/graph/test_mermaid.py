"""What is drawn as Mermaid is drawn by Mermaid, in a real browser, with every label as it is."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

from writeros_entities.graph.drawing import Drawing, as_mermaid
from writeros_entities.session import Session

from .browser import Page, find_browser, open_page
from .labels import HOSTILE
from .test_formats import drawing_of

BROWSER = find_browser()
LIBRARY_SHA256 = "74d7c46dabca328c2294733910a8aa1ed0c37451776e8d5295da38a2b758fb9b"
"""Of `mermaid.min.js` 11.16.0, as its makers published it on npm; `mermaidx` carries it."""

pytestmark = pytest.mark.skipif(
    BROWSER is None, reason="no Chromium is installed (Debian: apt install chromium)"
)

DRAW = """mermaid.render('drawn', %s).then(({svg}) => {
  document.body.innerHTML = svg;
  const texts = (kind) => [...document.querySelectorAll(kind)].map((one) => one.textContent);
  return [texts('.nodeLabel'), [...new Set(texts('.edgeLabel'))],
          document.querySelectorAll('svg path.flowchart-link').length];
})"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    [library] = [
        Path(str(file.locate()))
        for file in metadata.files("mermaidx") or ()
        if file.name == "mermaid.js"
    ]
    assert hashlib.sha256(library.read_bytes()).hexdigest() == LIBRARY_SHA256
    assert BROWSER is not None
    with open_page(BROWSER, tmp_path_factory.mktemp("mermaid") / "profile") as opened:
        opened.run(library.read_text("utf-8") + ";0")
        opened.run("mermaid.initialize({startOnLoad: false}), 0")
        yield opened


def draw(page: Page, text: str) -> tuple[list[str], list[str], int]:
    """Return the labels of nodes and of edges, and how many edges are drawn."""
    nodes, edges, lines = page.run(DRAW % json.dumps(text))
    return nodes, edges, lines


def test_every_name_is_drawn_as_it_is_written(page: Page) -> None:
    nodes, edges, lines = draw(page, as_mermaid(drawing_of(["Ann", *HOSTILE])))
    written = [" ".join(name.split()) for name in HOSTILE]
    assert nodes == ["Ann", *written]
    assert set(edges) == {f"{name.replace('_', ' ')} 0.75" for name in written}
    assert lines == len(HOSTILE)
    assert page.run("document.title") == ""
    assert page.happened("Network.requestWillBeSent") == []


def test_an_empty_drawing_is_drawn(page: Page) -> None:
    assert draw(page, as_mermaid(Drawing("x", [], []))) == ([], [], 0)


def test_the_graph_of_the_novel_is_drawn(page: Page, novel: Session) -> None:
    request = {"format": "mermaid", "max_nodes": 12, "as_of": 9}
    answer = novel.call("get_entity_graph", request).model_dump()
    nodes, _, lines = draw(page, answer["content"])
    assert len(nodes) == answer["total_nodes"] or len(nodes) == 12
    assert "Isolde Marrow" in nodes
    assert lines == answer["total_edges"]
