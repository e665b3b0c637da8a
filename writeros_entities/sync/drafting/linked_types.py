"""What kind of thing a link that leads nowhere is about: by the key it stands under, else by prose.

    pov: "[[Odile]]"           who is in a scene is a person
    home: "[[Vantry]]"         what one lives in is a place
    Odile laughed. "No," said Odile.

As with a suggested name, prose has to use it often and as one kind of thing, and only what has been
read when the link is first met counts: later chapters change nothing of what is known before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from writeros_entities.ontology import UNTYPED
from writeros_entities.properties import CAST_KEYS, PLACE_KEYS, VIEWPOINT_KEYS, dashed
from writeros_entities.sync.drafting.mappings import last_word

if TYPE_CHECKING:
    from writeros_entities.ontology import Ontology

PERSON, PLACE = "person", "place"

NARROW = 3
"""A kind of relation with at most so many types at an end tells which it is, the first of them,
unless a concept will do as well.
"""


def tell_type(links: Sequence[Any], uses: Iterable[Any], ontology: Ontology) -> str | None:
    """Return the type of what links lead to, by those met first and by uses of its name till then.

    `links` are in reading order; both are known from a position. None where nothing tells.
    """
    known_from = links[0].known_from
    keys = [link.field for link in links if link.field and link.known_from <= known_from]
    told = Counter(kind for kind in (_by_key(key, ontology) for key in keys) if kind)
    if told:
        return min(told, key=lambda kind: (-told[kind], kind))
    early = [use for use in uses if use.known_from <= known_from]
    types = {use.type for use in early if use.type and use.type not in UNTYPED}
    is_often = bool(early) and sum(use.count for use in early) >= early[0].needed
    return types.pop() if is_often and len(types) == 1 else None


def _by_key(field: str, ontology: Ontology) -> str | None:
    """Return what a property is about, by its key: `party` of `party.0`."""
    key = last_word(field)
    if dashed(key) in (*CAST_KEYS, *VIEWPOINT_KEYS):
        return PERSON
    if dashed(key) in PLACE_KEYS:
        return PLACE
    reading = ontology.read_key(key, "unknown", "unknown")
    if reading is None:
        return None
    kind = ontology.kind(reading.kind)
    types = kind.domain if reading.is_inverse else kind.range
    return types[0] if 0 < len(types) <= NARROW and UNTYPED.isdisjoint(types) else None
