"""The relations family: how two entities are related, to whom else, and whether it is so."""

from writeros_entities.capabilities.relations.evaluation import (
    EvaluateRelations,
    evaluate_relations,
)
from writeros_entities.capabilities.relations.inference import InferRelationship, infer_relationship
from writeros_entities.capabilities.relations.neighbours import (
    FindRelatedEntities,
    find_related_entities,
)
from writeros_entities.capabilities.relations.validation import (
    ValidateKnowledge,
    validate_knowledge,
)

__all__ = [
    "EvaluateRelations",
    "FindRelatedEntities",
    "InferRelationship",
    "ValidateKnowledge",
    "evaluate_relations",
    "find_related_entities",
    "infer_relationship",
    "validate_knowledge",
]
