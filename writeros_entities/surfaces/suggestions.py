"""Completion of arguments of prompts and addresses: names, chapters, notes, types.

    suggest(session, "entity", "isol", {"as_of": "7"}).values    # ["Isolde Marrow"]

Clients ask while the user types. What an argument means depends on its name only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from writeros_entities.names import fold_name

if TYPE_CHECKING:
    from writeros_entities.session import Session

MOST = 100
"""Most suggestions that the protocol allows in an answer."""

Given: TypeAlias = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The first values that match the typed text, and the number of all."""

    values: list[str]
    total: int


def suggest(session: Session, argument: str, typed: str, given: Given) -> Suggestions:
    """Return the values of an argument that contain the typed text; none for an unknown argument.

    `given` are arguments that are already set: with `as_of`, nothing later is suggested. Raises
    NotFoundError if its chapter is unknown.
    """
    known = _KINDS.get(argument)
    return Suggestions([], 0) if known is None else known(session, typed.strip(), given)


def _entities(session: Session, typed: str, given: Given) -> Suggestions:
    asked = {"containing": typed or None, "as_of": given.get("as_of"), "limit": MOST}
    listed = session.call("list_entities", asked).model_dump()
    return Suggestions([one["name"] for one in listed["entities"]], listed["total"])


def _chapters(session: Session, typed: str, given: Given) -> Suggestions:
    return _containing(typed, session.list_chapters())


def _notes(session: Session, typed: str, given: Given) -> Suggestions:
    return _containing(typed, session.list_notes(as_of=given.get("as_of")))


def _types(session: Session, typed: str, given: Given) -> Suggestions:
    before, comma, last = typed.rpartition(",")
    found = _containing(last.strip(), sorted(session.plugins.entity_types))
    return Suggestions([f"{before}{comma} {name}".strip() for name in found.values], found.total)


def _containing(typed: str, values: list[str]) -> Suggestions:
    wanted = fold_name(typed)
    fitting = [value for value in values if wanted in fold_name(value)]
    return Suggestions(fitting[:MOST], len(fitting))


_KINDS: Mapping[str, Callable[[Session, str, Given], Suggestions]] = {
    **dict.fromkeys(("entity", "id"), _entities),
    **dict.fromkeys(("as_of", "scene"), _chapters),
    "path": _notes,
    "types": _types,
}
