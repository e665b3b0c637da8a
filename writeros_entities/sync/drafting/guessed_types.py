"""Guess types: of what has no note, from links to it; of a note, from what its text tells.

    pov: "[[Odile]]"           the viewpoint of a scene is a person
    home: "[[Vantry]]"         where someone lives is a place
    Odile laughed. "No," said Odile.

As with suggested names, prose must use the name often enough, and as only one type. Only text up to
where the link is first met counts, so that later chapters do not change earlier answers.

Tell from a note's text what it is about, where no property, tag or folder says so.

**Age:** 34                   a label of a sheet, with others for the same sort
Fenwick is a fishing village  the noun at the head of what its subject is said to be
A tavern by the river.        or of a description that begins the text
Temple of Tides               or of its title, behind the name or in front of it: "King Aldo"
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from writeros_entities.names import fold_name
from writeros_entities.ontology import UNTYPED
from writeros_entities.properties import CAST_KEYS, PLACE_KEYS, VIEWPOINT_KEYS, dashed
from writeros_entities.sync.drafting.property_values import last_word
from writeros_entities.sync.drafting.type_words import PERSON, PLACE, TypeWords
from writeros_entities.values import HIDDEN, MARK, SURE_TYPE

if TYPE_CHECKING:
    from writeros_entities.ontology import Ontology
    from writeros_entities.store.rows import Row
    from writeros_entities.values import Note


NARROW = 3
"""A relation kind that allows at most this many types at an end implies the first of them, unless
an untyped entity is allowed too.
"""


class NameUse(Protocol):
    """How one note uses a name that may become an entity: a row of `proposal`, with its note's."""

    note_id: int
    path: str
    position: int | None
    known_from: int
    name_key: str
    name: str
    heading: str | None
    type: str | None
    type_confidence: float
    type_of_note: str | None
    confidence: float
    count: int
    needed: int
    is_of_entity: bool
    """Whether the note is about an entity; told only of names that sections have."""


def is_typed(use: NameUse) -> bool:
    """Say whether the use of a name in a note shows its type surely."""
    return bool(use.type) and use.type_confidence >= SURE_TYPE


def infer_type(links: Sequence[Row], uses: Iterable[NameUse], ontology: Ontology) -> str | None:
    """Return the type of a link target, by the links first met or by uses of its name.

    `links` are in reading order; both have a `known_from`. Returns None if nothing implies a type.
    """
    known_from = links[0].known_from
    keys = [link.field for link in links if link.field and link.known_from <= known_from]
    told = Counter(kind for kind in (_by_key(key, ontology) for key in keys) if kind)
    if told:
        return min(told, key=lambda kind: (-told[kind], kind))
    early = [use for use in uses if use.known_from <= known_from]
    types = {use.type for use in early if is_typed(use) and use.type not in UNTYPED}
    is_often = bool(early) and sum(use.count for use in early) >= early[0].needed
    return types.pop() if is_often and len(types) == 1 else None


def _by_key(field: str, ontology: Ontology) -> str | None:
    """Return the type that a property's key implies: by `party` for `party.0`."""
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


ENOUGH = 2
"""So many labels of a sheet must agree, and be more than those for all other sorts."""

ENOUGH_FIGURES = 3
"""So many labels of a game's figures make a sheet one of its rules."""

LONGEST_LABEL = 40

_TAG = re.compile(r"<[^<>]*+>")
_WORD = re.compile(r"\w+(?:['’-]\w+)*")
_MARKERS = " \t*_>|-+•"


def tell_type(note: Note, types: TypeWords) -> str | None:
    """Return the type of which a note's labels tell, or else its first sentence or its title."""
    told = _by_labels(note, types) or types.of_mark(note.title) or _by_sentence(note, types)
    return told or types.of_name(note.title, None) or _by_front(note, types)


def is_of_a_game(note: Note, types: TypeWords) -> bool:
    """Say whether a note gives the figures of a game's rules for what it is about."""
    return len(_labels(note) & types.game_labels) >= ENOUGH_FIGURES


def _labels(note: Note) -> set[str]:
    labels = {fold_name(key) for key in note.frontmatter}
    labels |= {label for label, _ in labelled_lines(note)}
    return labels | {fold_name(heading.text).strip(_MARKERS + ":") for heading in note.headings}


def _by_labels(note: Note, types: TypeWords) -> str | None:
    labels = _labels(note)
    told = Counter(types.sheet_labels[label] for label in labels if label in types.sheet_labels)
    if not told:
        return None
    (kind, most), *others = told.most_common()
    return kind if most >= ENOUGH and most > sum(count for _, count in others) else None


def labelled_lines(note: Note) -> Iterator[tuple[str, str]]:
    """Yield the label, folded, and the value of each line or row that has one in front."""
    for line in note.text[note.body_start :].splitlines():
        is_row = line.lstrip().startswith("|")
        shown = _TAG.sub("", line) if "<" in line else line
        label, sign, value = shown.strip(_MARKERS).partition("|" if is_row else ":")
        if sign and len(label) <= LONGEST_LABEL and "[" not in label:
            yield fold_name(label.strip(_MARKERS)), value.strip(f"{_MARKERS}:")


def _by_front(note: Note, types: TypeWords) -> str | None:
    """Return the type that the front of a title tells, if the text has no such word as its end."""
    told = types.of_front(note.title)
    if told is None:
        return None
    word = note.title.split()[-1].lower()
    return None if word in _WORD.findall(note.prose) else told


def _by_sentence(note: Note, types: TypeWords) -> str | None:
    for block in note.blocks:
        if block.kind == "paragraph":
            shown = note.prose[block.start : block.end].replace(MARK, "")
            sentence = shown.partition("\n")[0].strip(f"{_MARKERS}{HIDDEN}")
            return types.by_description(sentence, (note.title, *note.aliases))
    return None
