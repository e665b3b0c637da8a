"""What the index is unsure of, the most telling first: each question is answered by one key."""

from typing import Any

from writeros_entities.surfaces.desk.asking import Asked

PATH, TITLE, NAV, KEY = "/inbox", "Inbox", 5, "5"

MOST, QUOTES = 20, 2


def show(ask: Asked) -> dict[str, Any]:
    """Return the first questions, with what the text says, and what is decided."""
    found, decided = ask.list_questions(limit=MOST), ask.decide(list=True)
    quotes = [_quotes(ask, one.about) for one in found.questions]
    told = {"note": decided.note, "decisions": decided.decisions}
    return {"found": found, "quotes": quotes, **told}


def _quotes(ask: Asked, about: str) -> list[Any]:
    if not about or about.endswith(".md"):
        return []
    told = ask.tried("find_mentions", entity=about, limit=QUOTES)["found"]
    return list(told.mentions) if told else []
