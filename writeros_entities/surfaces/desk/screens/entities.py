"""Who and what there is, by sort and by name."""

from typing import Any

from writeros_entities.surfaces.desk.asking import Asked

PATH, TITLE, NAV, KEY = "/entities", "People & places", 3, "3"

PAGE = 100


def show(ask: Asked) -> dict[str, Any]:
    """Return a page of them."""
    type_, name, first = ask.get("type"), ask.get("name"), ask.number("first")
    order = ask.get("order", "mentions")
    arguments: dict[str, Any] = {"limit": PAGE, "offset": first, "order": order}
    if type_:
        arguments["types"] = [type_]
    if name:
        arguments["containing"] = name
    found = ask.list_entities(**arguments)
    return {"found": found, "first": first, "order": order}
