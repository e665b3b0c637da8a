"""Property values that may name somebody, in plain text or as mappings.

Only values under keys for a relation, or beside a word for one (`{name: Ben, type: brother}`), are
considered. Whether an entity has the name is known only once all notes are read, and may change
with any of them. Such values are therefore stored with the note's links, and resolved like a link
that points to no file.

Properties that are mappings: `{person: "[[Ann]]", type: sister}`, `allies: [{name: Ben}]`.

The word for the relation is beside the name in the mapping, or is the key above it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from writeros_entities.names import MAX_NAME
from writeros_entities.ontology import WHO_KEYS, Ontology
from writeros_entities.values import HIDDEN, Block, Span

if TYPE_CHECKING:
    from writeros_entities.values import JSON, InlineField, Note, PropertyText

NAMING_KEYS = ("type", "relation", "relationship", "kind", "role")
"""Keys of a mapping whose value names the relation, in order of precedence."""


HOLDING_KEYS = frozenset({"active", "current", "main", "now", "present", "primary"})
"""Keys of a mapping that only say that the one above it holds: `faction: {active: Lamps}`."""


_LEAST_WORDS = 5
"""Words from which on a value is a text, not a name, a date or a status."""


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
    return next(
        (word for word in _spelled(mapping, path, *keys) if ontology.knows_word(word)), None
    )


def _spelled(mapping: Mapping[str, JSON], path: tuple[str, ...], key: str) -> Iterator[str]:
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


MOST = 500
"""Most values stored for one note."""

_PARTS = re.compile(r"[,;]")


@dataclass(frozen=True, slots=True)
class NamedValue:
    """A name, the path of its property (`allies.0`), and the span of the whole value.

    `inline` is its inline field, if it is not in the frontmatter; `word` is the word for the
    relation if the key is not.
    """

    field: str
    name: str
    start: int
    end: int
    inline: InlineField | None = None
    word: str | None = None


def named_values(note: Note, ontology: Ontology) -> list[NamedValue]:
    """Return the values of a note's plain properties that may be names, in order."""
    return list(islice(_values(note, ontology), MOST))


def _values(note: Note, ontology: Ontology) -> Iterator[NamedValue]:
    words = _words(note, ontology)
    for text in note.property_texts:
        word = words.get(text.path)
        if word is not None or ontology.knows_key(last_word(text.path)):
            for name in _names(text.value):
                yield NamedValue(text.path, name, text.start, text.end, word=word)
    for inline in note.fields:
        if ontology.knows_key(inline.key):
            for name in _names(inline.value):
                yield NamedValue(inline.key, name, inline.start, inline.end, inline)


def _words(note: Note, ontology: Ontology) -> dict[str, str]:
    """Return the word for the relation in each mapping that names an entity, by name path."""
    naming: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for text in note.property_texts:
        if "." in text.path and last_word(text.path).casefold() in WHO_KEYS:
            naming[mapping_of(text.path)].append(text.path)
    found = {}
    for path, texts in naming.items():
        keys = {last_word(text) for text in texts}
        word = relation_word(note.frontmatter, path, keys, ontology)
        if word is not None:
            found.update(dict.fromkeys(texts, word))
    return found


def _names(value: str) -> Iterator[str]:
    """Yield the parts of a value that may be names; the first letter must not be lower case.

    Values that contain a link are skipped, since the link is resolved by itself.
    """
    if "[" in value or "\n" in value:
        return
    for part in _PARTS.split(value):
        name = part.strip()
        if 1 < len(name) <= MAX_NAME and not name[0].islower() and not name.isdecimal():
            yield name


def properties_as_note(note: Note, *, is_sheet: bool) -> Note | None:
    """Return a note whose only text is that of the properties that say something, at its offsets.

    These are all from the first to the last that readers see in a sheet, or whose value is a text.
    Returns None if there is none.
    """
    unseen = set(note.comments)
    told = [
        one
        for one in note.properties
        if (is_sheet or _is_text(note.frontmatter[one.key]))
        and Span(one.start, one.end) not in unseen
    ]
    if not told:
        return None
    start, end = told[0].start, told[-1].end
    return replace(
        note,
        text=note.text[:end],
        prose=HIDDEN * start + note.text[start:end],
        body_start=start,
        headings=(),
        blocks=(Block("list", start, end),),
    )


def with_told_properties(note: Note) -> Note:
    """Return a note whose prose also shows the properties whose values are texts."""
    told = [one for one in note.property_texts if _is_text(one.value) and _is_seen(note, one)]
    if not told:
        return note
    parts: list[str] = []
    cursor = 0
    for one in told:
        parts += note.prose[cursor : one.start], note.text[one.start : one.end]
        cursor = one.end
    return replace(note, prose="".join((*parts, note.prose[cursor:])))


def _is_seen(note: Note, one: PropertyText) -> bool:
    return not any(span.start <= one.start < span.end for span in note.comments)


def _is_text(value: JSON) -> bool:
    return isinstance(value, str) and len(value.split(maxsplit=_LEAST_WORDS)) >= _LEAST_WORDS
