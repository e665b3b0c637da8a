"""Lines of decisions that a screen offers, in the words that `decide` gives for them."""

from __future__ import annotations

from collections.abc import Mapping

from writeros_entities.surfaces.desk.words import SORTS

ROLES = ("manuscript", "plan", "entity", "reference", "other")


def link_to(path: str) -> str:
    """Return a link to a note, as a decision names it."""
    return f"[[{path.removesuffix('.md')}]]"


def line(words: Mapping[str, str], kind: str, a: str, b: str = "", c: str = "") -> str:
    """Return a line of a kind; `b` may be a role or a sort."""
    told = words.get(kind, "")
    return told.replace("{b}", words.get(b, b)).replace("{a}", a).replace("{c}", c)


def note_answers(words: Mapping[str, str], path: str, role: str) -> list[tuple[str, str]]:
    """Return what a note could be instead, each with the line that says so."""
    return [(one, line(words, "is", link_to(path), one)) for one in ROLES if one != role]


def sort_answers(words: Mapping[str, str], name: str, type_: str) -> list[tuple[str, str]]:
    """Return what an entity could be instead, each with the line that says so."""
    found = [(one, line(words, "is", name, one)) for one in SORTS if one != type_]
    return [*found, ("no_name", line(words, "no_name", f'"{name}"'))]


def order_answers(
    words: Mapping[str, str], path: str, before: str | None, after: str | None
) -> list[tuple[str, str]]:
    """Return how a chapter could be told earlier or later than those around it."""
    found = []
    if before is not None:
        found.append(("earlier", line(words, "before", link_to(path), link_to(before))))
    if after is not None:
        found.append(("later", line(words, "after", link_to(path), link_to(after))))
    return found
