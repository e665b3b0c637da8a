"""The lexicon that a synchronizer keeps between two syncs, as long as it is the index's own."""

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
    """The lexicon at one revision of the index, and the ids of its entities."""

    lexicon: Lexicon
    entity_ids: Mapping[str, int]
    revision: int


class KnownNames:
    """The names of one vault, read from the index where they are not known yet."""

    def __init__(self, vault_id: int) -> None:
        self._vault_id = vault_id
        self._names: Names | None = None

    def at(self, connection: Connection, revision: int) -> Names:
        """Return the names at a revision, which is that of the index."""
        if self._names is None or self._names.revision != revision:
            view = View(connection, self._vault_id)
            self._names = Names(load_lexicon(view), load_entity_ids(view), revision)
        return self._names

    def forget(self) -> None:
        """Read them anew the next time."""
        self._names = None

    def carry_over(self, before: int, after: int) -> None:
        """Take what is known of the revision before as true of the one after it."""
        if self._names is not None and self._names.revision == before:
            self._names = replace(self._names, revision=after)
        else:
            self._names = None
