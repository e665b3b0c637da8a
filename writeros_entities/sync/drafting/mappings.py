"""Properties that are mappings: `{person: "[[Ann]]", type: sister}`, `allies: [{name: Ben}]`.

The word for the relation is beside the name in the mapping, or is the key above it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from writeros_entities.ontology import WHO_KEYS, Ontology

if TYPE_CHECKING:
    from writeros_entities.values import JSON

NAMING_KEYS = ("type", "relation", "relationship", "kind", "role")
"""Keys of a mapping whose value names the relation, in order of precedence."""


HOLDING_KEYS = frozenset({"active", "current", "main", "now", "present", "primary"})
"""Keys of a mapping that only say that the one above it holds: `faction: {active: Lamps}`."""


def last_word(path: str) -> str:
    """Return the key of a value: `mother` for `family.mother.0`, `home` for `home.current`."""
    return _last_word(path.split(".")) or path


def mapping_of(path: str) -> tuple[str, ...]:
    """Return the path of the mapping that contains a value: `family` for `family.mother.0`."""
    parts = path.split(".")
    while len(parts) > 1 and parts[-1].isdigit():
        parts.pop()
    return tuple(parts[:-1])


def relation_word(
    frontmatter: Mapping[str, JSON],
    path: tuple[str, ...],
    keys: Collection[str],
    ontology: Ontology,
) -> str | None:
    """Return the word for the relation to the entity that a mapping names under one of `keys`.

    Returns None if there are several such keys, if no word in the mapping is known to the ontology,
    and for the top level of the frontmatter, whose `type` is the note's own.
    """
    mapping = _value_at(frontmatter, path)
    if not path or len(keys) != 1 or not isinstance(mapping, dict):
        return None
    return next((word for word in _words(mapping, path, *keys) if ontology.knows_word(word)), None)


def _words(mapping: Mapping[str, JSON], path: tuple[str, ...], key: str) -> Iterator[str]:
    beside = {name.casefold(): word for name, word in mapping.items() if name != key}
    for name in NAMING_KEYS:
        word = beside.get(name)
        if isinstance(word, str):
            yield word
    if key.casefold() in WHO_KEYS:
        yield _last_word(path)


def _last_word(parts: Sequence[str]) -> str:
    said = [part for part in parts if not part.isdigit()]
    while len(said) > 1 and said[-1].casefold() in HOLDING_KEYS:
        said.pop()
    return said[-1] if said else ""


def _value_at(value: JSON | Mapping[str, JSON], path: Iterable[str]) -> JSON | Mapping[str, JSON]:
    for part in path:
        if isinstance(value, list) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        elif isinstance(value, Mapping):
            value = value.get(part)
        else:
            return None
    return value
