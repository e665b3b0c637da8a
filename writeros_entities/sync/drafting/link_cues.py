"""What the words around a link say of what it leads to, as far as a kind of relation needs it.

Headquarters: [[Ash Hall]]            a label
The leader is [[Ruder Norr]].         the same, as a sentence
Ruder is the father of [[Edda]].      a role, and whose it is
## Members                            a list, and what it is of
- [[Nyx Avar]]
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from writeros_entities.language.layout import read_layout

if TYPE_CHECKING:
    from writeros_entities.language.layout import LaidLine
    from writeros_entities.language.words import Words
    from writeros_entities.ontology import Ontology
    from writeros_entities.values import Link, Note

_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_PLURAL = re.compile(r"e?s\Z")
_LISTED = re.compile(r"[:：]\s*+\Z")
_LONGEST = 120
"""How many characters the words that say something of a link have at most."""


@dataclass(frozen=True)
class LinkCues:
    """Reads what stands before links with the words of all languages."""

    ontology: Ontology
    languages: Collection[Words]

    def read(self, note: Note) -> dict[int, str]:
        """Return the key of a relation that leads to a link, by the link's ordinal."""
        links = {
            link.start: ordinal
            for ordinal, link in enumerate(note.links)
            if link.kind == "wikilink" and link.field is None and link.text_start
        }
        return dict(self._read(note, links)) if links else {}

    def _read(self, note: Note, links: dict[int, int]) -> Iterator[tuple[int, str]]:
        starts, listed = sorted(links), ""
        for line in read_layout(note):
            if line.kind == "heading" or _LISTED.search(line.text):
                listed = line.text
            elif line.kind not in ("item", "cell"):
                listed = ""
            first, last = line.offsets[0], line.offsets[-1]
            for start in starts[bisect_left(starts, first - 2) : bisect_left(starts, last + 1)]:
                ordinal = links[start]
                key = self._key(line, note.links[ordinal], listed)
                if key:
                    yield ordinal, key

    def _key(self, line: LaidLine, link: Link, listed: str) -> str:
        at = bisect_left(line.offsets, link.text_start)
        if line.value is not None and at >= line.value:
            return self._known(line.label)
        before = [word.lower() for word in _WORD.findall(line.text[max(0, at - _LONGEST) : at])]
        if not before:
            return self._known(line.header or listed)
        if before[-1] in self._words["of"]:
            return self._known(f"{before[-2]} {before[-1]}") if len(before) > 1 else ""
        if before.pop() not in self._words["being"] or not before:
            return ""
        return self._known(" ".join(before[before[0] in self._words["leading"] :]))

    def _known(self, said: str) -> str:
        """Return the ontology's key for what a label says, or "" if it has none."""
        plain = " ".join(_WORD.findall(said[: _LONGEST + 1])).casefold()
        for word in (plain, _PLURAL.sub("", plain)):
            key = self._labels.get(word, word)
            if word and self.ontology.knows_key(key):
                return key
        return ""

    @cached_property
    def _labels(self) -> dict[str, str]:
        labels = ({**one.roles, **one.labels} for one in self.languages)
        return {key: meant for table in labels for key, meant in table.items()}

    @cached_property
    def _words(self) -> dict[str, frozenset[str]]:
        return {
            name: frozenset().union(*(getattr(one, name) for one in self.languages))
            for name in ("of", "being", "leading")
        }
