"""A note as Obsidian shows it, its names marked, and what a reader knows of them here."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import accumulate
from typing import Any

from writeros_entities.surfaces.desk.asking import PAGE, Asked
from writeros_entities.surfaces.desk.reading import Mark, Part, as_html
from writeros_entities.surfaces.desk.words import colour, line, link_to

PATH, TITLE = "/chapter", "Chapter"

Link = Callable[..., str]
MOST_FACTS, MOST_QUESTIONS = 6, 3

CERTAIN = 0.7
"""Least confidence of a speaker who is not doubtful."""


def show(ask: Asked) -> dict[str, Any]:
    """Return the text, who is in it, and whoever is looked at, as of this chapter."""
    last = ask.read_up_to.path if ask.read_up_to else "the vault's first chapter"
    found, here = read(ask, ask.get("note") or last, include_text=True)
    beside = margin(ask, found, here, ask.get("who"))
    link = partial(ask.link, "/chapter", note=found.path)
    parts = [
        Part(one.text, one.line, [*_names(ask, link, one), *_speakers(ask, link, one, beside)])
        for one in found.passages
        if not one.is_properties
    ]
    heading = parts[0].text.partition("\n")[0] if parts else ""
    begins = heading.lstrip("# ") if heading.startswith("#") else ""
    told = ask.read(ask.as_of)
    paths = [one.path for one in told]
    at = paths.index(found.path) if found.path in paths else None
    return {
        "title": found.title,
        "note": found,
        "text": as_html(parts, ask.at),
        "is_titled": begins and (found.title.endswith(begins) or begins.startswith(found.title)),
        "properties": [one.text for one in found.passages if one.is_properties],
        "previous": told[at - 1] if at else None,
        "next": told[at + 1] if at is not None and at + 1 < len(told) else None,
        **beside,
        "wrong": _wrong(ask, found, beside["card"]),
    }


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
    questions = [one for one in ask.questions if one.about in names and not one.is_put_off]
    whom = {"entity": looked_at, "as_of": here}
    card = ask.get_entity(**whom, relations=MOST_FACTS).entity if looked_at else None
    speeches = []
    if found.position is not None:
        speeches = ask.find_speeches(note=found.path, as_of=here, limit=PAGE).speeches
    return {
        "speeches": speeches,
        "spoken": Counter(one.speaker.id if one.speaker else "" for one in speeches),
        "wrong": [],
        "here": here,
        "cast": found.entities,
        "card": card,
        "presence": presence(ask, card.id, here) if card else [],
        "about_names": questions[:MOST_QUESTIONS],
    }


def presence(ask: Asked, entity: str, as_of: int | None) -> list[tuple[str, int]]:
    """Return the chapters that are read, each with how often it mentions somebody."""
    told = ask.every("analyze_entity_evolution", "chapters", entity=entity, as_of=as_of)
    mentions = {one.path: one.mentions for one in told}
    return [(one.title, mentions.get(one.path, 0)) for one in ask.read(as_of)]


def _names(ask: Asked, link: Link, passage: Any) -> Iterator[Mark]:
    """Yield a mark for each name in a passage; it leads to whom it means, here."""
    for one in passage.mentions:
        others = [other.entity.name for other in one.alternatives]
        kind = f"m {colour(one.type)}{' doubt' * bool(others)}{_chosen(ask, one)}"
        href = link(who=one.id, said=passage.text[one.start : one.end])
        yield Mark(one.start, one.end, href, kind, " or ".join([one.name, *others]))


def _speakers(ask: Asked, link: Link, passage: Any, beside: Any) -> Iterator[Mark]:
    """Yield a mark for the first character of each speech in a passage whose speaker is known."""
    lines = passage.text.split("\n")
    starts = list(accumulate((len(one) + 1 for one in lines), initial=0))
    end = 0
    for one in beside["speeches"]:
        if not 0 <= one.line - passage.line < len(lines):
            continue
        start = passage.text.find(one.text, max(end, starts[one.line - passage.line]))
        if start < 0 or not one.speaker or one.text[0].isalnum() or one.text[0] == "-":
            continue
        end = start + len(one.text)
        perhaps, doubt = ("", "") if one.confidence >= CERTAIN else ("perhaps ", " doubt")
        kind = f"m say {colour(one.speaker.type)}{doubt}{_chosen(ask, one.speaker)}"
        href = link(who=one.speaker.id)
        yield Mark(start, start + 1, href, kind, f"{perhaps}{one.speaker.name} says")


def _chosen(ask: Asked, one: Any) -> str:
    return " sel" if one.id == ask.get("who") else ""


def _wrong(ask: Asked, found: Any, card: Any) -> list[tuple[str, str]]:
    """Return whom the chosen phrase could mean here instead, each with the line that says so."""
    said = " ".join(ask.get("said").split())
    if card is None or not said or not set('[]"').isdisjoint(said):
        return []
    others = {
        other.entity.name
        for passage in found.passages
        for one in passage.mentions
        if one.id == card.id and " ".join(passage.text[one.start : one.end].split()) == said
        for other in one.alternatives
    }
    told = [
        ("in_not", f"not {card.name}", card.name),
        *(("in", one, one) for one in sorted(others)),
    ]
    told.append(("in", "somebody else", "…"))
    lines = [
        (says, line(ask.words, kind, f'"{said}"', f"[[{name}]]", link_to(found.path)))
        for kind, says, name in told
    ]
    return [(says, one[0].upper() + one[1:]) for says, one in lines if one]
