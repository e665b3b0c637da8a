"""What happens, as it is told or as it happens: of somebody, somewhere, of some kind."""

from itertools import groupby
from typing import Any

from writeros_entities.surfaces.desk.asking import Asked

PATH, TITLE, NAV, KEY = "/timeline", "Timeline", 4, "4"

KINDS = "moves meets speaks learns gains loses gives fights dies marries parts begins destroys"


def show(ask: Asked) -> dict[str, Any]:
    """Return a page of events by their story date or their chapter, or why there are none."""
    order = "story" if ask.get("order") == "story" else "reading"
    asked = {"entity": ask.get("who"), "other": ask.get("where"), "kind": ask.get("kind")}
    told = ask.tried("list_events", order=order, **asked, **ask.part)
    events = told["found"].events if told["found"] else ()
    groups = groupby(events, key=lambda one: (one.path, one.story_date))
    shown = [(*key, list(members)) for key, members in groups]
    titles = {one.path: one.title for one in ask.chapters}
    more = {"order": order, "groups": shown, "titles": titles, "kinds": KINDS.split()}
    return {**told, **asked, **more}
