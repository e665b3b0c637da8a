"""The search family: passages that answer a question."""

from writeros_entities.capabilities.search.reasoning import reason_over_entities

__all__ = ["reason_over_entities"]
