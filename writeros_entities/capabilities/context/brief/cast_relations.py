"""The relations of a scene's cast, and the last passage that names each two of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import combinations, groupby
from typing import TYPE_CHECKING

from writeros_entities.capabilities.context.brief.parts import CastPair
from writeros_entities.capabilities.context.brief.quotes import pairs_named, quote_sentences
from writeros_entities.capabilities.context.brief.setting import ref_of
from writeros_entities.capabilities.entities.stated import surest_first, to_stated_relations
from writeros_entities.graph.intervals import holds_at
from writeros_entities.language.marks import CELLS
from writeros_entities.query.relations.asserted import load_relations
from writeros_entities.query.relations.turns import load_intervals
from writeros_entities.store.lexicon import display_names

if TYPE_CHECKING:
    from writeros_entities.capabilities.answers import Quote
    from writeros_entities.capabilities.entities.stated import StatedRelation
    from writeros_entities.query.relations.asserted import RelationRow
    from writeros_entities.query.story.scene_people import People
    from writeros_entities.store.view import View
    from writeros_entities.story import Scene
    from writeros_entities.workspace import Workspace

RELATIONS = 6
"""Most relations per member with entities outside the cast."""


class CastRelations:
    """What connects the cast of a scene with each other and with others, as of a view.

    `keys` are the keys of the cast in order, `earlier` the scenes before this one that were read.
    """

    def __init__(
        self,
        workspace: Workspace,
        view: View,
        people: People,
        keys: Sequence[str],
        earlier: Sequence[Scene],
    ) -> None:
        self._workspace, self._view, self._people = workspace, view, people
        self._earlier = earlier
        self._key_of = {int(people.rows[key].id): key for key in keys}

    def relations_of(self, entity_id: int) -> list[StatedRelation]:
        """Return a member's current relations with entities outside the cast, the surest first."""
        return self._with_others.get(entity_id, [])[:RELATIONS]

    def pairs(self) -> list[CastPair]:
        """Return what connects each two of the cast, for pairs that are connected at all."""
        key_of, order = self._key_of, list(self._key_of)
        sides = [
            (min((relation.source_id, relation.target_id), key=order.index), relation)
            for relation in self._relations
            if relation.source_id in key_of and relation.target_id in key_of
            if relation.source_id != relation.target_id
        ]
        stated: dict[tuple[int, int], list[StatedRelation]] = {}
        for own, relation, text in self._to_answers(sides):
            other = relation.source_id + relation.target_id - own
            stated.setdefault((own, other), []).append(text)
        return [
            CastPair(
                one=ref_of(self._people, key_of[one]),
                other=ref_of(self._people, key_of[other]),
                relations=sorted(stated.get((one, other), []), key=surest_first),
                together=self._together.get(frozenset((key_of[one], key_of[other]))),
            )
            for one, other in combinations(order, 2)
            if (one, other) in stated or frozenset((key_of[one], key_of[other])) in self._together
        ]

    @cached_property
    def _relations(self) -> Sequence[RelationRow]:
        """The stated relations of the cast that have not ended."""
        found = load_relations(self._view, list(self._key_of))
        over = load_intervals(self._view, {relation.source_id for relation in found})
        return [relation for relation in found if not holds_at(over.get(relation.edge, ()))]

    @cached_property
    def _with_others(self) -> Mapping[int, list[StatedRelation]]:
        """For each member, current relations with entities outside the cast, surest first."""
        cast = set(self._key_of)
        found: dict[int, list[tuple[RelationRow, int]]] = {}
        for relation in self._relations:
            ends = {relation.source_id, relation.target_id}
            if not ends <= cast:
                own = (ends & cast).pop()
                found.setdefault(own, []).append((relation, (ends - cast).pop()))
        names = display_names(self._view, {other for side in found.values() for _, other in side})

        def surest(side: tuple[RelationRow, int]) -> tuple[object, ...]:
            relation, other = side
            sure = -relation.evidence_count, -relation.confidence
            return *sure, relation.kind, relation.first_position or 0, names.get(other, "")

        sides = [
            (own, relation)
            for own, relations in found.items()
            for relation, _ in sorted(relations, key=surest)[:RELATIONS]
        ]
        by_owner: dict[int, list[StatedRelation]] = {}
        for own, _, text in self._to_answers(sides):
            by_owner.setdefault(own, []).append(text)
        return {own: sorted(relations, key=surest_first) for own, relations in by_owner.items()}

    def _to_answers(
        self, sides: Sequence[tuple[int, RelationRow]]
    ) -> list[tuple[int, RelationRow, StatedRelation]]:
        """Return relations as answers, seen from one end; those without a quote are dropped."""
        texts = to_stated_relations(self._workspace, self._view, sides)
        return [
            (own, relation, text)
            for (own, relation), text in zip(sides, texts, strict=True)
            if text.evidence
        ]

    @cached_property
    def _together(self) -> Mapping[frozenset[str], Quote]:
        """For each two of the cast, the last paragraph that names both; a table tells nothing."""
        keys = dict.fromkeys(self._key_of.values())
        found: dict[frozenset[str], Quote] = {}
        for scene in reversed(self._earlier):
            if not self._workspace.has_file(scene.path):
                continue
            told = (one for one in scene.sentences if CELLS not in one.text)
            paragraphs = groupby(told, key=lambda sentence: sentence.paragraph)
            for sentences in reversed([tuple(some) for _, some in paragraphs]):
                for pair, said in pairs_named(sentences, keys):
                    if pair not in found:
                        found[pair] = quote_sentences(said)
        return found
