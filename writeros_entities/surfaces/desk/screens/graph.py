"""Who is connected with whom: the page of `draw_entity_graph`, framed."""

from typing import Any

from writeros_entities.surfaces.desk.asking import Asked

PATH, TITLE, NAV, KEY = "/graph", "Graph", 8, "8"

NODES = 150


def show(ask: Asked) -> dict[str, Any] | str:
    """Return the choices of the graph or, for its frame, the drawing itself."""
    who = ask.get("who")
    if ask.get("drawn"):
        chosen = {"center_entity": who} if who else {}
        drawn = ask.get_entity_graph(format="html", max_nodes=NODES, max_depth=2, **chosen)
        return str(drawn.content)
    center = ask.get_entity(entity=who).entity if who else None
    return {"center": center, "frame": ask.link("/graph", who=who, drawn=1)}
