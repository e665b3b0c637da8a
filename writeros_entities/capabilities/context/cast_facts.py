"""What connects the people of a scene, and what is told of each of them besides a sheet.

    relations = CastRelations(view, people, [ann.key, tom.key], earlier, setting)
    relations.pairs()                                   # what ties Ann and Tom, each with its proof
    last_gains(view, [ann.id], setting.has_come)

Everything is as of the view. Of a scene that is not written yet, more is told: what kin two are by
what is told of others, and what those know of each other whom no passage names together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import combinations, groupby
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, select

from writeros_entities.capabilities.answers import Proof, Quote
from writeros_entities.capabilities.context.brief_parts import (
    Acquaintance,
    CastPair,
    DerivedKin,
    LastGain,
)
from writeros_entities.capabilities.context.quotes import SUMMARY, pairs_named, quote_sentences
from writeros_entities.capabilities.context.setting import Setting, ref_of
from writeros_entities.capabilities.continuity.matters import Reading, read_question
from writeros_entities.capabilities.continuity.showings import gather
from writeros_entities.capabilities.entities.stated import surest_first, to_stated_relations
from writeros_entities.capabilities.parts import entity_refs
from writeros_entities.capabilities.relations.kin import KIN_STEPS, KinNames, read_family
from writeros_entities.capabilities.relations.parts import proofs_of
from writeros_entities.graph.network import holds_at
from writeros_entities.language.marks import CELLS
from writeros_entities.properties import dashed
from writeros_entities.store.columns import is_one_of
from writeros_entities.store.lexicon import display_names, find_entity_ids
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.story.asserted import load_intervals, load_relations
from writeros_entities.story.passages import chunk_places
from writeros_entities.story.proofs import quote_chunk

if TYPE_CHECKING:
    from writeros_entities.capabilities.continuity.showings import Sign
    from writeros_entities.capabilities.entities.stated import StatedRelation
    from writeros_entities.language.words import Words
    from writeros_entities.store.rows import Query
    from writeros_entities.story.asserted import RelationRow
    from writeros_entities.story.scene_people import People
    from writeros_entities.values.story import Scene, Sentence
    from writeros_entities.view import View

Pair = tuple[str, str]
"""The keys of two entities."""

GAINS = 2
"""How many of the things that somebody gained or lost last are told."""

_CHANGES_HANDS = ("gains", "loses", "gives")


RELATIONS = 6
"""Most relations per member with entities outside the cast."""


class CastRelations:
    """What connects the cast of a scene with each other and with others, as of a view.

    `keys` are the keys of the cast in order, `earlier` the scenes before this one that were read.
    For a scene to come, derived kin and what they know of each other is told too.
    """

    def __init__(
        self,
        view: View,
        people: People,
        keys: Sequence[str],
        earlier: Sequence[Scene],
        setting: Setting,
    ) -> None:
        self._view, self._people = view, people
        self._earlier, self._setting = earlier, setting
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
        stated: dict[Pair, list[StatedRelation]] = {}
        for own, relation, text in self._to_answers(sides):
            other = relation.source_id + relation.target_id - own
            stated.setdefault((key_of[own], key_of[other]), []).append(text)
        every = list(combinations([key_of[one] for one in order], 2))
        kin: Mapping[Pair, list[DerivedKin]] = {}
        knows: Mapping[Pair, list[Acquaintance]] = {}
        apart: set[Pair] = set()
        if self._setting.scene is None:
            view, people = self._view, self._people
            kinds = {pair: {one.kind for one in stated.get(pair, ())} for pair in every}
            kin = _derived_kin(view, people, kinds)
            others = [pair for pair in every if frozenset(pair) not in self._together]
            has_come = self._setting.has_come
            knows = _known_of_each_other(view, people, others, has_come)
            apart = _find_apart(view, people, others, has_come)
        return [
            CastPair(
                one=ref_of(self._people, pair[0]),
                other=ref_of(self._people, pair[1]),
                relations=sorted(stated.get(pair, []), key=surest_first),
                together=self._together.get(frozenset(pair)),
                kin=kin.get(pair, []),
                knows=knows.get(pair, []),
                is_apart=pair in apart,
            )
            for pair in every
            if any(pair in found for found in (stated, knows, apart))
            or kin.get(pair)
            or frozenset(pair) in self._together
        ]

    @cached_property
    def _relations(self) -> Sequence[RelationRow]:
        """The stated relations of the cast that have not ended."""
        found = load_relations(self._view, list(self._key_of))
        over = load_intervals(self._view, {one.id: one.source_id for one in found})
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
        texts = to_stated_relations(self._view, sides)
        return [
            (own, relation, text)
            for (own, relation), text in zip(sides, texts, strict=True)
            if text.evidence
            if self._setting.has_come(text.evidence[0].path, text.evidence[0].start)
        ]

    @cached_property
    def _together(self) -> Mapping[frozenset[str], Quote]:
        """For each two of the cast, the last paragraph that names both; a table tells nothing."""
        keys = dict.fromkeys(self._key_of.values())
        found: dict[frozenset[str], Quote] = {}
        for scene in reversed(self._earlier):
            if not self._view.has_file(scene.path):
                continue
            told = (one for one in scene.sentences if CELLS not in one.text)
            paragraphs = groupby(told, key=lambda sentence: sentence.paragraph)
            for sentences in reversed([tuple(some) for _, some in paragraphs]):
                for pair, said in pairs_named(sentences, keys):
                    if pair not in found:
                        found[pair] = quote_sentences(said)
        return found


def _derived_kin(
    view: View, people: People, stated: Mapping[Pair, Collection[str]]
) -> dict[Pair, list[DerivedKin]]:
    """Return what kin the first of two is to the other by what is told of others.

    `stated` has the pairs, each with the kinds of what is stated of them, which is left out.
    """
    ids = {key: int(people.rows[key].id) for pair in stated for key in pair}
    told = read_family(view, ids.values(), KIN_STEPS)
    words = KinNames(view.plugins, "en")
    found = {
        (one, other): told.derived(ids[one], ids[other], kinds)
        for (one, other), kinds in stated.items()
    }
    ties = {tie.statement for kin in found.values() for one in kin for tie in one.ties}
    proofs = proofs_of(view, ties, 1)
    return {
        (one, other): [
            DerivedKin(
                text=words.word(each, told.genders.get(ids[one])),
                evidence=[proof for tie in each.ties for proof in proofs.get(tie.statement, ())],
            )
            for each in kin
        ]
        for (one, other), kin in found.items()
    }


def _known_of_each_other(
    view: View,
    people: People,
    pairs: Sequence[Pair],
    has_come: Callable[[str, int], bool],
) -> dict[Pair, list[Acquaintance]]:
    """Return for two whom no passage names together what each surely knows of the other, or may.

    What stands where `has_come` says no has not happened yet.
    """
    strangers: dict[str, list[str]] = defaultdict(list)
    for one, other in pairs:
        strangers[one].append(other)
        strangers[other].append(one)
    signs: dict[Pair, Sign] = {}
    ids = {key: int(people.rows[key].id) for key in strangers}
    for about, those in strangers.items():
        question = read_question(view, about)
        read = Reading(view, question, ids[those[0]] if len(those) == 1 else None)
        told_by_then = [
            one for one in read.signs if has_come(one.evidence.path, one.evidence.start)
        ]
        known = {one.person: one.signs[0] for one in gather(told_by_then, 1)}
        signs.update(((who, about), known[who]) for who in those if who in known)
    told = {sign.by for sign in signs.values() if sign.by} - ids.keys()
    ids |= find_entity_ids(view, told)
    refs = {ref.id: ref for ref in entity_refs(view, ids.values()).values()}
    found: dict[Pair, list[Acquaintance]] = defaultdict(list)
    for one, other in pairs:
        for who, about in ((one, other), (other, one)):
            if (sign := signs.get((who, about))) is not None:
                found[one, other].append(
                    Acquaintance(
                        person=refs[who],
                        about=refs[about],
                        level=sign.level,
                        how=sign.how,
                        by=refs[sign.by] if sign.by else None,
                        proof=Proof.of(sign.evidence),
                    )
                )
    return found


def _find_apart(
    view: View, people: People, pairs: Sequence[Pair], has_come: Callable[[str, int], bool]
) -> set[Pair]:
    """Return which of some pairs no chapter names both of, of what has happened by then."""
    ids = {int(people.rows[key].id): key for pair in pairs for key in pair}
    chapters: dict[str, set[str]] = defaultdict(set)
    for row in view.all(_told_of(view), entity_ids=sorted(ids)):
        if has_come(row.path, row.start):
            chapters[ids[row.entity_id]].add(row.path)
    return {pair for pair in pairs if chapters[pair[0]].isdisjoint(chapters[pair[1]])}


@prepared
def _told_of(scope: Scope) -> Query:
    mention, chunk, note = scope.mention, scope.chunk, scope.note
    return (
        select(mention.c.entity_id, note.c.path, chunk.c.start)
        .join(chunk, chunk.c.id == mention.c.chunk_id)
        .join(note, note.c.id == chunk.c.note_id)
        .where(is_one_of(mention.c.entity_id, "entity_ids"), note.c.position.is_not(None))
        .distinct()
    )


def last_gains(
    view: View,
    entity_ids: Collection[int],
    has_come: Callable[[str, int], bool],
) -> dict[int, list[LastGain]]:
    """Return which things people gained or lost last, by their ids; of one thing, the last only.

    What stands where `has_come` says no has not happened yet.
    """
    rows = view.all(_changing_hands(view), entity_ids=sorted(entity_ids))
    last: dict[int, dict[int, Any]] = defaultdict(dict)
    for row in rows:
        if not has_come(row.path, row.start):
            continue
        if len(last[row.entity_id]) < GAINS or row.thing_id in last[row.entity_id]:
            last[row.entity_id].setdefault(row.thing_id, row)
    chosen = [row for of_one in last.values() for row in of_one.values()]
    places = chunk_places(view, {row.chunk_id for row in chosen})
    refs = entity_refs(view, {row.thing_id for row in chosen})
    found: dict[int, list[LastGain]] = defaultdict(list)
    for row in chosen:
        place = places[row.chunk_id]
        if view.has_file(place.path):
            quote = Quote.of(quote_chunk(place, row.start, row.end))
            found[row.entity_id].append(
                LastGain(kind=row.kind, thing=refs[row.thing_id], quote=quote)
            )
    return found


@prepared
def _changing_hands(scope: Scope) -> Query:
    event, thing, chunk = scope.event, scope.event.alias("thing"), scope.chunk
    note, entity = scope.note, scope.entity
    is_same = and_(thing.c.chunk_id == event.c.chunk_id, thing.c.start == event.c.start)
    return (
        select(event.c.entity_id, event.c.kind, event.c.chunk_id, event.c.start, event.c.end)
        .add_columns(thing.c.entity_id.label("thing_id"), note.c.path)
        .join(thing, and_(is_same, thing.c.role == "done to"))
        .join(entity, and_(entity.c.id == thing.c.entity_id, entity.c.type == "item"))
        .join(chunk, chunk.c.id == event.c.chunk_id)
        .join(note, note.c.id == chunk.c.note_id)
        .where(is_one_of(event.c.entity_id, "entity_ids"), event.c.role == "doer")
        .where(event.c.kind.in_(_CHANGES_HANDS), event.c.is_earlier.is_(False))
        .where(note.c.position.is_not(None))
        .order_by(note.c.position.desc(), note.c.path.desc(), event.c.start.desc())
    )


def find_looks(sections: Iterable[Scene], words: Words) -> list[Sentence]:
    """Return the sentences of a sheet that say how somebody looks, as many as fit a summary."""
    labels = {dashed(one) for one in words.looks}
    found: list[Sentence] = []
    length = 0
    for one in sections:
        if one.headings and dashed(one.headings[-1]) in labels:
            for sentence in one.sentences:
                length += len(sentence.text) + bool(found)
                if length > SUMMARY:
                    return found
                found.append(sentence)
    return found
