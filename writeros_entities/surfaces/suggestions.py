"""What an argument of a prompt or of an address can be: names, chapters, notes of the vault.

    suggest(session, "entity", "isol", {"as_of": "7"}).values    # ["Isolde Marrow"]

A client asks while its user types. An argument is known by its name, wherever it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from writeros_entities.session import Session

MOST = 100
"""How many suggestions the protocol lets a server give at a time."""

Given: TypeAlias = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The first values that fit what was typed, and how many there are in all."""

    values: list[str]
    total: int


def suggest(session: Session, argument: str, typed: str, given: Given) -> Suggestions:
    """Return values of an argument that contain what was typed; none for an unknown argument.

    `given` are the arguments that are chosen already: as of a chapter, nothing later is suggested.
    Raises NotFoundError where the chapter is unknown.
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
    fitting = [value for value in values if typed.casefold() in value.casefold()]
    return Suggestions(fitting[:MOST], len(fitting))


_KINDS: Mapping[str, Callable[[Session, str, Given], Suggestions]] = {
    **dict.fromkeys(("entity", "id"), _entities),
    **dict.fromkeys(("as_of", "scene"), _chapters),
    "path": _notes,
    "types": _types,
}
