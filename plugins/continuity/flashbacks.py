"""Recognise scenes that go back in time, so that their events precede those of earlier scenes."""

from __future__ import annotations

import re

from writeros_entities import Scene

_BACK_IN_TIME = re.compile(
    r"\b(?:flashback|years? (?:ago|before|earlier)|earlier|prologue|memory|the past)\b"
    r"|\b(?:before|then)\W*\Z|(?:\A|[^\w\s]\s*)then\b",
    re.IGNORECASE,
)


def is_told_back(scene: Scene) -> bool:
    """Say whether a scene goes back in time, by its title, its headings or its properties."""
    mode = " ".join(
        value
        for key in ("timeline-mode", "flashback", "timeline", "mode")
        for value in scene.properties.get(key, ())
    ).casefold()
    is_marked = bool(mode) and mode not in ("linear", "false", "no", "present", "main")
    return is_marked or any(map(_BACK_IN_TIME.search, (scene.title, *scene.headings)))
