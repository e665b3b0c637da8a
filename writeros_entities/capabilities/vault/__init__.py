"""The vault family: bring the index up to date, check its health, and read the notes."""

from writeros_entities.capabilities.vault.doctor import doctor
from writeros_entities.capabilities.vault.notes import list_notes, read_note
from writeros_entities.capabilities.vault.plugins import list_plugins
from writeros_entities.capabilities.vault.status import status
from writeros_entities.capabilities.vault.syncing import migrate, rebuild, sync

__all__ = [
    "doctor",
    "list_notes",
    "list_plugins",
    "migrate",
    "read_note",
    "rebuild",
    "status",
    "sync",
]
