"""The vault family: bring the index up to date, check its health, and read the notes."""

from writeros_entities.capabilities.vault.deciding import Decide, decide
from writeros_entities.capabilities.vault.doctor import Doctor, doctor
from writeros_entities.capabilities.vault.notes import ListNotes, ReadNote, list_notes, read_note
from writeros_entities.capabilities.vault.plugins import ListPlugins, list_plugins
from writeros_entities.capabilities.vault.questions import ListQuestions, list_questions
from writeros_entities.capabilities.vault.status import Status, status
from writeros_entities.capabilities.vault.syncing import (
    MigrateIndex,
    RebuildIndex,
    SyncVault,
    migrate,
    rebuild,
    sync,
)

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
    "decide",
    "doctor",
    "list_notes",
    "list_plugins",
    "list_questions",
    "migrate",
    "read_note",
    "rebuild",
    "status",
    "sync",
]
