"""Who is connected with whom: the page of `draw_entity_graph`, framed."""

from typing import Any

from writeros_entities.surfaces.desk.asking import Asked

PATH, TITLE, NAV, KEY = "/graph", "Graph", 8, "8"

NODES = 150


def show(ask: Asked) -> dict[str, Any] | str:
    """Return the choices of the graph or, for its frame, the drawing itself."""
    who = ask.get("who")
    if ask.get("drawn"):
        size = {"max_nodes": NODES, "max_depth": 2}
        return str(ask.get_entity_graph(format="html", center_entity=who, **size).content)
    center = ask.get_entity(entity=who).entity if who else None
    return {"center": center, "frame": ask.link("/graph", who=who, drawn=1)}
