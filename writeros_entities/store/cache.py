"""An in-memory cache of values computed from one vault's index, shared by all of its readers.

A workspace has one and hands it to every view. Values belong to a revision of the index and are
dropped when the revision changes; during a sync nothing is cached.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar, cast

T = TypeVar("T")

MOST = 16
"""Values cached for one revision, each possibly at several reading positions."""


DEFAULT_SIZE = 64
"""Default size of a `LRUCache`."""


class LRUCache:
    """A least-recently-used cache; thread-safe."""

    def __init__(self, most: int = DEFAULT_SIZE) -> None:
        self._lock = Lock()
        self._most = most
        self._made: dict[Hashable, object] = {}

    def get(self, name: Hashable) -> Any:
        """Return the value under a key and mark it as just used, or return None."""
        with self._lock:
            made = self._made.pop(name, None)
            if made is not None:
                self._made[name] = made
            return made

    def put(self, name: Hashable, made: object) -> None:
        """Store a value under a key, evicting the least recently used one if the cache is full."""
        with self._lock:
            self._made.pop(name, None)
            while len(self._made) >= self._most:
                del self._made[next(iter(self._made))]
            self._made[name] = made


class RevisionCache:
    """Values computed from an index, by key; thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._revision = -1
        self._made: dict[Hashable, object] = {}
        self._lasting: dict[Hashable, object] = {}

    def get(self, revision: int | None, name: Hashable, make: Callable[[], T]) -> T:
        """Return the value cached under a key for this revision, computing it if needed.

        With `revision` None (a sync is running), the value is computed and not cached.
        """
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
        """Return the value cached under a key at any revision, computing it if needed."""
        with self._lock:
            if name not in self._lasting:
                self._lasting[name] = make()
            return cast("T", self._lasting[name])

    def find_lasting(self, name: Hashable) -> Any:
        """Return the value cached under a key regardless of the revision, or None."""
        with self._lock:
            return self._lasting.get(name)
