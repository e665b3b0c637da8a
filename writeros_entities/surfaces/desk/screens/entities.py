"""Who and what there is, by sort and by name."""

from typing import Any

from writeros_entities.surfaces.desk.asking import Asked

PATH, TITLE, NAV, KEY = "/entities", "People & places", 3, "3"


def show(ask: Asked) -> dict[str, Any]:
    """Return a page of them."""
    asked = {"types": [ask.get("type")], "containing": ask.get("name")}
    order = ask.get("order", "mentions")
    return {"found": ask.list_entities(**asked, order=order, **ask.part), "order": order}
