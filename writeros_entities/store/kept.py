"""What readers of one vault keep in memory between questions.

A workspace has one and gives it to every view. What is kept belongs to a revision of the index, and
goes when the index has moved on; while a sync is under way, nothing is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar, cast

T = TypeVar("T")

MOST = 16
"""Things kept of one revision: several reading positions of each."""


RECENT = 64
"""Answers kept of one revision: those given last."""


class Recent:
    """The last things made, at most so many, by name; safe to use from several threads."""

    def __init__(self, most: int = RECENT) -> None:
        self._lock = Lock()
        self._most = most
        self._made: dict[Hashable, Any] = {}

    def get(self, name: Hashable) -> Any:
        """Return what is kept under a name, or None; it then counts as the last."""
        with self._lock:
            made = self._made.pop(name, None)
            if made is not None:
                self._made[name] = made
            return made

    def put(self, name: Hashable, made: object) -> None:
        """Keep something under a name, in place of what was asked for longest ago."""
        with self._lock:
            self._made.pop(name, None)
            while len(self._made) >= self._most:
                del self._made[next(iter(self._made))]
            self._made[name] = made


class Kept:
    """Things made from an index, by name; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._revision = -1
        self._made: dict[Hashable, Any] = {}
        self._lasting: dict[Hashable, Any] = {}

    def get(self, revision: int | None, name: Hashable, make: Callable[[], T]) -> T:
        """Return what was made under a name at this revision, making it if need be."""
        if revision is None:
            return make()
        with self._lock:
            if revision == self._revision and name in self._made:
                return cast("T", self._made[name])
        made = make()
        with self._lock:
            if revision > self._revision:
                self._revision = revision
                self._made = {}
            if revision == self._revision:
                while len(self._made) >= MOST:
                    del self._made[next(iter(self._made))]
                self._made[name] = made
        return made

    def get_lasting(self, name: Hashable, make: Callable[[], T]) -> T:
        """Return what was made under a name, which no change of the index makes wrong."""
        with self._lock:
            if name not in self._lasting:
                self._lasting[name] = make()
            return cast("T", self._lasting[name])

    def find_lasting(self, name: Hashable) -> Any:
        """Return what was made under a name to last, or None."""
        with self._lock:
            return self._lasting.get(name)
