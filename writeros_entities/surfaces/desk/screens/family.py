"""Somebody's family, drawn and listed, each relative with the statements that it follows from."""

from itertools import groupby
from typing import Any

from writeros_entities.surfaces.desk.asking import Asked

PATH, TITLE = "/family", "Family"


def show(ask: Asked) -> dict[str, Any] | str:
    """Return the relatives by generation or, for its frame, the drawing."""
    who = ask.get("who")
    if ask.get("drawn"):
        return str(ask.get_family_tree(entity=who, format="html").content)
    found = ask.get_family_tree(entity=who, limit=200)
    generations = groupby(found.relatives, key=lambda one: one.down - one.up)
    return {
        "title": f"{found.entity.name}: family",
        "found": found,
        "generations": [(row, list(members)) for row, members in generations],
        "frame": ask.link("/family", who=found.entity.id, drawn=1),
    }
