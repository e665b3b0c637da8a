"""The search family: passages that answer a question, related notes, and who says what."""

from writeros_entities.capabilities.search.passages import Search, search
from writeros_entities.capabilities.search.reasoning import ReasonOverEntities, reason_over_entities
from writeros_entities.capabilities.search.related import FindRelatedNotes, find_related_notes
from writeros_entities.capabilities.search.speeches import FindSpeeches, find_speeches

__all__ = [
    "FindRelatedNotes",
    "FindSpeeches",
    "ReasonOverEntities",
    "Search",
    "find_related_notes",
    "find_speeches",
    "reason_over_entities",
    "search",
]
