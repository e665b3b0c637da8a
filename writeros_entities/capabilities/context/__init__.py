"""The context family: what to put into a prompt, within a token budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from writeros_entities.capabilities import find_request

if TYPE_CHECKING:
    from writeros_entities.capabilities.context.brief_scene import BriefScene
    from writeros_entities.capabilities.context.build_context import BuildContext
    from writeros_entities.capabilities.context.context_for_text import ContextForText
else:

    def __getattr__(name: str) -> object:
        return find_request(__name__, name)


__all__ = ["BriefScene", "BuildContext", "ContextForText"]
