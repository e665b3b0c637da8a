"""Claims: what the words around mentions say, before it is known whether the sentence means it."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace


@dataclass(frozen=True, slots=True)
class Claim:
    """A relation between two mentions, or a status of one; read from the first, unless
    `is_inverse`.

    `start` and `end` span the words that say it; `rule` names their form. `is_presupposed` claims
    also hold in a question or a denial: "has Ann never met Bob's sister Eve?" `is_happening` claims
    are in the present tense, which may also be a plan. In an `is_apart` claim a name stands apart,
    and in speech may be an address: "it is Bob's sister, Eve."
    """

    kind: str
    rule: str
    start: int
    end: int
    _: KW_ONLY
    is_inverse: bool = False
    has_ended: bool = False
    is_presupposed: bool = False
    is_apart: bool = False
    is_happening: bool = False

    def until(self, end: int) -> Claim:
        """Return the claim with its words extended to `end`."""
        return replace(self, end=end)
