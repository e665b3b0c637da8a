"""The exact line of a decision, before it is written."""

from typing import Any

from writeros_entities.errors import RequestError
from writeros_entities.surfaces.desk.asking import Asked
from writeros_entities.surfaces.desk.deciding import line as line_of
from writeros_entities.surfaces.desk.deciding import sort_answers

PATH, TITLE = "/decide", "Decide"


def show(ask: Asked) -> dict[str, Any]:
    """Return what would be written, or why the line is not understood; or what a name may be."""
    about = ask.get("about")
    line = ask.get("line") or (line_of(ask.words, "is", about, "[[…]]") if about else "")
    proposed, trouble = None, ""
    if line and "…" not in line:
        try:
            proposed = ask.decide(line=line, propose=True)
        except RequestError as error:
            trouble = str(error).removeprefix("decide: ")
    return {
        "about": about,
        "answers": sort_answers(ask.words, about, "") if about else [],
        "line": line,
        "proposed": proposed,
        "trouble": trouble,
        "back": ask.get("back", "/inbox"),
    }
