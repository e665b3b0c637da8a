"""The search family: passages that answer a question, and notes related to a note."""

from writeros_entities.capabilities.search.passages import search
from writeros_entities.capabilities.search.reasoning import reason_over_entities
from writeros_entities.capabilities.search.related import find_related_notes

__all__ = ["find_related_notes", "reason_over_entities", "search"]
