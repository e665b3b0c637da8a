"""A note as Obsidian shows it, its names marked, and what a reader knows of them here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from writeros_entities.surfaces.desk.reading import Mark, Part, as_html
from writeros_entities.surfaces.desk.words import colour

if TYPE_CHECKING:
    from writeros_entities.surfaces.desk.asking import Asked

PATH, TITLE, NAV, KEY = "/chapter", "Chapters", 2, "2"

MOST_FACTS, MOST_QUESTIONS = 6, 3


def show(ask: Asked) -> dict[str, Any]:
    """Return the text, who is in it, and whoever is looked at, as of this chapter."""
    name = ask.get("note") or _first(ask)
    found, here = read(ask, name, include_text=True)
    looked_at = ask.get("who")
    link = cache(lambda one: ask.link("/chapter", note=found.path, who=one))
    parts = [_part(ask, one, link) for one in found.passages if not one.is_properties]
    told = [one for one in ask.chapters if ask.as_of is None or one.position <= ask.as_of]
    paths = [one.path for one in told]
    at = paths.index(found.path) if found.path in paths else None
    return {
        "title": found.title,
        "note": found,
        "text": as_html(parts, lambda target: ask.link("/chapter", note=target)),
        "properties": [one.text for one in found.passages if one.is_properties],
        "previous": told[at - 1] if at else None,
        "next": told[at + 1] if at is not None and at + 1 < len(told) else None,
        **margin(ask, found, here, looked_at),
    }


def _first(ask: Asked) -> str:
    """Return the chapter up to which is read, or the first one, or else the first note."""
    if ask.as_of is not None and ask.read_up_to:
        return str(ask.read_up_to.path)
    return next((one.path for one in ask.list_notes(limit=1).notes), "the vault's first note")


def read(ask: Asked, note: str, **further: object) -> tuple[Any, int | None]:
    """Return who is in a note, and the place as of which its reader knows something.

    A reader of a chapter has read so far, even if the desk shows the whole vault.
    """
    here = ask.as_of
    if here is None:
        places = {one.path: one.position for one in ask.chapters}
        path = note if note in places else ask.list_note_entities(note=note, limit=1).path
        here = places.get(path)
    return ask.list_note_entities(note=note, limit=200, as_of=here, **further), here


def margin(ask: Asked, found: Any, here: int | None, looked_at: str) -> dict[str, Any]:
    """Return what stands beside a note: who is in it, somebody who is looked at, questions."""
    names = {one.name for one in found.entities}
    questions = [
        one
        for one in ask.every("list_questions", "questions")
        if one.about in names and not one.is_put_off
    ]
    card = None
    if looked_at:
        card = ask.get_entity(entity=looked_at, as_of=here, relations=MOST_FACTS).entity
    return {
        "here": here,
        "cast": found.entities,
        "card": card,
        "presence": presence(ask, card.id, here) if card else [],
        "about_names": questions[:MOST_QUESTIONS],
    }


@dataclass(frozen=True, slots=True)
class Presence:
    """How often a chapter mentions somebody."""

    title: str
    mentions: int


def presence(ask: Asked, entity: str, as_of: int | None) -> list[Presence]:
    """Return how often each chapter that is read mentions somebody."""
    told = ask.every("analyze_entity_evolution", "chapters", entity=entity, as_of=as_of)
    mentions = {one.path: one.mentions for one in told}
    return [
        Presence(one.title, mentions.get(one.path, 0))
        for one in ask.chapters
        if as_of is None or one.position <= as_of
    ]


def _kind(one: Any, *, is_looked_at: bool) -> str:
    doubt, chosen = " doubt" * bool(one.alternatives), " sel" * is_looked_at
    return f"m {colour(one.type)}{doubt}{chosen}"


def _part(ask: Asked, passage: Any, link: Callable[[str], str]) -> Part:
    return Part(
        passage.text,
        passage.line,
        [
            Mark(
                one.start,
                one.end,
                link(one.id),
                _kind(one, is_looked_at=one.id == ask.get("who")),
                " or ".join([one.name, *(other.entity.name for other in one.alternatives)]),
            )
            for one in passage.mentions
        ],
    )
