"""The lexicon, cached between two syncs for as long as it matches the index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from writeros_entities.store.lexicon import load_entity_ids, load_lexicon
from writeros_entities.store.view import View

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from writeros_entities.values import Lexicon


@dataclass(frozen=True, slots=True)
class Names:
    """The lexicon at one revision of the index, and the row ids of its entities."""

    lexicon: Lexicon
    entity_ids: Mapping[str, int]
    revision: int


class KnownNames:
    """A cache of one vault's names."""

    def __init__(self, vault_id: int) -> None:
        self._vault_id = vault_id
        self._names: Names | None = None

    def at(self, connection: Connection, revision: int) -> Names:
        """Return the names at the index's current revision, reading them if they are not cached."""
        if self._names is None or self._names.revision != revision:
            view = View(connection, self._vault_id)
            self._names = Names(load_lexicon(view), load_entity_ids(view), revision)
        return self._names

    def forget(self) -> None:
        """Drop the cached names."""
        self._names = None

    def carry_over(self, before: int, after: int) -> None:
        """Keep the cached names for a new revision that has the same names as the one before."""
        if self._names is not None and self._names.revision == before:
            self._names = replace(self._names, revision=after)
        else:
            self._names = None
