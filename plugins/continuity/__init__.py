"""Rules of continuity: what a careful copy-editor looks for, as far as words alone show it.

Every rule reads the story that `check_continuity` gives it, and says where two places of it clash.
They understand English. Each prefers to be silent where a name may mean two people, where somebody
in the story says it, and where the words speak of memory, hearsay or what might be.
"""

from __future__ import annotations

from collections.abc import Iterable

from writeros_entities import ContinuityRule, hookimpl

from .ages import AgeArithmetic
from .attributes import AttributeConflict
from .deaths import ActsAfterDeath
from .introductions import NamedBeforeIntroduced
from .likeness import ConfusableNames
from .set_ups import UnresolvedSetUp
from .whereabouts import TwoPlaces

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
