"""Track callouts, which nest like quotes, and where each of them ends."""

from __future__ import annotations

import re
from dataclasses import dataclass

from writeros_entities.values import Callout

CALLOUT = re.compile(r"\[!([^\[\]\n]++)\]([+-]?)[ \t]*+")
"""The start of a callout's first line: type (with `|` metadata) and fold mark."""


@dataclass(slots=True)
class _Open:
    depth: int
    start: int
    type: str
    title: str
    fold: str


class OpenCallouts:
    """The callouts open during a scan, innermost last; `closed` has those that have ended."""

    def __init__(self) -> None:
        self.closed: list[Callout] = []
        self._open: list[_Open] = []

    def enter(self, match: re.Match[str], depth: int, start: int, title: str) -> None:
        """Open the callout whose first line, at `start`, matched `CALLOUT`."""
        kind = match[1].partition("|")[0].strip().lower()
        self._open.append(_Open(depth, start, kind, title, match[2]))

    def in_infobox(self) -> bool:
        """Say whether the innermost open callout is an infobox, the facts about one subject."""
        return bool(self._open) and self._open[-1].type == "infobox"

    def leave(self, depth: int, end: int) -> None:
        """Close, at `end`, all callouts nested deeper than `depth` quote marks."""
        while self._open and self._open[-1].depth > depth:
            callout = self._open.pop()
            fold = callout.fold
            self.closed.append(
                Callout(
                    callout.type,
                    callout.title,
                    "+" if fold == "+" else "-" if fold == "-" else "",
                    callout.start,
                    end,
                )
            )
