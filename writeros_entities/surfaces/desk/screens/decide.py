"""The exact line of a decision, before it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from writeros_entities.errors import RequestError

if TYPE_CHECKING:
    from writeros_entities.surfaces.desk.asking import Asked

PATH, TITLE = "/decide", "Decide"


def show(ask: Asked) -> dict[str, Any]:
    """Return what would be written, or why the line is not understood."""
    line = ask.get("line")
    proposed, trouble = None, ""
    if line and "…" not in line:
        try:
            proposed = ask.decide(line=line, propose=True)
        except RequestError as error:
            trouble = str(error).removeprefix("decide: ")
    return {
        "line": line,
        "proposed": proposed,
        "trouble": trouble,
        "back": ask.get("back", "/inbox"),
    }
