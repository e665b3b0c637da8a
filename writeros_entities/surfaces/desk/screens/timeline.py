"""What happens, as it is told or as it happens: of somebody, somewhere, of some kind."""

from itertools import groupby
from typing import Any

from writeros_entities.errors import WriterosError
from writeros_entities.surfaces.desk.asking import Asked

PATH, TITLE, NAV, KEY = "/timeline", "Timeline", 4, "4"

SIZE = 60

KINDS = (
    *("moves", "meets", "speaks", "learns", "gains", "loses", "gives", "fights", "dies", "marries"),
    *("parts", "begins", "destroys"),
)


def show(ask: Asked) -> dict[str, Any]:
    """Return a page of events by their story date or their chapter, or why there are none."""
    order = "story" if ask.get("order") == "story" else "reading"
    asked = {"entity": ask.get("who"), "other": ask.get("where"), "kind": ask.get("kind")}
    chosen = {name: value for name, value in asked.items() if value}
    told: dict[str, Any] = {"found": None, "groups": [], "trouble": "", "kinds": KINDS}
    try:
        first = ask.number("first")
        found = ask.list_events(order=order, limit=SIZE, offset=first, **chosen)
        groups = groupby(found.events, key=lambda one: (one.path, one.story_date))
        told |= {"found": found, "groups": [(*key, list(events)) for key, events in groups]}
    except WriterosError as error:
        told["trouble"] = str(error)
    titles = {one.path: one.title for one in ask.chapters}
    return {**told, **asked, "order": order, "first": ask.number("first"), "titles": titles}
