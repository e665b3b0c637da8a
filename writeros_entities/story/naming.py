"""The entities that a query names, and the notes that it names by title.

Only names that can occur in the query are read from the index, and the detectors get a lexicon of
these alone. They find the same as with the full lexicon, which takes a hundred times as long to
load.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from writeros_entities.decision import decide
from writeros_entities.detection import detect_mentions
from writeros_entities.language.inflections import STOP_WORDS
from writeros_entities.lexicon import Lexicon
from writeros_entities.names import fold_name, is_spaced_script
from writeros_entities.store.columns import is_one_of
from writeros_entities.store.lexicon import names_by_rule
from writeros_entities.store.rows import Query, Statement
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.store.words import OWN_NAMES
from writeros_entities.values import ALWAYS, LexiconEntity, Name
from writeros_entities.vault.links import link_key
from writeros_entities.vault.notes import plain_note

if TYPE_CHECKING:
    from writeros_entities.decision import Reading
    from writeros_entities.plugins import Plugins
    from writeros_entities.store.rows import Row
    from writeros_entities.view import View

MOST_WORDS = 64
"""How many words of a query, from its start, are searched for names."""

LONGEST_NAME = 8
"""The most words in a name, or characters in a script without spaces."""

_WORD = re.compile(r"\S+")
_QUALIFIER = re.compile(r" \([^()]*\)$")
_EDGES = re.compile(r"^[^\w]+|(?<![^\w.])[^\w.]+$|(?<=\w)['’]s?[^\w]*$|\.$")


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """An entity that a query names: its surface form there, and the confidence of the match."""

    entity: Row
    surface: str
    confidence: float


@dataclass(frozen=True, slots=True)
class NamedNote:
    """A note whose title occurs in a query; `is_whole` if the title is the whole query."""

    note_id: int
    surface: str
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Named:
    """The notes and entities that a query names.

    `exact` has the ids of the notes whose name or alias is the whole query, likeliest first.
    """

    entities: tuple[NamedEntity, ...]
    notes: tuple[NamedNote, ...]
    exact: tuple[int, ...]


NOBODY = Named((), (), ())


def find_named(view: View, query: str) -> Named:
    """Return the entities and notes that a query names."""
    spans = list(dict.fromkeys(_spans(query)))
    known = _known_names(view, spans)
    notes = _named_notes(view, spans, query)
    return Named(
        _named_entities(view.plugins, query, known),
        notes,
        _exact_notes(query, known, notes),
    )


def read_as_name(view: View, text: str) -> list[Row]:
    """Return the entities that a whole text is a mention of, surest first, as `find_named` does.

    No entity needs to have exactly this name: *Captain Okafor* is read as Adaeze Okafor.
    """
    text = text.strip()
    readings = _readings(view.plugins, text, _known_names(view, list(_spans(text))))
    return [row for reading, row in readings if reading.surface == text]


def _spans(query: str) -> Iterator[str]:
    """Yield every part of a query that can be a name, with and without punctuation and endings."""
    found = list(_WORD.finditer(query))[:MOST_WORDS]
    for first, start in enumerate(found):
        for end in found[first : first + LONGEST_NAME]:
            part = query[start.start() : end.end()]
            yield part
            bare = _EDGES.sub("", _EDGES.sub("", part))
            yield bare
            if bare.endswith("s"):
                yield bare[:-1]
        if not is_spaced_script(start[0]):
            yield from _pieces(start[0])
    yield query


def _pieces(text: str) -> Iterator[str]:
    for start in range(min(len(text), 4 * MOST_WORDS)):
        for length in range(1, LONGEST_NAME + 1):
            yield text[start : start + length]


@prepared
def _names(scope: Scope) -> Query:
    alias, entity, note = scope.alias, scope.entity, scope.note
    return (
        select(
            entity,
            alias.c.form,
            alias.c.form_key,
            alias.c.kind,
            alias.c.weight,
            alias.c.known_from,
            alias.c.exact,
            note.c.path,
        )
        .join(entity, entity.c.id == alias.c.entity_id)
        .outerjoin(note, note.c.id == entity.c.note_id)
        .where(is_one_of(alias.c.form_key, "keys"))
        .order_by(
            *(alias.c.weight.desc(), alias.c.form, note.c.path.is_(None), note.c.path),
            *(entity.c.name, entity.c.id),
        )
    )


@prepared
def _titles(scope: Scope) -> Query:
    note = scope.note
    return (
        select(note.c.id, note.c.link_key)
        .where(is_one_of(note.c.link_key, "keys"), note.c.kind == "note")
        .order_by(note.c.path)
    )


@prepared
def _titles_in_brackets(scope: Scope) -> Query:
    note = scope.note
    return (
        select(note.c.id, note.c.link_key)
        .where(note.c.link_key.like("% (%)"), note.c.kind == "note")
        .order_by(note.c.path)
    )


def _known_names(view: View, spans: list[str]) -> list[Row]:
    """Return the entities that have one of these names, surest first, each with the name."""
    keys = sorted({fold_name(span) for span in spans} - {""})
    found = [*view.all(_names(view), keys=keys)]
    found += rows_by_rule(view, keys, found)
    return sorted(found, key=_place)


def _place(row: Row) -> tuple[float, str, bool, str, str, int]:
    return -row.weight, row.form, row.path is None, row.path or "", row.name, row.id


def rows_by_rule(view: View, keys: Iterable[str], found: Iterable[Row]) -> list[Any]:
    """Return rows for the names with these keys that no note uses, and that were not `found`."""
    known = {(row.id, row.form) for row in found}
    unmet = [one for one in names_by_rule(view, keys) if (one[0], one[1].form) not in known]
    ids = sorted({entity_id for entity_id, _ in unmet})
    told = {row.id: row._mapping for row in view.all_among(_told(view), view.entity.c.id, ids)}
    return [
        SimpleNamespace(
            **told[entity_id],
            form=name.form,
            form_key=fold_name(name.form),
            kind=name.kind,
            weight=name.weight,
            exact=name.exact,
        )
        for entity_id, name in unmet
        if entity_id in told
    ]


@prepared
def _told(scope: Scope) -> Statement:
    entity, note = scope.entity, scope.note
    return select(entity, note.c.path).outerjoin(note, note.c.id == entity.c.note_id)


def _named_entities(plugins: Plugins, query: str, known: list[Row]) -> tuple[NamedEntity, ...]:
    found: dict[str, NamedEntity] = {}
    for reading, row in _readings(plugins, query, known):
        found.setdefault(row.key, NamedEntity(row, reading.surface, reading.candidate.score))
    return tuple(found.values())


def _readings(plugins: Plugins, query: str, known: list[Row]) -> list[tuple[Reading, Any]]:
    """Return the detectors' readings of a query, surest first, each with its entity's row."""
    by_key = {row.key: row for row in known}
    if not by_key:
        return []
    lexicon = Lexicon(
        tuple(
            Name(row.form, row.key, row.kind, row.weight, row.known_from, bool(row.exact))
            for row in known
        ),
        {
            row.key: LexiconEntity(row.key, row.name, row.type, row.status, row.path, row.heading)
            for row in by_key.values()
        },
    )
    mentions, _ = detect_mentions(plugins, plain_note(query), lexicon)
    return [
        (reading, by_key[reading.candidate.entity])
        for reading in sorted(decide(mentions, ALWAYS), key=lambda one: -one.candidate.score)
        if reading.holds and reading.candidate.entity in by_key
    ]


def _named_notes(view: View, spans: list[str], query: str) -> tuple[NamedNote, ...]:
    """Return the notes whose title occurs in the query outside any longer title there.

    A qualifier in brackets at the end of a title may be omitted: both `Mercury` and `Mercury
    (planet)` name the note `Mercury (planet)`.
    """
    surfaces = {link_key(span): span for span in spans}
    asked = sorted(key for key in surfaces if key and key not in STOP_WORDS)
    found = [*view.lookup(_titles(view), keys=asked).items()]
    qualified = view.kept("qualified titles", lambda: _qualified_titles(view))
    found += [(note_id, key) for key in asked for note_id in qualified.get(key, ())]
    whole = link_key(query)
    rest, outside = query, set()
    for key in sorted({key for _, key in found}, key=lambda key: (-len(key), key)):
        if surfaces[key] in rest:
            rest = rest.replace(surfaces[key], "\n")
            outside.add(key)
    return tuple(
        NamedNote(note_id, surfaces[key], key == whole)
        for note_id, key in dict.fromkeys(found)
        if key in outside
    )


def _qualified_titles(view: View) -> dict[str, list[int]]:
    """Return the notes whose title ends in brackets, by the link key of the part before them."""
    found: dict[str, list[int]] = {}
    for note_id, key in view.lookup(_titles_in_brackets(view)).items():
        found.setdefault(_QUALIFIER.sub("", key), []).append(note_id)
    return found


def _exact_notes(query: str, known: list[Row], notes: tuple[NamedNote, ...]) -> tuple[int, ...]:
    asked = fold_name(query)
    called = [
        row.note_id
        for row in known
        if row.form_key == asked and row.kind in OWN_NAMES and row.path is not None
    ]
    titled = [note.note_id for note in notes if note.is_whole]
    return tuple(dict.fromkeys([*called, *titled]))
