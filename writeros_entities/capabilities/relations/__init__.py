"""The relations family: how two entities are related, to whom else, and whether it is so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from writeros_entities.capabilities import find_request

if TYPE_CHECKING:
    from writeros_entities.capabilities.relations.evaluate_relations import EvaluateRelations
    from writeros_entities.capabilities.relations.find_related_entities import FindRelatedEntities
    from writeros_entities.capabilities.relations.infer_relationship import InferRelationship
    from writeros_entities.capabilities.relations.validate_knowledge import ValidateKnowledge
else:

    def __getattr__(name: str) -> object:
        return find_request(__name__, name)


__all__ = ["EvaluateRelations", "FindRelatedEntities", "InferRelationship", "ValidateKnowledge"]
