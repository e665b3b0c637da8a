"""Passages by words, names and meaning."""

from typing import Any

from writeros_entities.surfaces.desk.asking import Asked
from writeros_entities.surfaces.desk.reading import emphasised

PATH, TITLE = "/search", "Search"

PAGE = 20


def show(ask: Asked) -> dict[str, Any]:
    """Return who has the name, and the passages found."""
    query, below, first = ask.get("q"), ask.get("below"), ask.number("first")
    if not query:
        return {"query": "", "found": None, "named": [], "first": 0, "excerpts": []}
    arguments: dict[str, Any] = {"query": query[:1000], "limit": PAGE, "offset": first}
    if below:
        arguments["below"] = below
    if ask.get("threads"):
        arguments["open_threads"] = True
    found = ask.search(**arguments)
    named = ask.list_entities(containing=query[:200], limit=8).entities
    return {
        "query": query,
        "found": found,
        "named": named,
        "first": first,
        "excerpts": [emphasised(one.excerpt) for one in found.passages],
    }
