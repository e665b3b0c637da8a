"""Who is in a note, and where full names occur in it: the evidence for a candidate."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from writeros_entities import (
    ALWAYS,
    JSON,
    Candidate,
    Folded,
    Lexicon,
    Mention,
    Name,
    Note,
    Score,
    fold_form,
)

from ..english import COMMON_WORDS
from ..gazetteer.evidence import UNLIVING, acts
from ..gazetteer.spellings import position
from ..gazetteer.words import Words, fold_prose
from ..once import once_for_each
from ..word_lists import words

OWN_NOTE = 0.5
LINKED = 0.25
IN_SCENE = 0.3
POINT_OF_VIEW = 0.35
NAMED_BEFORE = 0.3
NAMED_AFTER = 0.15
HALF_DISTANCE = 2000
EXACT = 0.1
UNLIKELY = -1.0

_SCENE_FIELDS: Mapping[str, float] = {
    **dict.fromkeys(words("narrator point-of-view pov povs viewpoint"), POINT_OF_VIEW),
    **dict.fromkeys(
        words(
            "cast character characters factions items location locations npcs participants party",
            "people place places present setting where who",
        ),
        IN_SCENE,
    ),
}
_WIKILINK = re.compile(r"\[\[([^\[\]|#]*+)[^\[\]]*+\]\]")


def weigh_candidates(
    mention: Mention, candidates: Sequence[Candidate], note: Note, lexicon: Lexicon
) -> list[Score]:
    """Return the evidence of the note's links, properties and full names for each candidate."""
    scene = scene_of(note)
    acting = acts(note, mention.start, mention.end)
    return [
        Score(candidate.entity, score, reason)
        for candidate in candidates
        for score, reason in (
            *scene.evidence(mention, candidate, names_of(lexicon, candidate.entity)),
            (UNLIKELY if acting and _is_unliving(candidate, lexicon) else 0.0, acting or ""),
        )
        if score
    ]


def _is_unliving(candidate: Candidate, lexicon: Lexicon) -> bool:
    entity = lexicon.entities.get(candidate.entity)
    return entity is not None and entity.type in UNLIVING


@dataclass(frozen=True, slots=True)
class EntityNames:
    """The names of an entity: all folded names and aliases, and those that only it has."""

    called: frozenset[str] = frozenset()
    own: tuple[tuple[str, Name], ...] = ()
    note_path: str | None = None


@dataclass
class Scene:
    """Who is in a note by its links and properties, and where full names occur in its prose."""

    path: str
    text: Folded
    words: Words
    linked: frozenset[str]
    listed: Mapping[str, tuple[float, str]]
    places: dict[str, list[tuple[int, int]]] = field(default_factory=dict)

    def evidence(
        self, mention: Mention, candidate: Candidate, names: EntityNames
    ) -> Iterator[tuple[float, str]]:
        """Yield scores and reasons, each depending on this candidate only."""
        if names.note_path is not None and names.note_path == self.path:
            yield OWN_NOTE, "the note is its own"
        if not self.linked.isdisjoint(names.called):
            yield LINKED, "linked in this note"
        listed = [self.listed[name] for name in names.called & self.listed.keys()]
        if listed:
            score, key = max(listed)
            yield score, f"listed under {key}"
        yield self._nearest(mention, candidate, names)
        if candidate.method in ("name", "alias"):
            yield EXACT, f"by its {candidate.method}"

    def _nearest(
        self, mention: Mention, candidate: Candidate, names: EntityNames
    ) -> tuple[float, str]:
        best = (0.0, "")
        known = position(candidate.known_from)
        for form, name in names.own:
            if position(name.known_from) > known:
                continue
            places = self.find(form)
            before = bisect_left(places, (mention.start, mention.start)) - 1
            while before >= 0 and places[before][1] > mention.start:
                before -= 1
            after = bisect_left(places, (mention.end, mention.end))
            if before >= 0:
                near = 2.0 ** (-(mention.start - places[before][1]) / HALF_DISTANCE)
                best = max(best, (NAMED_BEFORE * near, f"{name.form!r} stands before it"))
            elif after < len(places):
                near = 2.0 ** (-(places[after][0] - mention.end) / HALF_DISTANCE)
                best = max(best, (NAMED_AFTER * near, f"{name.form!r} stands after it"))
        return best

    def find(self, form: str) -> list[tuple[int, int]]:
        """Return the spans of a folded form in the note, as offsets into the file, in order."""
        if form not in self.places:
            length = len(form)
            self.places[form] = [
                (self.text.source_start(start), self.text.source_end(start + length))
                for start in self.words.find(form)
            ]
        return self.places[form]


def names_of(lexicon: Lexicon, entity_id: str) -> EntityNames:
    """Return the names of an entity."""
    known = _known(lexicon)
    if entity_id not in known:
        known[entity_id] = _read_names(lexicon, entity_id)
    return known[entity_id]


@once_for_each
def _known(lexicon: Lexicon) -> dict[str, EntityNames]:
    """Return the names of those entities that were asked for."""
    return {}


def _read_names(lexicon: Lexicon, entity_id: str) -> EntityNames:
    folded = [(fold_form(name.form), name) for name in lexicon.given(entity_id)]
    called = {form for form, _ in folded}
    entity = lexicon.entities.get(entity_id)
    if entity is not None:
        called.add(fold_form(entity.name))
        if entity.note_path:
            called.add(_basename(entity.note_path))

    def is_own(form: str) -> bool:
        return all(
            name.entity == entity_id
            for name in lexicon.named(form)
            if name.kind in ("name", "alias") and name.known_from == ALWAYS
        )

    own = tuple(
        (form, name) for form, name in folded if form and form not in COMMON_WORDS and is_own(form)
    )
    path = entity.note_path if entity is not None else None
    return EntityNames(frozenset(called - {""}), own, path)


@once_for_each
def scene_of(note: Note) -> Scene:
    """Return who is in a note by its links and properties."""
    listed: dict[str, tuple[float, str]] = {}
    for key, value in note.frontmatter.items():
        score = _SCENE_FIELDS.get(_dashed(key))
        if score is not None:
            for name in _listed_names(value):
                listed[name] = max((score, key), listed.get(name, (0.0, "")))
    for inline in note.fields:
        score = _SCENE_FIELDS.get(_dashed(inline.key))
        if score is not None:
            for name in _listed_names(inline.value):
                listed[name] = max((score, inline.key), listed.get(name, (0.0, "")))
    linked = frozenset(
        _basename(link.target)
        for link in note.links
        if link.target and link.kind in ("wikilink", "markdown", "embed")
    )
    text = fold_prose(note)
    return Scene(note.path, text, Words(text.folded), linked, listed)


def _dashed(key: str) -> str:
    return key.strip().lower().replace("_", "-").replace(" ", "-")


def _listed_names(value: JSON) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _listed_names(item)
    elif isinstance(value, str):
        links = _WIKILINK.findall(value)
        for name in links or re.split(r"[,;]", value):
            if basename := _basename(name):
                yield basename


def _basename(target: str) -> str:
    return fold_form(target.rpartition("/")[2].removesuffix(".md"))
