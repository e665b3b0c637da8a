"""The entities family: entities in a text, entities of the vault, and their mentions."""

from writeros_entities.capabilities.entities.extraction import ExtractEntities, extract_entities
from writeros_entities.capabilities.entities.listing import ListEntities, list_entities
from writeros_entities.capabilities.entities.mentions import FindMentions, find_mentions
from writeros_entities.capabilities.entities.passages import SearchByEntities, search_by_entities
from writeros_entities.capabilities.entities.presence import ListNoteEntities, list_note_entities
from writeros_entities.capabilities.entities.sheet import GetEntity, get_entity
from writeros_entities.capabilities.entities.uses import FindUses, find_uses

__all__ = [
    "ExtractEntities",
    "FindMentions",
    "FindUses",
    "GetEntity",
    "ListEntities",
    "ListNoteEntities",
    "SearchByEntities",
    "extract_entities",
    "find_mentions",
    "find_uses",
    "get_entity",
    "list_entities",
    "list_note_entities",
    "search_by_entities",
]
