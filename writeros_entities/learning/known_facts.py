"""What is known of two entities independently of the vault: the facts that a relation model ships.

They are answered instead of guessed at. They also limit what the model may guess: between two
entities that they know, a relation that they do not state is at most uncertain

- if its kind usually has several targets (`alternative_to`, `depends_on`): of the pairs for which
  the shipped model gives such a kind 0.85 and more, 2 to 28 in 100 are stated, as it places things
  that are used together near each other;
- if its kind usually has one target (`implemented_in`), and the facts state another one, or the
  same the other way round.

This is the local closed-world assumption (X. Dong et al., "Knowledge Vault", 2014).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from writeros_entities.learning.endpoints import Claim, ResolvedEndpoint
    from writeros_entities.values import Facts

CONFIDENCE = 0.95
"""The confidence of a fact: that of a property in a note."""

MOST_UNSTATED = 0.5
"""The most that a relation which the facts do not state can be given."""

_ONE_TARGET = 1.1
"""The most targets per entity, on average, of a kind that usually has one."""


class Fact(NamedTuple):
    """A fact between two entities, by their keys."""

    source_id: str
    kind: str
    target_id: str


@dataclass(frozen=True, eq=False)
class KnownFacts:
    """The facts that a model ships with; none for a model that ships with none."""

    facts: Facts | None

    def of(self, head: ResolvedEndpoint, tail: ResolvedEndpoint) -> list[Fact]:
        """Return the facts between two entities, in either direction."""
        if not self._are_known(head, tail):
            return []
        ends = {head.endpoint.key, tail.endpoint.key}
        return [one for one in self._by_source[head.endpoint.key] if one.target_id in ends] + [
            one for one in self._by_source[tail.endpoint.key] if one.target_id in ends
        ]

    def states(self, claim: Claim) -> bool:
        """Say whether the facts state a relation."""
        return Fact(*claim.keys) in self.of(claim.head, claim.tail)

    def leaves_open(self, claim: Claim) -> bool:
        """Say whether the model may hold a relation to be valid, as the facts say nothing of it."""
        if not self._are_known(claim.head, claim.tail):
            return True
        asked = Fact(*claim.keys)
        turned = Fact(asked.target_id, asked.kind, asked.source_id)
        others = [one for one in self._by_source[asked.source_id] if one.kind == asked.kind]
        if asked in others:
            return True
        is_told = others or turned in self._by_source[asked.target_id]
        return asked.kind in self._one_target and not is_told

    def _are_known(self, *ends: ResolvedEndpoint) -> bool:
        """Say whether the facts know entities; a person of the story only has a known name."""
        return all(
            one.endpoint.key in self._by_source
            and (one.row is None or one.row.canonical_id is not None)
            for one in ends
        )

    @cached_property
    def _by_source(self) -> dict[str, list[Fact]]:
        """The facts of each entity that they name, symmetric ones at both of its ends."""
        if self.facts is None:
            return {}
        keys = [one.key for one in self.facts.endpoints]
        found: dict[str, list[Fact]] = {key: [] for key in keys}
        for head, kind, tail in self.facts.mirrored().tolist():
            found[keys[head]].append(Fact(keys[head], self.facts.relations[kind], keys[tail]))
        return found

    @cached_property
    def _one_target(self) -> set[str]:
        """The kinds that usually have one target."""
        targets: dict[str, list[int]] = defaultdict(list)
        for facts in self._by_source.values():
            for kind in {one.kind for one in facts}:
                targets[kind].append(sum(one.kind == kind for one in facts))
        return {kind for kind, each in targets.items() if sum(each) <= _ONE_TARGET * len(each)}
