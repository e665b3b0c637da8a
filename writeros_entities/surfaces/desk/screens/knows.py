"""Who knows something: since when, from whom, and where that is told."""

from typing import Any

from writeros_entities.errors import WriterosError
from writeros_entities.surfaces.desk.asking import Asked

PATH, TITLE, NAV, KEY = "/knows", "Who knows", 7, "7"

SIZE = 20


def show(ask: Asked) -> dict[str, Any]:
    """Return who knows the matter that is asked about, or why that cannot be said."""
    about, person, first = ask.get("about")[:300], ask.get("person"), ask.number("first")
    told = {"about": about, "person": person, "first": first, "found": None, "trouble": ""}
    if about:
        only = {"person": person} if person else {}
        try:
            told["found"] = ask.who_knows(about=about, limit=SIZE, offset=first, **only)
        except WriterosError as error:
            told["trouble"] = str(error)
    return told
