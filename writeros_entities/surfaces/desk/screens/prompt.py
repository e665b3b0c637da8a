"""What goes into a prompt about some people and places, and what was left out."""

from typing import Any

from writeros_entities.surfaces.desk.asking import Asked

PATH, TITLE, NAV, KEY = "/prompt", "Prompt", 9, "9"

TOKENS = 2000


def show(ask: Asked) -> dict[str, Any]:
    """Return the brief of a scene, or the context of a cast, in a budget."""
    who = [one.strip() for one in ask.get("who").split(",") if one.strip()]
    scene, tokens = ask.get("scene"), min(max(ask.number("tokens", TOKENS), 100), 100_000)
    made: dict[str, Any] = {"found": None, "trouble": ""}
    if who:
        made = ask.tried("build_context", entities=who, max_tokens=tokens)
    elif scene:
        made = ask.tried("brief_scene", scene=scene, max_tokens=tokens)
    context = made["found"] if who else None
    shown = {"who": ", ".join(who), "scene": scene, "tokens": tokens, "context": context}
    return {**made, **shown, "told": ask.read(ask.as_of)}
