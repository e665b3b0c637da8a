"""What the vault says of people who are to meet in a scene that is not written yet.

    derived_kin(workspace, view, people, {(ann.key, tom.key): {"sibling_of"}})
    known_of_each_other(workspace, view, people, [(ann.key, tom.key)], moment.has_come)
    last_gains(workspace, view, [ann.id], moment.has_come)

Everything is as of the view, and has its proof.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import Select, and_, select

from writeros_entities.capabilities.answers import Proof, Quote
from writeros_entities.capabilities.context.brief_parts import Acquaintance, DerivedKin, LastGain
from writeros_entities.capabilities.context.quotes import SUMMARY
from writeros_entities.capabilities.continuity.matters import Reading, read_question
from writeros_entities.capabilities.continuity.showings import gather
from writeros_entities.capabilities.parts import entity_refs
from writeros_entities.capabilities.relations.kin import KIN_STEPS, KinNames, read_family
from writeros_entities.capabilities.relations.parts import proofs_of
from writeros_entities.properties import dashed
from writeros_entities.store.columns import is_one_of
from writeros_entities.store.lexicon import find_entity_ids
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.story.passages import chunk_places
from writeros_entities.story.proofs import quote_chunk

if TYPE_CHECKING:
    from writeros_entities.capabilities.continuity.showings import Sign
    from writeros_entities.language.words import Words
    from writeros_entities.store.view import View
    from writeros_entities.story.scene_people import People
    from writeros_entities.values.story import Scene, Sentence
    from writeros_entities.workspace import Workspace

Pair = tuple[str, str]
"""The keys of two entities."""

GAINS = 2
"""How many of the things that somebody gained or lost last are told."""

_CHANGES_HANDS = ("gains", "loses", "gives")


def derived_kin(
    workspace: Workspace, view: View, people: People, stated: Mapping[Pair, Collection[str]]
) -> dict[Pair, list[DerivedKin]]:
    """Return what kin the first of two is to the other by what is told of others.

    `stated` has the pairs, each with the kinds of what is stated of them, which is left out.
    """
    ids = {key: int(people.rows[key].id) for pair in stated for key in pair}
    told = read_family(workspace.plugins, view, ids.values(), KIN_STEPS)
    words = KinNames(workspace.plugins, "en")
    found = {
        (one, other): told.derived(ids[one], ids[other], kinds)
        for (one, other), kinds in stated.items()
    }
    ties = {tie.statement for kin in found.values() for one in kin for tie in one.ties}
    proofs = proofs_of(workspace, view, ties, 1)
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


def known_of_each_other(
    workspace: Workspace,
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
        question = read_question(view, workspace.plugins, about)
        read = Reading(workspace, view, question, ids[those[0]] if len(those) == 1 else None)
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


def find_apart(
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
def _told_of(scope: Scope) -> Select[Any]:
    mention, chunk, note = scope.mention, scope.chunk, scope.note
    return (
        select(mention.c.entity_id, note.c.path, chunk.c.start)
        .join(chunk, chunk.c.id == mention.c.chunk_id)
        .join(note, note.c.id == chunk.c.note_id)
        .where(is_one_of(mention.c.entity_id, "entity_ids"), note.c.position.is_not(None))
        .distinct()
    )


def last_gains(
    workspace: Workspace,
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
        if workspace.has_file(place.path):
            quote = Quote.of(quote_chunk(place, row.start, row.end))
            found[row.entity_id].append(
                LastGain(kind=row.kind, thing=refs[row.thing_id], quote=quote)
            )
    return found


@prepared
def _changing_hands(scope: Scope) -> Select[Any]:
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
