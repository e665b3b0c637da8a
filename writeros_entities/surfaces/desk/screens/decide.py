"""The exact line of a decision, before it is written."""

from typing import Any

from writeros_entities.surfaces.desk import words
from writeros_entities.surfaces.desk.asking import Asked

PATH, TITLE = "/decide", "Decide"


def show(ask: Asked) -> dict[str, Any]:
    """Return what would be written, or why the line is not understood; or what a name may be."""
    about = ask.get("about")
    is_note = about.endswith(".md")
    target = words.link_to(about) if is_note else about
    line = ask.get("line") or (words.line(ask.words, "is", target, "[[…]]") if about else "")
    kinds = words.ROLES if is_note else words.SORTS
    is_whole = bool(line) and "…" not in line
    told = ask.tried("decide", line=line, propose=True) if is_whole else {}
    return {
        "about": about,
        "answers": words.answers(ask.words, target, kinds) if about else [],
        "line": line,
        "proposed": told.get("found"),
        "trouble": told.get("trouble", ""),
        "back": ask.get("back", "/inbox"),
    }
