"""The context family: what to put into a prompt, within a token budget."""

from writeros_entities.capabilities.context.building import BuildContext, build_context
from writeros_entities.capabilities.context.scenes import BriefScene, brief_scene
from writeros_entities.capabilities.context.texts import ContextForText, context_for_text

__all__ = [
    "BriefScene",
    "BuildContext",
    "ContextForText",
    "brief_scene",
    "build_context",
    "context_for_text",
]
