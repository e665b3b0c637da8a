"""Places where the vault contradicts itself, with both quotes side by side."""

from typing import Any

from writeros_entities.surfaces.desk.asking import Asked
from writeros_entities.surfaces.desk.deciding import line

PATH, TITLE, NAV, KEY = "/continuity", "Continuity", 6, "6"

PAGE = 30


def show(ask: Asked) -> dict[str, Any]:
    """Return the findings, and for each the line that says it is meant."""
    first = ask.number("first")
    found = ask.check_continuity(limit=PAGE, offset=first)
    return {
        "found": found,
        "meant": {one.id: line(ask.words, "meant", one.id[:8]) for one in found.findings},
        "first": first,
    }
