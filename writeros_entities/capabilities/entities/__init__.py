"""The entities family: entities in a text, entities of the vault, and their mentions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from writeros_entities.capabilities import find_request

if TYPE_CHECKING:
    from writeros_entities.capabilities.entities.describe_voice import DescribeVoice
    from writeros_entities.capabilities.entities.extract_entities import ExtractEntities
    from writeros_entities.capabilities.entities.find_mentions import FindMentions
    from writeros_entities.capabilities.entities.find_uses import FindUses
    from writeros_entities.capabilities.entities.get_entity import GetEntity
    from writeros_entities.capabilities.entities.list_entities import ListEntities
    from writeros_entities.capabilities.entities.list_note_entities import ListNoteEntities
    from writeros_entities.capabilities.entities.search_by_entities import SearchByEntities
else:

    def __getattr__(name: str) -> object:
        return find_request(__name__, name)


__all__ = [
    "DescribeVoice",
    "ExtractEntities",
    "FindMentions",
    "FindUses",
    "GetEntity",
    "ListEntities",
    "ListNoteEntities",
    "SearchByEntities",
]
