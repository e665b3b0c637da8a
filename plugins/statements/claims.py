"""What the words around mentions say, before it is known whether their sentence means it."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Claim:
    """What two mentions, or one, are said to be: read from the first, unless `is_inverse`.

    `start` and `end` span the words that say it; `rule` names the form they have.
    What is presupposed holds in a question or a denial too: "has Ann never met Bob's sister Eve?"
    What is happening is told in the present tense, in which plans are told as well.
    A name that stands apart is, in speech, perhaps whom one speaks to: "it is Bob's sister, Eve."
    """

    kind: str
    is_inverse: bool
    rule: str
    start: int
    end: int
    has_ended: bool = False
    is_presupposed: bool = False
    is_apart: bool = False
    is_happening: bool = False

    def until(self, end: int) -> Claim:
        """Return the claim with its words going on to `end`."""
        return replace(self, end=end)
