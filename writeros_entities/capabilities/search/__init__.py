"""The search family: passages that answer a question, and notes related to a note."""

from writeros_entities.capabilities.search.passages import Search, search
from writeros_entities.capabilities.search.reasoning import ReasonOverEntities, reason_over_entities
from writeros_entities.capabilities.search.related import FindRelatedNotes, find_related_notes

__all__ = [
    "FindRelatedNotes",
    "ReasonOverEntities",
    "Search",
    "find_related_notes",
    "reason_over_entities",
    "search",
]
