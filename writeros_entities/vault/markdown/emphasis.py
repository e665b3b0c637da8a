"""Pair `*`, `_`, `==` and `~~` as formatting, by CommonMark's flanking rules."""

from __future__ import annotations

import re

from writeros_entities.vault.markdown.prose import ProseMask

_RUN = re.compile(r"\*++|_++|==|~~")


class EmphasisPairs:
    """The unpaired delimiter runs of one paragraph."""

    def __init__(self, text: str, start: int, end: int, mask: ProseMask) -> None:
        self._text = text
        self._start = start
        self._end = end
        self._mask = mask
        self._openings: dict[str, list[list[int]]] = {}

    def add(self, position: int) -> int:
        """Read the run at `position`, pair it with the run that it closes; return its end."""
        text = self._text
        run = _RUN.match(text, position, self._end)
        assert run is not None
        end = run.end()
        opens, closes = self._flanks(position, end)
        openings = self._openings.setdefault(text[position], [])
        while closes and openings and position < end:
            opening = openings[-1]
            length = min(opening[1] - opening[0], end - position)
            self._mask.mark(opening[1] - length, opening[1])
            self._mask.mark(position, position + length)
            position += length
            opening[1] -= length
            if opening[0] == opening[1]:
                openings.pop()
        if opens and position < end:
            openings.append([position, end])
        return end

    def _flanks(self, start: int, end: int) -> tuple[bool, bool]:
        """Return whether a run can open, and can close, emphasis, by the characters beside it."""
        before = self._text[start - 1] if start > self._start else " "
        after = self._text[end] if end < self._end else " "
        left = not after.isspace() and (after.isalnum() or not before.isalnum())
        right = not before.isspace() and (before.isalnum() or not after.isalnum())
        if self._text[start] != "_":
            return left, right
        return left and not (right and before.isalnum()), right and not (left and after.isalnum())
