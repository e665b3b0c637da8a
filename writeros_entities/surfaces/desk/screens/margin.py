"""The margin alone, for a narrow pane beside the note: who is here, as of the cursor's line."""

from typing import Any

from writeros_entities.surfaces.desk.asking import Asked
from writeros_entities.surfaces.desk.screens.chapter import margin, read

PATH, TITLE = "/margin", "Margin"

AROUND = 12
"""Lines around the cursor of which somebody is looked at."""


def show(ask: Asked) -> dict[str, Any]:
    """Return who is in a note; whoever is named nearest to the line is looked at."""
    found, here = read(ask, ask.get("note"))
    line, who = ask.number("line"), ask.get("who")
    if line and not who:
        lines = {"from_line": max(line - AROUND, 1), "to_line": line}
        near = ask.list_note_entities(note=found.path, **lines, limit=20, as_of=here).entities
        who = max(near, key=lambda one: one.first.line).id if near else ""
    return {"title": found.title, "note": found, **margin(ask, found, here, who)}
