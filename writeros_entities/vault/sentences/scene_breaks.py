"""Scene breaks other than Markdown rules: `#`, `⁂`, `\\* \\* \\*`."""

from __future__ import annotations

import re

ORNAMENT = r"(?:\#|⁂|(?:\\\*[ \t]*+){3,})"
"""A pattern for the content of a scene break."""

_ALONE = re.compile(rf"\s*{ORNAMENT}\s*\Z")


def is_scene_break(block: str) -> bool:
    """Return whether a paragraph or heading is nothing but a scene break."""
    return _ALONE.match(block) is not None
