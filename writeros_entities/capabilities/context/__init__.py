"""The context family: what belongs into a prompt, within its tokens."""

from writeros_entities.capabilities.context.building import build_context
from writeros_entities.capabilities.context.texts import context_for_text

__all__ = ["build_context", "context_for_text"]
