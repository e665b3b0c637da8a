"""Places where the vault contradicts itself, with both quotes side by side."""

from typing import Any

from writeros_entities.surfaces.desk.asking import Asked
from writeros_entities.surfaces.desk.words import line

PATH, TITLE, NAV, KEY = "/continuity", "Continuity", 6, "6"


def show(ask: Asked) -> dict[str, Any]:
    """Return the findings, and for each the line that says it is meant."""
    found = ask.check_continuity(**ask.part)
    meant = {one.id: line(ask.words, "meant", one.id[:8]) for one in found.findings}
    return {"found": found, "meant": meant}
