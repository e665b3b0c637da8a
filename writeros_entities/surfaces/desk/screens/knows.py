"""Who knows something: since when, from whom, and where that is told."""

from typing import Any

from writeros_entities.surfaces.desk.asking import Asked

PATH, TITLE, NAV, KEY = "/knows", "Who knows", 7, "7"


def show(ask: Asked) -> dict[str, Any]:
    """Return who knows the matter that is asked about, or why that cannot be said."""
    asked = {"about": ask.get("about")[:300], "person": ask.get("person")}
    told: dict[str, Any] = {"found": None, "trouble": ""}
    return {**asked, **(ask.tried("who_knows", **asked, **ask.part) if asked["about"] else told)}
