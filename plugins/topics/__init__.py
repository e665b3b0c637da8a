"""Topics of a note: those that the writer states, its headings, and its frequent terms.

confidence 1.00   properties `topics`, `themes`, `keywords`, `subjects`
           0.95   tags
           0.70   headings, except the note's own title and usual ones ("History")
           0.35 + 0.25 · C / C_max   the terms with the greatest C-value (see `terms`)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from writeros_entities import JSON, Note, Topic, hookimpl

from ..word_lists import word_set

__version__ = "2"

FIELDS = frozenset({"topic", "topics", "theme", "themes", "keyword", "keywords", "subjects"})
STATED, TAGGED, HEADED = 1.0, 0.95, 0.7
TERM, TERM_RANGE = 0.35, 0.25

LONGEST = 60
"""The most characters in a topic."""

MOST_TERMS = 6
MOST_HEADINGS = 12

USUAL_HEADINGS = word_set(
    "about appearance background chapter characters description draft family history ideas",
    "introduction links notes outline overview personality queries questions references relations",
    "relationships scene sources summary tasks timeline todo",
) | {"to do"}

_LINK = re.compile(r"\[\[(?:[^\[\]|#]*/)?([^\[\]|#/]*+)(?:[|#][^\[\]]*+)?\]\]")
_LISTED = re.compile(r"(?:\[\[[^\[\]]*\]\]|[^,])+")
"""Matches one of several topics separated by commas, outside links."""

_NUMBERING = re.compile(r"\A(?:chapter|scene|part|act)?\s*+[\dIVXLC]*+\s*+[-–—.:)]*+\s*\Z", re.I)


@hookimpl
def extract_topics(note: Note) -> Iterable[Topic]:
    """Return the topics that the writer states, then the note's headings and terms."""
    yield from (Topic(name, STATED) for name in _stated(note))
    yield from (Topic(tag.name, TAGGED) for tag in note.tags if len(tag.name) <= LONGEST)
    yield from (Topic(name, HEADED) for name in islice(_headings(note), MOST_HEADINGS))
    yield from _terms(note)


def _stated(note: Note) -> Iterator[str]:
    for key, value in note.frontmatter.items():
        if key.casefold() in FIELDS:
            for item in value if isinstance(value, list) else _LISTED.findall(_text(value)):
                name = _LINK.sub(r"\1", _text(item)).strip()
                if 0 < len(name) <= LONGEST:
                    yield name


def _text(value: JSON) -> str:
    """Return a word or a number as text; what is empty or a check box is no topic."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return str(value) if is_number or isinstance(value, str) else ""


def _headings(note: Note) -> Iterator[str]:
    for heading in note.headings:
        name = heading.text.strip()
        folded = name.casefold()
        is_usual = folded in USUAL_HEADINGS or folded == note.title.casefold()
        is_title = heading.level == 1
        if 0 < len(name) <= LONGEST and not (is_usual or is_title or _NUMBERING.match(name)):
            yield name


def _terms(note: Note) -> Iterator[Topic]:
    from .terms import find_terms

    ranked = [(term, value) for term, value in find_terms(note.prose) if len(term) <= LONGEST]
    for term, value in ranked[:MOST_TERMS]:
        yield Topic(term, round(TERM + TERM_RANGE * value / ranked[0][1], 4))
