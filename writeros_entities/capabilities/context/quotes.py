"""Quote sentences of scenes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import TYPE_CHECKING

from writeros_entities.capabilities.answers import Quote
from writeros_entities.language.sentences import part_ends
from writeros_entities.values.story import Scene, Sentence
from writeros_entities.vault.plain_links import with_plain_links
from writeros_entities.vault.titles import told_properties

if TYPE_CHECKING:
    from writeros_entities.values import JSON

SUMMARY = 320
"""Most characters of a sheet to quote."""

FACT = 100
"""Most characters of a property's value to quote among others."""

_BLOCK_ID = re.compile(r"\s\^[\w-]+\Z")
_FIELD = re.compile(r"[-*]?\s*+[\w -]+::")


def last_named(scene: Scene) -> dict[str, Sentence]:
    """Return the last sentence of a scene in which the narrator names an entity, by entity key.

    The viewpoint character may be "I" throughout: if never named, the last narrated sentence
    counts.
    """
    found = {
        name.entity: sentence
        for sentence in scene.sentences
        for name in sentence.names
        if name.is_plain
    }
    if scene.viewpoint is not None and scene.viewpoint not in found:
        back = scene.sentences[::-1]
        told = (one for one in back if not one.is_row and any(map(str.isalpha, one.narration)))
        found.update((scene.viewpoint, one) for one in islice(told, 1))
    return found


def pairs_named(
    sentences: tuple[Sentence, ...], keys: Collection[str]
) -> Iterator[tuple[frozenset[str], tuple[Sentence, ...]]]:
    """Yield pairs of people named in a paragraph, with the sentences from one to the other."""
    places: dict[str, list[int]] = {}
    for at, sentence in enumerate(sentences):
        for name in sentence.names:
            if name.entity in keys and name.is_plain:
                places.setdefault(name.entity, []).append(at)
    for one, other in combinations([key for key in keys if key in places], 2) if places else ():
        _, first, last = min(
            (abs(here - there), min(here, there), max(here, there))
            for here in places[one]
            for there in places[other]
        )
        yield frozenset((one, other)), sentences[first : last + 1]


def quote_sentences(sentences: Sequence[Sentence]) -> Quote:
    """Return consecutive sentences as one quote."""
    first, last = sentences[0].evidence, sentences[-1].evidence
    text = " ".join(sentence.text for sentence in sentences)
    return Quote(
        path=first.path,
        heading=first.heading,
        position=first.position,
        line=first.line,
        column=1,
        start=first.start,
        end=last.end,
        surface=" ".join(" ".join(one.evidence.quote for one in sentences).split()),
        text=text,
        text_start=0,
        text_end=len(text),
    )


def first_words(text: str) -> tuple[int, str]:
    """Return the number of lines before a sheet's first prose paragraph, and the paragraph."""
    for at, line in enumerate(text.split("\n")):
        plain = _BLOCK_ID.sub("", with_plain_links(line).strip())
        is_prose = not plain.startswith(("#", "---", ">", "|", "```", "![")) and (
            _FIELD.match(plain) is None
        )
        if plain and is_prose:
            return at, plain if len(plain) <= SUMMARY else _beginning(plain)
    return 0, ""


def _beginning(text: str) -> str:
    """Return the sentences at the beginning of a long text, or words if the first are long."""
    ends = [*part_ends(text, SUMMARY // 2, SUMMARY)]
    last = ends[-1] if ends else text.rfind(" ", 0, SUMMARY)
    return f"{text[: last if last > 0 else SUMMARY].rstrip()} …"


def list_facts(name: str, frontmatter: Mapping[str, JSON]) -> str:
    """Return the short values of an entity's properties on one line, as many as fit a summary.

    Links are left out, as they state relations, and so are other names of the entity.
    """
    told: list[str] = []
    for key, value in told_properties(name, frontmatter).items():
        values = [
            str(one) for one in (value if isinstance(value, list) else [value]) if _is_fact(one)
        ]
        fact = f"{key}: {', '.join(values)}"
        if values:
            if len("; ".join((*told, fact))) > SUMMARY:
                break
            told.append(fact)
    return "; ".join(told)


def _is_fact(value: JSON) -> bool:
    if isinstance(value, str):
        return bool(value.strip()) and "[[" not in value and len(value) <= FACT
    return isinstance(value, int | float) and not isinstance(value, bool)
