"""What a writer puts between two scenes beside rules of Markdown: `#`, `⁂`, `\\* \\* \\*`."""

from __future__ import annotations

import re

ORNAMENT = r"(?:\#|⁂|(?:\\\*[ \t]*){3,})"
"""A pattern for the line between two scenes."""

_ALONE = re.compile(rf"\s*{ORNAMENT}\s*\Z")


def is_scene_break(block: str) -> bool:
    """Say whether a paragraph or a heading parts two scenes, and says nothing else."""
    return _ALONE.match(block) is not None
