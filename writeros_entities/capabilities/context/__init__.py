"""The context family: what to put into a prompt, within a token budget."""

from writeros_entities.capabilities.context.building import build_context
from writeros_entities.capabilities.context.scenes import brief_scene
from writeros_entities.capabilities.context.texts import context_for_text

__all__ = ["brief_scene", "build_context", "context_for_text"]
