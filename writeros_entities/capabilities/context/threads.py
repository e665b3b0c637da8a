"""Open threads: what a manuscript has begun before a scene and not taken up again, and what its
writer noted as yet to do.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from sqlalchemy import select

from writeros_entities.capabilities.answers import EntityRef, Proof
from writeros_entities.capabilities.context.brief_parts import NotedThread, OpenThread
from writeros_entities.capabilities.parts import (
    entity_refs,
    find_alternatives,
    position_range,
)
from writeros_entities.capabilities.search.threads import list_threads, named_in
from writeros_entities.errors import FAULTS, describe_error
from writeros_entities.story.passages import chunk_places
from writeros_entities.story.proofs import quote_chunk
from writeros_entities.story.scene_notes import last_sightings, quiet_entities
from writeros_entities.story.scene_words import find_set_ups

if TYPE_CHECKING:
    from writeros_entities.story.scene_people import People
    from writeros_entities.values.story import Scene
    from writeros_entities.view import View

THREADS = 8
"""Most threads to include; half of them are reserved for set-ups, if there are enough."""

NEAREST = 100
"""How many threads that the writer noted are looked at: those of the scene, then the nearest."""

NO_THREADS = ("place",)
"""Types of entity whose absence is not an open thread."""


def find_threads(
    view: View,
    here: int | None,
    scenes: Sequence[Scene],
    people: People,
    quiet_chapters: int,
    about: Collection[str] | None = None,
) -> tuple[list[OpenThread], str | None]:
    """Return entities not mentioned for some chapters, then set-ups in `scenes` without a pay-off.

    The chapters are counted back from the position `here`. With `about`, only threads are returned
    that have to do with the entities of these keys: they are named in the same passage. Also
    returns a remark if the rule for set-ups failed.
    """
    ids = None if about is None else {int(people.rows[key].id) for key in about}
    unseen = _unseen(view, here, quiet_chapters, ids)
    try:
        set_ups = _set_ups(view, scenes, people)
        if about is not None:
            near = _paragraphs_with(scenes, about)
            set_ups = [one for one in set_ups if (one.proof.path, one.proof.start) in near]
    except FAULTS as error:
        return unseen[:THREADS], f"The rule for set-ups failed: {describe_error(error)}"
    shown = unseen[: max(THREADS // 2, THREADS - len(set_ups))]
    return [*shown, *set_ups[: THREADS - len(shown)]], None


def _set_ups(view: View, scenes: Sequence[Scene], people: People) -> list[OpenThread]:
    told = [scene for scene in scenes if scene.position is not None]
    return [
        OpenThread(
            kind="set-up",
            text=finding.message,
            entity=None,
            proof=Proof.of(finding.evidence[0]),
        )
        for finding in find_set_ups(view, told, people)
        if view.has_file(finding.evidence[0].path)
    ]


def _paragraphs_with(scenes: Sequence[Scene], keys: Collection[str]) -> set[tuple[str, int]]:
    """Return where sentences begin whose paragraph names one of some entities."""
    found = set()
    for scene in scenes:
        for _, paragraph in groupby(scene.sentences, key=lambda one: one.paragraph):
            told = list(paragraph)
            if any(name.entity in keys for one in told for name in one.names):
                found |= {(scene.path, one.evidence.start) for one in told}
    return found


def _unseen(
    view: View,
    here: int | None,
    quiet_chapters: int,
    about: Collection[int] | None,
) -> list[OpenThread]:
    if here is None:
        return []
    most = 2 * THREADS if about is None else NEAREST
    quiet = quiet_entities(view, here, quiet_chapters, NO_THREADS, most)
    last = last_sightings(view, quiet)
    if about is not None:
        near = _passages_with(view, [one.chunk_id for one in last.values()], about)
        quiet = [one for one in quiet if last[one.entity_id].chunk_id in near]
        quiet = [one for one in quiet if one.entity_id not in about][: 2 * THREADS]
        last = {one.entity_id: last[one.entity_id] for one in quiet}
    refs = entity_refs(view, [one.entity_id for one in quiet])
    places = chunk_places(view, [seen.chunk_id for seen in last.values()])
    doubts = find_alternatives(view, [seen.named for seen in last.values()])
    threads = []
    for one in quiet:
        seen = last.get(one.entity_id)
        if seen is None or not view.has_file(seen.path):
            continue
        quote = quote_chunk(places[seen.chunk_id], seen.start, seen.end)
        ref = refs[one.entity_id]
        when = position_range(one.first, one.last)
        text = f"{ref.name} ({ref.type}) is told of in {when}, and not since:"
        proof = Proof(
            path=quote.path,
            heading=quote.heading,
            position=quote.position,
            line=quote.line,
            start=quote.start,
            end=quote.end,
            quote=quote.text,
        )
        threads.append(
            OpenThread(
                kind="unseen",
                text=text,
                entity=ref,
                proof=proof,
                alternatives=doubts.get(seen.named, []),
            )
        )
    return threads


def _passages_with(view: View, chunk_ids: Sequence[int], about: Collection[int]) -> set[int]:
    """Return which of some passages mention one of these entities."""
    mention = view.mention
    named = select(mention.c.chunk_id).where(mention.c.entity_id.in_(sorted(about)))
    return {row.chunk_id for row in view.all_among(named, mention.c.chunk_id, chunk_ids)}


def find_noted(
    view: View, note_id: int | None, here: int, keys: Collection[str]
) -> list[NotedThread]:
    """Return what the writer noted in a scene, if it is written, then elsewhere about entities.

    They have these ids; what stands in the nearest chapters before the position `here` comes first.
    """
    listed = sorted(
        list_threads(view),
        key=lambda one: (one.note_id != note_id, one.position is None, -(one.position or here)),
    )[:NEAREST]
    if not listed:
        return []
    named = named_in(view, listed)
    found = []
    for one, entities in zip(listed, named, strict=True):
        about = [entity for entity in entities if entity.key in keys]
        if (about or one.note_id == note_id) and view.has_file(one.path):
            refs = [EntityRef(**entity.reference()) for entity in about]
            found.append(
                NotedThread(
                    kind=one.kind,
                    text=one.text,
                    entities=refs,
                    path=one.path,
                    position=one.position,
                    line=one.line,
                    start=one.start,
                    end=one.end,
                )
            )
    return found[:THREADS]
