"""Ships for writeros-entities: found by their italics, listed, and followed on their voyage."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from pydantic import BaseModel

from writeros_entities import (
    MARK,
    AsOf,
    Capability,
    ContinuityRule,
    EntityType,
    Finding,
    Limit,
    Note,
    PriorityStrategy,
    ProposedName,
    RankedChunk,
    Request,
    Response,
    Sentence,
    Session,
    Story,
    capability,
    hookimpl,
)

__version__ = "1"

VESSEL = EntityType("vessel", "vessels", synonyms=("ship of the line",), folders=("Harbour",))

# In `Note.prose`, formatting marks are replaced by MARK: one on each side is *italic*, two are
# **bold**.
_NAME = r"[A-Z][\w'’]+(?: (?:(?:of|the|and) )*[A-Z][\w'’]+)*"
_SHIP = re.compile(
    rf"\b(?:[Tt]he|[Aa]board)\s{MARK}(?P<italic>{_NAME}){MARK}(?!{MARK})"
    rf"|(?P<prefixed>\b(?:HMS|RMS|SS) {_NAME})"
)


# -- Detection -----------------------------------------------------------------------------------


@hookimpl
def register_entity_types() -> Iterable[EntityType]:
    """Return the type of a ship: from now on a note can say `type: vessel`."""
    return [VESSEL]


@hookimpl
def propose_entities(note: Note) -> Iterable[ProposedName]:
    """Return the ships that a note names: "the *Sea Wren*" in italics, or HMS and a name."""
    counts = Counter(found["italic"] or found["prefixed"] for found in _SHIP.finditer(note.prose))
    for name, count in counts.items():
        yield ProposedName(name, VESSEL.name, count, needed=1, confidence=0.95)


# -- A priority strategy -------------------------------------------------------------------------


class Voyage:
    """Tells a journey in order: the first chapter first, notes outside the manuscript last."""

    name = "voyage"

    def rank(self, chunks: Sequence[RankedChunk]) -> Sequence[RankedChunk]:
        """Return the chunks by reading position."""
        return sorted(chunks, key=lambda chunk: (chunk.position is None, chunk.position or 0))


@hookimpl
def register_priority_strategies() -> Iterable[PriorityStrategy]:
    """Return the strategy `voyage`."""
    return [Voyage()]


# -- A rule of continuity ------------------------------------------------------------------------

_SINKS = re.compile(r"\s+(?:sank|foundered|went down)\b")
_SAILS = re.compile(r"\s+(?:sailed|put to sea|came in|lay at anchor)\b")


class SunkShip:
    """Finds ships that sail after they have sunk."""

    name = "sunk-ship"

    def check(self, story: Story) -> Iterable[Finding]:
        """Return, for each ship, its first voyage after it has sunk, in reading order."""
        for ship in story.entities.values():
            if ship.type == VESSEL.name:
                sinks = find_after(story, ship.id, _SINKS)
                sails = find_after(story, ship.id, _SAILS)
                late = [one for one in sails if sinks and comes_later(one, sinks[0])]
                if late:
                    proofs = (sinks[0].evidence, late[0].evidence)
                    yield Finding("sails", f"{ship.name} sails after it has sunk.", proofs, 0.7)


def find_after(story: Story, entity: str, words: re.Pattern[str]) -> list[Sentence]:
    """Return the sentences of the manuscript in which some words follow a name."""
    return [
        sentence
        for sentence in story.sentences_of(entity)
        for name in sentence.names
        if name.entity == entity and words.match(sentence.narration, name.end)
        if sentence.position is not None
    ]


def comes_later(one: Sentence, other: Sentence) -> bool:
    """Return whether a sentence of the manuscript comes after another in reading order."""
    places = [(each.position or 0, each.evidence.start) for each in (one, other)]
    return places[0] > places[1]


@hookimpl
def register_continuity_rules() -> Iterable[ContinuityRule]:
    """Return the rule `sunk-ship`."""
    return [SunkShip()]


# -- A capability --------------------------------------------------------------------------------


class ListShips(Request):
    """Which ships to list."""

    as_of: AsOf = None
    limit: Limit = 20


class Ship(BaseModel):
    """A ship: its name, how often it is mentioned, and where a reader first meets it."""

    id: str
    name: str
    mentions: int
    first_position: int | None


class Fleet(Response):
    """The ships of the vault, and how many there are."""

    ships: list[Ship]
    total: int

    def as_text(self) -> str:
        """Return the ships as a list."""
        lines = [f"- *{ship.name}* (mentions: {ship.mentions})" for ship in self.ships]
        return "\n".join([f"{self.total} ships", "", *lines])


@capability(family="ships")
def list_ships(session: Session, request: ListShips) -> Fleet:
    """List the ships of the vault in the order in which a reader meets them."""
    wanted = {"types": [VESSEL.name], "order": "first", **request.model_dump()}
    found = session.call("list_entities", wanted).model_dump()
    ships = [
        Ship(
            id=entity["id"],
            name=entity["name"],
            mentions=entity["mention_count"],
            first_position=entity["first_position"],
        )
        for entity in found["entities"]
    ]
    return Fleet(ships=ships, total=found["total"])


@hookimpl
def register_capabilities() -> Iterable[Capability[ListShips, Fleet]]:
    """Return `list_ships`, which becomes a command, an MCP tool and a tool for agents."""
    return [list_ships]
