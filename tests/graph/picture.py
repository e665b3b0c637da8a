"""Take the screenshot of the graph's page for the documentation.

python -m tests.graph.picture
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from writeros_entities.session import Session

from .browser import find_browser, open_page

ROOT = Path(__file__).resolve().parent.parent.parent
PICTURE = ROOT / "docs" / "graph.png"
CHOSEN = "Isolde Marrow"


def main() -> None:
    """Open the fixture novel's graph, select an entity, and save a screenshot."""
    browser = find_browser()
    if browser is None:
        raise SystemExit("No Chromium is installed (Debian: apt install chromium).")
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        file = folder / "graph.html"
        with Session.open(
            ROOT / "vault_fixtures" / "novel",
            database=f"sqlite:///{folder / 'index.sqlite3'}",
            embedding_model="",
        ) as session:
            session.call("sync", {})
            session.call("draw_entity_graph", {"output": str(file)})
        with open_page(browser, folder / "profile") as page:
            page.open(file)
            page.resize(1300, 850)
            page.run(
                "entityGraph.nodes()"
                f".filter((node) => node.data('name') === {CHOSEN!r}).emit('tap'), 0"
            )
            page.resize(1300, 850)
            PICTURE.write_bytes(page.picture())


if __name__ == "__main__":
    main()
