"""What goes into a prompt about some people and places, and what was left out."""

from typing import Any

from writeros_entities.errors import WriterosError
from writeros_entities.surfaces.desk.asking import Asked

PATH, TITLE, NAV, KEY = "/prompt", "Prompt", 9, "9"

TOKENS = 2000


def show(ask: Asked) -> dict[str, Any]:
    """Return the brief of a scene, or the context of a cast, in a budget."""
    who = [one.strip() for one in ask.get("who").split(",") if one.strip()]
    scene, tokens = ask.get("scene"), min(max(ask.number("tokens", TOKENS), 100), 100_000)
    made: dict[str, Any] = {"brief": None, "context": None, "trouble": ""}
    try:
        if who:
            made["context"] = ask.build_context(entities=who, max_tokens=tokens)
        elif scene:
            made["brief"] = ask.brief_scene(scene=scene, max_tokens=tokens)
    except WriterosError as error:
        made["trouble"] = str(error)
    told = [one for one in ask.chapters if ask.as_of is None or one.position <= ask.as_of]
    return {**made, "who": ", ".join(who), "scene": scene, "tokens": tokens, "told": told}
