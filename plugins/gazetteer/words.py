"""The occurrences of words and names in a text, exactly as written.

Results are cached, and after many queries the text is indexed, so that it is not searched again for
each name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from writeros_entities import Folded, Note, fold, is_boundary, spaced_words

from ..once import once_for_each

FEW = 64
"""How many forms are searched for one by one, which is faster than indexing a short text."""


@once_for_each
def fold_prose(note: Note) -> Folded:
    """Fold a note's prose."""
    return fold(note.prose)


class Words:
    """The words of one folded text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._known: dict[str, Sequence[int]] = {}
        self._index: Mapping[str, Sequence[int]] | None = None

    def have(self, word: str) -> bool:
        """Say whether the text contains a word."""
        return bool(self.find(word))

    def find(self, form: str) -> Sequence[int]:
        """Return the offsets of a form of one or several words, at word boundaries."""
        known = self._known.get(form)
        if known is None:
            known = self._known[form] = self._find(form)
        return known

    def _find(self, form: str) -> Sequence[int]:
        if len(self._known) >= FEW:
            if self._index is None:
                self._index = _index(self._text)
            nothing: Sequence[int] = ()
            parts = [(self._index.get(word, nothing), at) for at, word in spaced_words(form)]
            if parts:
                rarest, at = min(parts, key=lambda part: len(part[0]))
                return self._apart(form, [start - at for start in rarest])
        starts = []
        start = self._text.find(form)
        while start != -1:
            starts.append(start)
            start = self._text.find(form, start + len(form))
        return self._apart(form, starts)

    def _apart(self, form: str, starts: Sequence[int]) -> Sequence[int]:
        """Return the starts at which the form stands between word boundaries, without overlaps."""
        text, length = self._text, len(form)
        kept: list[int] = []
        end = 0
        for start in starts:
            if start >= end and text.startswith(form, start):
                end = start + length
                if is_boundary(text, start) and is_boundary(text, end):
                    kept.append(start)
        return kept


def _index(text: str) -> Mapping[str, Sequence[int]]:
    starts: dict[str, list[int]] = defaultdict(list)
    for start, word in spaced_words(text):
        starts[word].append(start)
    return starts
