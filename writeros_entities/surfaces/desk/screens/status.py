"""What is read of the vault, what is not, and what is wrong with notes."""

from typing import Any

from writeros_entities.surfaces.desk.asking import Asked

PATH, TITLE, NAV, KEY = "/status", "Status", 10, "0"


def show(ask: Asked) -> dict[str, Any]:
    """Return the numbers of the index, and the problems of notes."""
    return {"found": ask.status(), "checked": ask.doctor(notes_only=not ask.get("all"), limit=100)}
