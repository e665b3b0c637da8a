"""Rules of continuity: what a careful copy-editor looks for, as far as words alone show it.

Every rule reads the story that `check_continuity` gives it, and says where two places of it clash.
They understand English. Each prefers to be silent where a name may mean two people, where somebody
in the story says it, and where the words speak of memory, hearsay or what might be.
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
    """A built-in rule; its module, full of patterns, is loaded when the rule is first asked."""

    name: str
    module: str

    def check(self, story: Story) -> Iterable[Finding]:
        """Return what the module's `check` finds."""
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
        Rule("named-before-introduced", "introductions"),
        Rule("two-places", "whereabouts"),
        Rule("unresolved-set-up", "set_ups"),
    ]
