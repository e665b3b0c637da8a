"""The vault family: bring the index up to date, check its health, and read the notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from writeros_entities.capabilities import find_request

if TYPE_CHECKING:
    from writeros_entities.capabilities.vault.decide import Decide
    from writeros_entities.capabilities.vault.doctor import Doctor
    from writeros_entities.capabilities.vault.list_plugins import ListPlugins
    from writeros_entities.capabilities.vault.list_questions import ListQuestions
    from writeros_entities.capabilities.vault.notes import ListNotes, ReadNote
    from writeros_entities.capabilities.vault.status import Status
    from writeros_entities.capabilities.vault.sync import MigrateIndex, RebuildIndex, SyncVault
else:

    def __getattr__(name: str) -> object:
        return find_request(__name__, name)


__all__ = [
    "Decide",
    "Doctor",
    "ListNotes",
    "ListPlugins",
    "ListQuestions",
    "MigrateIndex",
    "ReadNote",
    "RebuildIndex",
    "Status",
    "SyncVault",
]
