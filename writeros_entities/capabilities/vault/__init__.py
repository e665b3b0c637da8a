"""The vault family: bring the index up to date, and check its health."""

from writeros_entities.capabilities.vault.doctor import doctor
from writeros_entities.capabilities.vault.plugins import list_plugins
from writeros_entities.capabilities.vault.status import status
from writeros_entities.capabilities.vault.syncing import migrate, rebuild, sync

__all__ = ["doctor", "list_plugins", "migrate", "rebuild", "status", "sync"]
