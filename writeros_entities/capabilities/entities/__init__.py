"""The entities family: entities in a text, entities of the vault, and their mentions."""

from writeros_entities.capabilities.entities.extraction import extract_entities
from writeros_entities.capabilities.entities.listing import list_entities
from writeros_entities.capabilities.entities.mentions import find_mentions
from writeros_entities.capabilities.entities.passages import search_by_entities
from writeros_entities.capabilities.entities.presence import list_note_entities
from writeros_entities.capabilities.entities.sheet import get_entity

__all__ = [
    "extract_entities",
    "find_mentions",
    "get_entity",
    "list_entities",
    "list_note_entities",
    "search_by_entities",
]
