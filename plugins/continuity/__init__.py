"""Continuity rules: what a careful copy-editor looks for, as far as words alone show it.

Each rule reads a story, and returns pairs of places that conflict. The rules understand English.
They prefer to stay silent if a name may mean two people, if a character says it, and if the words
express memory, hearsay or possibility.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from writeros_entities import hookimpl

if TYPE_CHECKING:
    from writeros_entities import ContinuityRule, Finding, Story

__version__ = "1"


@dataclass(frozen=True, slots=True)
class Rule:
    """A built-in rule; its module, which compiles many patterns, is imported on first use."""

    name: str
    module: str

    def check(self, story: Story) -> Iterable[Finding]:
        """Return the findings of the module's `check`."""
        found: Iterable[Finding] = import_module(f".{self.module}", __name__).check(story)
        return found


@hookimpl
def register_continuity_rules() -> Iterable[ContinuityRule]:
    """Return the built-in rules."""
    return [
        Rule("acts-after-death", "deaths"),
        Rule("age-arithmetic", "ages"),
        Rule("attribute-conflict", "attributes"),
        Rule("confusable-names", "likeness"),
        Rule("inconsistent-spelling", "spellings"),
        Rule("named-before-introduced", "introductions"),
        Rule("two-places", "whereabouts"),
        Rule("unresolved-set-up", "set_ups"),
    ]
