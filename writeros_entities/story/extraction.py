"""Entities of a text that is not a note: the vault's, the knowledge bases', and unknown names."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from writeros_entities.decision import decide
from writeros_entities.detection import detect_mentions
from writeros_entities.language.sentences import part_ends
from writeros_entities.lexicon import JoinedLexicon, Lexicon
from writeros_entities.names import MAX_NAME, fold_name
from writeros_entities.plugins import describe_failures
from writeros_entities.values import ALWAYS, LexiconEntity, Name
from writeros_entities.vault.notes import plain_note

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from writeros_entities.decision import Reading
    from writeros_entities.detection import WeighedMention
    from writeros_entities.values import Diagnostic, Note, ProposedName
    from writeros_entities.view import View

UNKNOWN = "unknown"
UNKNOWN_WEIGHT = 0.5

WHOLE_NAME = 1.0
"""The score of a complete name or alias, as opposed to a part of one."""


@dataclass(frozen=True)
class Extraction:
    """The readings of a text, in order, and the entities that they name, by key.

    `diagnostics` report the plugins that failed; the results of the others are kept.
    """

    readings: tuple[Reading, ...]
    entities: Mapping[str, LexiconEntity]
    diagnostics: tuple[Diagnostic, ...] = ()


def extract(view: View, text: str | Note, *, include_unknown: bool = False) -> Extraction:
    """Detect the entities in a text, or in a note made of one; also those of all knowledge bases.

    With `include_unknown`, proper names that match no entity are returned as new entities of status
    `suggested`.
    """
    plugins, lexicon = view.plugins, view.full_lexicon
    note = plain_note(text) if isinstance(text, str) else text
    mentions, failures = detect_mentions(plugins, note, lexicon)
    entities: Mapping[str, LexiconEntity] = lexicon.entities
    if include_unknown:
        proposals, not_proposed = plugins.gather("propose_entities", note=note)
        failures += not_proposed
        unknown = _unknown_names(proposals, lexicon)
        if unknown.entities:
            found, not_found = detect_mentions(plugins, note, unknown)
            mentions += _besides_known(note.text, found, list(filter(_is_known, mentions)))
            failures += not_found
            entities = JoinedLexicon((lexicon, unknown)).entities
    readings = [reading for reading in decide(mentions, ALWAYS) if reading.holds]
    readings.sort(key=lambda reading: (reading.start, reading.end, -reading.candidate.score))
    named = {key: entities[key] for key in {reading.candidate.entity for reading in readings}}
    return Extraction(tuple(readings), named, tuple(describe_failures(failures)))


def _is_known(mention: WeighedMention) -> bool:
    """Say whether a span names exactly one entity, with more weight than an unknown name has."""
    return len(mention.candidates) == 1 and mention.candidates[0].candidate.score > UNKNOWN_WEIGHT


def _besides_known(
    text: str, found: Sequence[WeighedMention], known: Sequence[WeighedMention]
) -> list[WeighedMention]:
    """Return the unknown names except those that are a known name.

    Also except those that consist of a sentence's first word and a known full name: *Puis Anna*.
    """
    spans = {(mention.start, mention.end) for mention in known}
    whole = {
        mention.end: mention.start
        for mention in known
        if mention.candidates[0].candidate.score >= WHOLE_NAME
    }
    sentences = [0, *part_ends(text)]

    def is_opened(mention: WeighedMention) -> bool:
        sentence = sentences[bisect_right(sentences, mention.start) - 1]
        is_first = not any(map(str.isalnum, text[sentence : mention.start]))
        opening = text[mention.start : whole.get(mention.end, mention.start)]
        return is_first and len(opening.split()) == 1

    return [one for one in found if (one.start, one.end) not in spans and not is_opened(one)]


def _unknown_names(proposals: Iterable[ProposedName], lexicon: Lexicon) -> Lexicon:
    names: list[Name] = []
    entities: dict[str, LexiconEntity] = {}
    for item in proposals:
        if len(item.name) > MAX_NAME:
            continue
        key = f"{UNKNOWN}:{fold_name(item.name)}"
        if not lexicon.keyed(fold_name(item.name)) and key not in entities:
            kind = item.type or UNKNOWN
            entities[key] = LexiconEntity(key, item.name, kind, "suggested")
            names.append(Name(item.name, key, "name", UNKNOWN_WEIGHT, ALWAYS, exact=True))
    return Lexicon(tuple(names), entities)
