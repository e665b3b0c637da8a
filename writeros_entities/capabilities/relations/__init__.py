"""The relations family: how two entities are related, to whom else, and whether it is so."""

from writeros_entities.capabilities.relations.evaluation import evaluate_relations
from writeros_entities.capabilities.relations.inference import infer_relationship
from writeros_entities.capabilities.relations.neighbours import find_related_entities
from writeros_entities.capabilities.relations.validation import validate_knowledge

__all__ = [
    "evaluate_relations",
    "find_related_entities",
    "infer_relationship",
    "validate_knowledge",
]
