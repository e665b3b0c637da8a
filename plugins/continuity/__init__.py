"""Rules of continuity: what a careful copy-editor looks for, as far as words alone show it.

Every rule reads the story that `check_continuity` gives it, and says where two places of it clash.
They understand English. Each prefers to be silent where a name may mean two people, where somebody
in the story says it, and where the words speak of memory, hearsay or what might be.
"""

from __future__ import annotations

from collections.abc import Iterable

from writeros_plugins.continuity.ages import AgeArithmetic
from writeros_plugins.continuity.attributes import AttributeConflict
from writeros_plugins.continuity.deaths import ActsAfterDeath
from writeros_plugins.continuity.introductions import NamedBeforeIntroduced
from writeros_plugins.continuity.likeness import ConfusableNames
from writeros_plugins.continuity.set_ups import UnresolvedSetUp
from writeros_plugins.continuity.whereabouts import TwoPlaces

from writeros_entities import ContinuityRule, hookimpl

__version__ = "1"


@hookimpl
def register_continuity_rules() -> Iterable[ContinuityRule]:
    """Return the built-in rules."""
    return [
        ActsAfterDeath(),
        AgeArithmetic(),
        AttributeConflict(),
        ConfusableNames(),
        NamedBeforeIntroduced(),
        TwoPlaces(),
        UnresolvedSetUp(),
    ]
