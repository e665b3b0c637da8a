"""Properties that are mappings: `{person: "[[Ann]]", type: sister}`, `allies: [{name: Ben}]`.

The word for the relation stands beside whom it is to, or above both.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from writeros_entities.ontology import Ontology
    from writeros_entities.values import JSON

NAMING_KEYS = ("type", "relation", "relationship", "kind", "role")
"""Keys of a mapping that name the relation to whom another of its keys tells, the first first."""

WHO_KEYS = frozenset(
    {
        *("name", "person", "character", "npc", "who", "with", "to", "target"),
        *("group", "org", "organisation", "organization"),
    }
)
"""Keys that say no more than that somebody is named."""


def last_word(path: str) -> str:
    """Return the key that a value stands under: `mother` for `family.mother.0`."""
    return _last_word(path.split(".")) or path


def mapping_of(path: str) -> tuple[str, ...]:
    """Return the path of the mapping that has this key: `family` for `family.mother.0`."""
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
    """Return the word for the relation to whom a mapping tells under one of its keys.

    None where several keys tell of somebody, where nothing says it that is understood, and for the
    properties themselves: their `type` is that of the note.
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
    return next((part for part in reversed(parts) if not part.isdigit()), "")


def _value_at(value: JSON | Mapping[str, JSON], path: Iterable[str]) -> JSON | Mapping[str, JSON]:
    for part in path:
        if isinstance(value, list) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        elif isinstance(value, Mapping):
            value = value.get(part)
        else:
            return None
    return value
