"""How somebody speaks: how much at once, with which words, and what others are called."""

from typing import Any

from writeros_entities.surfaces.desk.asking import Asked

PATH, TITLE = "/voice", "Voice"


def show(ask: Asked) -> dict[str, Any]:
    """Return the voice in figures and quotes, or how much is missing to tell of it."""
    found = ask.describe_voice(entity=ask.get("who"))
    return {"title": f"{found.entity.name}: voice", "found": found, "voice": found.voice}
