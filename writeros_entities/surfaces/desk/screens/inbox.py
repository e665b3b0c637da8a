"""What the index is unsure of, the most telling first: each question is answered by one key."""

from typing import Any

from writeros_entities.errors import WriterosError
from writeros_entities.surfaces.desk.asking import Asked

PATH, TITLE, NAV, KEY = "/inbox", "Inbox", 5, "5"

MOST, QUOTES = 20, 2


def show(ask: Asked) -> dict[str, Any]:
    """Return the first questions, with what the text says, and what is decided."""
    found = ask.list_questions(limit=MOST)
    decided = ask.decide(list=True)
    return {
        "found": found,
        "quotes": [_quotes(ask, one) for one in found.questions],
        "note": decided.note,
        "decisions": decided.decisions,
    }


def _quotes(ask: Asked, question: Any) -> list[Any]:
    if not question.about or question.about.endswith(".md"):
        return []
    try:
        return list(ask.find_mentions(entity=question.about, limit=QUOTES).mentions)
    except WriterosError:
        return []
