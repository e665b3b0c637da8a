"""The chapters as they are told or as they happen, and who is met first in each."""

from typing import Any

from writeros_entities.surfaces.desk.asking import PAGE, Asked

PATH, TITLE, NAV, KEY = "/chapters", "Chapters", 2, "2"

MOST_MET = 6


def show(ask: Asked) -> dict[str, Any]:
    """Return the chapters with their story dates, and the people by the chapter they come in."""
    order = "story" if ask.get("order") == "story" else "reading"
    told = ask.every("list_notes", "notes", chapters_only=True, order="story")
    placed = [one for one in told if one.position is not None]
    if order == "reading":
        placed.sort(key=lambda one: (one.position, one.path))
    met: dict[int, list[Any]] = {}
    for one in ask.list_entities(types=["person"], order="first", limit=PAGE).entities:
        met.setdefault(one.first_position, []).append(one)
    dated = any(one.story_date for one in placed)
    return {"found": placed, "order": order, "met": met, "dated": dated, "most": MOST_MET}
