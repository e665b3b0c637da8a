"""Passages by words, names and meaning."""

from typing import Any

from writeros_entities.surfaces.desk.asking import Asked
from writeros_entities.surfaces.desk.reading import emphasised

PATH, TITLE = "/search", "Search"


def show(ask: Asked) -> dict[str, Any]:
    """Return who has the name, and the passages found."""
    query, found, named = ask.get("q"), None, []
    if query:
        asked = {"below": ask.get("below"), "open_threads": bool(ask.get("threads"))}
        found = ask.search(query=query[:1000], **asked, **ask.part)
        named = ask.list_entities(containing=query[:200], limit=8).entities
    excerpts = [emphasised(one.excerpt) for one in found.passages] if found else []
    return {"query": query, "found": found, "named": named, "excerpts": excerpts}
