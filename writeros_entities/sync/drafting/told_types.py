"""Tell from a note's text what it is about, where no property, tag or folder says so.

**Age:** 34                   a label of a sheet, with others for the same sort
Fenwick is a fishing village  the noun at the head of what its subject is said to be
A tavern by the river.        or of a description that begins the text
Temple of Tides               or of its title
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from writeros_entities.names import fold_name
from writeros_entities.values import HIDDEN, MARK

if TYPE_CHECKING:
    from writeros_entities.sync.drafting.declarations import TypeWords
    from writeros_entities.values import Note

ENOUGH = 2
"""So many labels of a sheet must agree, and be more than those for all other sorts."""

LONGEST_LABEL = 40

_TAG = re.compile(r"<[^<>]*+>")
_MARKERS = " \t*_>|-+•"


def tell_type(note: Note, types: TypeWords) -> str | None:
    """Return the type of which a note's labels tell, or else its first sentence or its title."""
    told = _by_labels(note, types) or _by_sentence(note, types)
    return told or types.of_name(note.title, None)


def _by_labels(note: Note, types: TypeWords) -> str | None:
    labels = {fold_name(key) for key in note.frontmatter}
    labels |= {label for label, _ in labelled_lines(note)}
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


def _by_sentence(note: Note, types: TypeWords) -> str | None:
    for block in note.blocks:
        if block.kind == "paragraph":
            shown = note.prose[block.start : block.end].replace(MARK, "")
            sentence = shown.partition("\n")[0].strip(f"{_MARKERS}{HIDDEN}")
            return types.by_description(sentence, (note.title, *note.aliases))
    return None
