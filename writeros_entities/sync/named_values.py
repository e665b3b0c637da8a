"""Properties whose plain text may be somebody's name: `mother: Ann Hale`, `allies:: Ben, Cora`.

Only under keys that state a relation. Whether anybody has the name is known once all notes are
read, and may change with any of them; so such a value is kept beside the note's links, as what it
names, and is set against the names that there are as a link is that leads to no file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from writeros_entities.names import MAX_NAME

if TYPE_CHECKING:
    from writeros_entities.ontology import Ontology
    from writeros_entities.values import InlineField, Note

MOST = 500
"""Values of one note that are kept."""

_PARTS = re.compile(r"[,;]")


@dataclass(frozen=True, slots=True)
class NamedValue:
    """A name, the property that it stands under (`allies.0`), and the span of the whole value.

    `inline` is the field that it stands in, if it is not in the frontmatter.
    """

    field: str
    name: str
    start: int
    end: int
    inline: InlineField | None = None


def named_values(note: Note, ontology: Ontology) -> list[NamedValue]:
    """Return what the plain properties of a note may name, in order."""
    stating = (one for one in _values(note) if ontology.knows_key(last_word(one.field)))
    return list(islice(stating, MOST))


def last_word(path: str) -> str:
    """Return the key that a value stands under: `mother` for `family.mother.0`."""
    return next((part for part in reversed(path.split(".")) if not part.isdigit()), path)


def _values(note: Note) -> Iterator[NamedValue]:
    for text in note.property_texts:
        for name in _names(text.value):
            yield NamedValue(text.path, name, text.start, text.end)
    for inline in note.fields:
        for name in _names(inline.value):
            yield NamedValue(inline.key, name, inline.start, inline.end, inline)


def _names(value: str) -> Iterator[str]:
    """Yield the parts of a value that may be names: with a capital, if there are capitals at all.

    A value with a link is none: the link says whom it means.
    """
    if "[" in value or "\n" in value:
        return
    for part in _PARTS.split(value):
        name = part.strip()
        if 1 < len(name) <= MAX_NAME and not name[0].islower() and not name.isdecimal():
            yield name
