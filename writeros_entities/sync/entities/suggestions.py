"""Group names that are used without a note by the entity that they name.

If plugins derive a name from a longer one, and it is literally a part of it ("Ida" and "Captain
Ida" of "Captain Ida Crane", but not "Captain Crane"), it names the same entity, unless it derives
equally well from another.

Each decision is made at the position where the name becomes known, from what was read until then,
so that later chapters do not change earlier answers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from writeros_entities.names import fold_name
from writeros_entities.store.rows import Row
from writeros_entities.sync.drafting.guessed_types import NameUse, is_typed
from writeros_entities.sync.drafting.headed import LINKED
from writeros_entities.sync.drafting.type_words import PERSON
from writeros_entities.values import LARGEST_POSITION, SURE_TYPE

LEAST_OF_WORD = 0.5
"""Least derived weight at which a single word is taken for part of a longer name."""

LEAST_OF_KNOWN_WORD = 0.6
"""The same for a word known before the longer name: a surname may be that of a relative."""

LEAST_OF_WORDS = 0.8
"""The same for a part of several words, which must be nearly unique to its bearer."""

UNTYPED_NOTES = (None, "concept")
"""The types of notes whose sections may be entities though no list says so."""

SHEETS = 4
"""So many sections of a name make it a label, if but one of them says what it is about."""

SHORTEST_SLIP = 5
"""Fewest letters of a name of which another spelling is taken for a slip."""

THE = "the "
"""What a heading may have before a name, and prose before its uses."""

UNKNOWN = "unknown"
"""The type of a name if no use shows one."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A name that is used often enough without a note, from `known_from` on.

    Its type is the one that most uses show by then; `path` is the note of the first use. It
    `is_certain` if one use is enough.
    """

    key: str
    name: str
    type: str
    known_from: int
    confidence: float
    path: str
    is_certain: bool


def read_suggestion(uses: Sequence[NameUse]) -> Suggestion:
    """Return the suggestion from a name's uses, in reading order, which together are enough."""
    known_from = _suggested_from(uses)
    early = [use for use in uses if use.known_from <= known_from]
    first = early[0]
    confidence = max(use.confidence for use in early)
    is_certain = min(use.needed for use in early) == 1
    return Suggestion(
        *(first.name_key, first.name, _vote(early), known_from, confidence, first.path, is_certain)
    )


def without_labels(uses: Sequence[NameUse]) -> Sequence[NameUse]:
    """Return the uses of a name but for sections, if it is only what sheets have a section for.

    Many notes have one then, of which hardly any says that it is about something, and none what
    sort of entity that would be.
    """
    headed = [use for use in uses if use.heading]
    told = [use for use in headed if use.count]
    is_label = len(headed) >= SHEETS * len(told) and all(use.type in UNTYPED_NOTES for use in told)
    return [use for use in uses if not use.heading] if told and is_label else uses


def _suggested_from(uses: Sequence[NameUse]) -> int:
    """Return the position at which the uses are enough, and something says whose name it is.

    That is a type; or the manuscript, or a second note, which uses the name too; or one note whose
    uses are enough by themselves.
    """
    for position in sorted({use.known_from for use in uses}):
        early = [use for use in uses if use.known_from <= position]
        is_often = sum(use.count for use in early) >= min(use.needed for use in early)
        notes = {use.note_id for use in early if use.count}
        is_told = len(notes) > 1 or any(
            use.position is not None or use.count >= use.needed for use in early
        )
        if is_often and (is_told or _vote(early) != UNKNOWN):
            return int(position)
    return LARGEST_POSITION


def spelled_alike(key: str) -> Iterator[str]:
    """Yield the names that are the same but for an article, a plural, or a slip of the pen.

    Whatever one yields for another, that yields for it: "the vale" and "vale", "keystones" and
    "keystone", "terrel" and "terrell", "thrym" and "thyrm".
    """
    yield key.removeprefix(THE) if key.startswith(THE) else f"{THE}{key}"
    yield key.removesuffix("s") if key.endswith("s") else f"{key}s"
    if len(key) < SHORTEST_SLIP:
        return
    for at in range(1, len(key)):
        before, letter = key[at - 1], key[at]
        if not letter.isalpha():
            continue
        yield key[:at] + letter + key[at:]
        if before == letter:
            yield key[:at] + key[at + 1 :]
        elif before.isalpha() and at > 1:
            yield key[: at - 1] + letter + before + key[at + 1 :]


def _may_list(use: NameUse) -> bool:
    """Say whether the sections of a note may each be about somebody or something."""
    return use.position is None and use.type_of_note in UNTYPED_NOTES


def type_of_title(title: str, uses: Sequence[NameUse]) -> tuple[str, int] | None:
    """Return the type of a note without one, and the position from which chapters show it.

    They do once they use its title as a proper name often enough, and a use shows a type. A name of
    several words is enough once: two texts agree on it. Returns None if they never do.
    """
    for position in sorted({use.known_from for use in uses}):
        early = [use for use in uses if use.known_from <= position]
        is_often = sum(use.count for use in early) >= min(use.needed for use in early)
        found = _vote(early) if is_often or " " in title else UNKNOWN
        if found != UNKNOWN:
            return found, position
    return None


def _vote(uses: Iterable[NameUse]) -> str:
    """Return the type that most uses show surely, each weighted by how surely, and 1 / needed.

    Where none does, it is the type for which all those that show one likely are enough together:
    of n uses with a confidence of c each, 1 - (1 - c)^n.
    """
    types: dict[str, float] = defaultdict(float)
    doubts: dict[str, float] = defaultdict(lambda: 1.0)
    for use in uses:
        if use.type and is_typed(use):
            types[use.type] += use.type_confidence * use.count / use.needed
        elif use.type:
            doubts[use.type] *= 1 - use.type_confidence
    if not types and len(doubts) == 1:
        types = {kind: 1.0 for kind, doubt in doubts.items() if 1 - doubt >= SURE_TYPE}
    return min(types, key=lambda kind: (-types[kind], kind), default=UNKNOWN)


def group_names(
    found: Iterable[Suggestion], derived: Mapping[str, Mapping[str, float]]
) -> list[list[Suggestion]]:
    """Group suggestions by entity; the first of each group is the name by which it becomes known.

    `derived` maps each name, by key, to the names derived from it with their weights.
    """
    bearers = _Bearers(derived)
    for name in sorted(found, key=lambda one: (one.known_from, -len(one.key.split()), one.key)):
        bearers.add(name)
    return _without_plurals(list(bearers.groups.values()))


def in_nominative(
    found: Sequence[Suggestion], cases: Callable[[str], Iterable[str]]
) -> tuple[list[Suggestion], dict[str, list[Suggestion]]]:
    """Return the suggestions but for names in another case of one among them, and these by its key.

    Such a name makes the other known where it stands first; one that has cases of its own is none:
    "Александра" beside "Александру" and "Александры".
    """
    keys = {each.key for each in found}
    in_cases = {each.key: keys.intersection(map(fold_name, cases(each.name))) for each in found}
    joined: dict[str, str] = {}
    for key, others in in_cases.items():
        for other in sorted(others - {key}):
            if key not in joined and in_cases[other] <= others | {key}:
                joined.setdefault(other, key)
    declined: dict[str, list[Suggestion]] = defaultdict(list)
    for each in found:
        if each.key in joined:
            declined[joined[each.key]].append(each)
    kept = [
        replace(each, known_from=min(one.known_from for one in (each, *declined[each.key])))
        if declined.get(each.key)
        else each
        for each in found
        if each.key not in joined
    ]
    return kept, declined


def _without_plurals(groups: list[list[Suggestion]]) -> list[list[Suggestion]]:
    """Join what is known in the singular and in the plural, unless both may be people."""
    kept: dict[str, list[Suggestion]] = {}
    for group in groups:
        first = group[0]
        others = (kept.get(key) for key in (f"{first.key}s", first.key.removesuffix("s")))
        other = next(filter(None, others), None)
        if other is None or first.type == other[0].type == PERSON:
            kept[first.key] = group
        else:
            other.extend(group)
    return list(kept.values())


class _Bearers:
    """The names read so far, grouped by the entity that bears them."""

    def __init__(self, derived: Mapping[str, Mapping[str, float]]) -> None:
        self.groups: dict[str, list[Suggestion]] = {}
        self._derived = derived
        self._first: dict[str, str] = {}
        self._wholes: dict[str, dict[str, float]] = defaultdict(dict)

    def add(self, name: Suggestion) -> None:
        """Assign a name to the one known entity that bears it, or to a new one."""
        wholes = self._wholes.get(name.key)
        bearers = {self._first[whole] for whole in _surest(name.key, wholes)} if wholes else set()
        if not bearers:
            bearers = set(self._known_parts(name.key)[:1])
        first = bearers.pop() if len(bearers) == 1 else name.key
        self._first[name.key] = first
        self.groups.setdefault(first, []).append(name)
        for part in parts_of(name.key):
            if part in self._derived[name.key]:
                self._wholes[part][name.key] = self._derived[name.key][part]

    def _known_parts(self, whole: str) -> list[str]:
        """Return the parts of a name, longest first, that are already the name of a known entity.

        Entities that already have a longer name are left out: "Ida Winslow" is not Ida Crane.
        """
        derived = self._derived[whole]
        return sorted(
            (
                part
                for part in parts_of(whole)
                if part in self.groups
                and part not in self._wholes
                and derived.get(part, 0.0)
                >= (LEAST_OF_WORDS if " " in part else LEAST_OF_KNOWN_WORD)
            ),
            key=lambda part: (-len(part.split()), part),
        )


def _surest(part: str, weights: Mapping[str, float]) -> Iterator[str]:
    """Yield the longer names that a part most surely stands for."""
    if " " in part:
        yield from (whole for whole, weight in weights.items() if weight >= LEAST_OF_WORDS)
    else:
        highest = max(weights.values())
        if highest >= LEAST_OF_WORD:
            yield from (whole for whole, weight in weights.items() if weight == highest)


def parts_of(name: str) -> Iterator[str]:
    """Yield each run of consecutive words in a name that is shorter than the name."""
    words = name.split(" ")
    for length in range(1, len(words)):
        for start in range(len(words) - length + 1):
            yield " ".join(words[start : start + length])


def reached(uses: Sequence[NameUse]) -> int:
    """Return the position at which the uses, in reading order, are enough."""
    totals = accumulate(use.count for use in uses)
    needed = accumulate((use.needed for use in uses), min)
    steps = zip(uses, totals, needed, strict=True)
    enough = (int(use.known_from) for use, total, least in steps if total >= least)
    return next(enough, LARGEST_POSITION)


def read_section(uses: Sequence[NameUse], links: Sequence[Row]) -> tuple[NameUse, str, int] | None:
    """Return the section that a name heads, its type, and from where it is one, by all its uses.

    Where nothing says that it is in a list, others must link to it; or, if the note is about
    nothing else, link to the name (`links`) or use it often. It must be the only section so named,
    as what several notes have is a part of each, and in a note of no other type.
    """
    own = [use for use in without_labels(uses) if use.heading and (use.count or _may_list(use))]
    listed = [use for use in own if use.count]
    if not own or (len(own) > 1 and not listed):
        return None
    section = (listed or own)[0]
    others = [use for use in uses if use.heading is None and use.note_id != section.note_id]
    if listed:
        since = reached([section, *others])
    else:
        known_from = [use.known_from for use in uses if use.heading == LINKED]
        if not section.is_of_entity:
            known_from += [reached(others), *(link.known_from for link in links)]
        since = min(known_from, default=LARGEST_POSITION)
    if since == LARGEST_POSITION:
        return None
    return section, _type_of_section(section, others, since), since


def _type_of_section(section: NameUse, others: Sequence[NameUse], since: int) -> str:
    """Return the type that a section says, or else the one that others show, if any does.

    If it only guesses, what others surely show by when it is an entity is better. Where nothing
    shows any, a part of a concept is one.
    """
    if section.type is None:
        told = _vote(others)
        return section.type_of_note or UNKNOWN if told == UNKNOWN else told
    early = [use for use in others if use.known_from <= since and is_typed(use)]
    told = UNKNOWN if is_typed(section) else _vote(early)
    return told if told != UNKNOWN else section.type
