"""The exact line of a decision, before it is written."""

from typing import Any

from writeros_entities.surfaces.desk import words
from writeros_entities.surfaces.desk.asking import Asked

PATH, TITLE = "/decide", "Decide"


def show(ask: Asked) -> dict[str, Any]:
    """Return what would be written, or why the line is not understood; or what a name may be."""
    about = ask.get("about")
    line = ask.get("line") or (words.line(ask.words, "is", about, "[[…]]") if about else "")
    is_whole = bool(line) and "…" not in line
    told = ask.tried("decide", line=line, propose=True) if is_whole else {}
    return {
        "about": about,
        "answers": words.sort_answers(ask.words, about, "") if about else [],
        "line": line,
        "proposed": told.get("found"),
        "trouble": told.get("trouble", ""),
        "back": ask.get("back", "/inbox"),
    }
