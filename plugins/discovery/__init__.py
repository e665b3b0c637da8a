"""Suggests entities that have no note: proper names that the prose uses repeatedly."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING

from writeros_entities import HIDDEN, Note, ProposedName, Settings, hookimpl

if TYPE_CHECKING:
    from ..languages.capitals import TextLanguage
    from .names import FoundName
    from .uses import Use

__version__ = "18"

PAGE = 300_000
"""Characters that are read at once, about a long chapter; longer notes are read in pages."""

LONGEST_UNIT = 3
"""Most letters of an abbreviation behind a number that is no name."""

LONGEST_CODE = 5
"""Most letters of a word in capitals that is an abbreviation, not a name that is shouted."""

SURE, LIKELY, DOUBTFUL = 1.0, 0.7, 0.35
"""How surely a type is told by the words beside a name, and by the model alone.

Where the model, which knows English, is `PLAIN`, or the name is of several words, seven of ten are
right on real vaults, outside the manuscript; else, or behind prepositions alone, one of two.
"""

PLAIN = 0.95
"""The probability from which on the model is plain."""

FEW = 2
"""Uses inside a sentence that are enough for a phrase, and for a name in one sheet alone."""

OFTEN = 4
"""One in so many uses tells that a name is a place's, if more of them do than tell of a person.

So many must tell of a person where the name looks like none.
"""

NEVER = 1_000_000
"""The number of uses needed where these alone can never be enough."""

SAID_ONCE_IN = 8
"""Of so many uses, one must say what it is that is named; others may only compare it."""

_SORTS = {"organization": "faction", "vehicle": "item", "address": "place"}
"""The sorts of entity for the types by other names that the model decides between."""

_HIDDEN_RUN = re.compile(f"{HIDDEN}[{HIDDEN}\n]*")


@hookimpl
def propose_entities(note: Note, settings: Settings) -> Iterable[ProposedName]:
    """Return every proper name in the note's prose with the number of its uses.

    Where all nouns have capitals, one use more is needed.
    """
    if not settings.discovery:
        return []
    from ..languages.capitals import TextLanguage
    from .datelines import find_places
    from .labels import Labels
    from .languages import keep_capitals
    from .names import find_names
    from .phrases import UNTOLD, find_nouns, find_phrases
    from .species import find_species
    from .uses import read_uses

    labels = Labels(note)
    language = TextLanguage(note.prose)
    needed = settings.discovery_needed + language.is_german
    pages = []
    phrases: list[FoundName] = []
    nouns: list[FoundName] = []
    start = 0
    for page in _pages(note.prose):
        found = find_names(page, skip=[run.span() for run in _HIDDEN_RUN.finditer(page)])
        found = [rest for name in found if (rest := _without_unit(page, name))]
        names = keep_capitals(page, labels.leave_out(found, start))
        pages.append((page, _with_places(names, list(find_places(page)))))
        if not language.may_be_german:
            apart = keep_capitals(page, _without_people(page, find_phrases(page), found))
            phrases += labels.leave_out(apart, start, linked=False)
        if language.may_be_english:
            nouns += labels.leave_out(find_nouns(page), start, linked=False)
        start += len(page)
    uses = [use for use in read_uses(pages) if use.is_name and _may_be_name(use.spellings[0])]
    species = set(find_species(note))
    told = {phrase.text for phrase in phrases if phrase.confidence > UNTOLD}
    count = Counter(phrase.text for phrase in phrases if phrase.text in told)
    known = {use.spellings[0] for use in uses}
    return [
        *(_propose(use, needed, language, count[use.spellings[0]]) for use in uses),
        *_propose_phrases(phrases, min(needed, FEW), known),
        *_propose_phrases(nouns, needed + 1, known),
        *(ProposedName(name, "creature", 1, FEW, SURE) for name in sorted(species)),
    ]


def _propose_phrases(
    found: Iterable[FoundName], needed: int, known: Container[str]
) -> Iterator[ProposedName]:
    """Yield the phrases that are no `known` names; a capital must tell of one of its uses at least.

    Where none does, the uses count for the other notes' only.
    """
    from .phrases import UNTOLD

    by_text: dict[str, list[FoundName]] = {}
    for one in found:
        by_text.setdefault(one.text, []).append(one)
    for text, uses in by_text.items():
        if text not in known:
            sure = max(one.confidence for one in uses)
            kinds = [one.type for one in uses if one.type is not None]
            least = needed if sure > UNTOLD else NEVER
            kind = _most_common(kinds) if kinds else None
            yield ProposedName(text, kind, len(uses), least, sure)


def _may_be_name(spelling: str) -> bool:
    """Say whether a word's own letters allow that it is a name: "IQ", "S03" and "TL8" are codes."""
    words = spelling.split()
    is_code = any(any(map(str.isdigit, word)) and not word.isdigit() for word in words)
    is_shouted = len(spelling) <= LONGEST_CODE and spelling.rstrip("s").isupper()
    return not (is_code or is_shouted or spelling.lower() in _numbers())


@cache
def _numbers() -> frozenset[str]:
    """Return the words for numbers of all languages but English, where "Seven" may be somebody."""
    from ..languages import LANGUAGES

    others = (language for language in LANGUAGES if language.code != "en")
    return frozenset().union(*(language.words.numbers for language in others))


def _with_places(found: Sequence[FoundName], places: list[FoundName]) -> Sequence[FoundName]:
    """Replace the names found where a dateline names a place."""
    spans = [(place.start, place.end) for place in places]
    kept = [
        name
        for name in found
        if not any(name.start < end and start < name.end for start, end in spans)
    ]
    return sorted((*kept, *places), key=attrgetter("start")) if places else found


def _without_people(
    page: str, phrases: Sequence[FoundName], found: Iterable[FoundName]
) -> list[FoundName]:
    """Leave out the phrases that hold a person's name, and begin like one: its uses tell more.

    What the page sets apart by marks as a whole is a phrase, whatever its words are.
    """
    from .phrases import UNTOLD, opens_commonly, stands_out

    people = [name for name in found if name.type == "person"]
    starts = [name.start for name in people]
    apart = {phrase.text for phrase in phrases if stands_out(page, phrase.start, phrase.end)}
    kept = []
    for phrase in phrases:
        if phrase.text in apart:
            kept.append(phrase)
            continue
        first = bisect_left(starts, phrase.start)
        is_before = first > 0 and people[first - 1].end > phrase.start
        is_person = is_before or (first < len(people) and starts[first] < phrase.end)
        if not is_person or (phrase.confidence > UNTOLD and opens_commonly(phrase.text)):
            kept.append(phrase)
    return kept


def _without_unit(page: str, name: FoundName) -> FoundName | None:
    """Return a name without an era or unit behind a number at its start: "In 312 AE Ida slept"."""
    first, _, rest = name.text.partition(" ")
    is_short = first.isupper() and first.isalpha() and 1 < len(first) <= LONGEST_UNIT
    if not is_short or not page[max(0, name.start - 2) : name.start].strip(" ").isdigit():
        return name
    return name._replace(start=name.end - len(rest), text=rest) if rest else None


def _pages(prose: str) -> Iterator[str]:
    """Split an overlong text at line ends, or else between words; other texts are one page."""
    start = 0
    while len(prose) - start > PAGE:
        end = prose.rfind("\n", start, start + PAGE) + 1
        end = end or prose.rfind(" ", start, start + PAGE) + 1 or start + PAGE
        yield prose[start:end]
        start = end
    yield prose[start:]


def _propose(use: Use, needed: int, language: TextLanguage, phrases: int) -> ProposedName:
    """Return a proposal for a name, with its most frequent spelling and type.

    If neither its type is sure nor that it is one, a note alone has too few uses of it. A few are
    enough if it stands among the `phrases`; also of what is no English word, in an English text, if
    one tells that it is a name.
    """
    from .phrases import type_of_head

    kind, sure = _tell_type(use, may_be_english=language.may_be_english)
    if kind is None and use.ends_commonly:
        kind, sure = type_of_head(use.spellings[0]), SURE
    count = max(use.count, phrases)
    is_told = max(use.told, phrases) >= FEW
    needed = min(needed, FEW) if phrases else needed
    if language.is_english and use.is_coined and use.told:
        needed, is_told = min(needed, FEW), True
    if needed > 1 and not is_told and (kind is None or sure < SURE):
        needed = max(needed, count + 1)
    if use.is_addressed:
        needed = 1
    return ProposedName(
        _most_common(use.spellings),
        kind,
        count,
        needed,
        max([name.confidence for name in use.found]),
        type_confidence=sure,
    )


def _tell_type(use: Use, *, may_be_english: bool) -> tuple[str | None, float]:
    """Return the type of a name, and how surely its uses tell that.

    What the words beside it tell is sure; else the likeliest one is only likely, and less so if it
    may name several. In another language than English, a name that only stands behind prepositions
    is nobody's, nor is in any one of several words that ends in a common one.
    """
    from .names import ADDRESS

    typed = [name for name in use.found if name.type is not None]
    types = [_SORTS.get(name.type or "", name.type or "") for name in typed]
    kind = _most_common(types) if types else None
    if kind in ("creature", "item"):
        return kind, SURE
    said = _most_common(use.sorts) if use.sorts else None
    often = len(use.sorts) * SAID_ONCE_IN >= len(use.found) and len(use.sorts) > use.acting
    if said is not None and often:
        return said, SURE
    if use.is_noun_of_people:
        return "person", SURE
    if use.is_direction:
        return "place", SURE
    if kind == "person" and use.head_sort is not None:
        return use.head_sort, SURE
    if kind is not None and kind == use.head_sort:
        return kind, SURE
    if _acts(use, is_person=kind == "person"):
        return "person", SURE
    if use.placed * OFTEN >= len(use.found) and use.placed > use.acting:
        return "place", SURE
    if any(name.type == ADDRESS for name in use.found):
        return "place", SURE
    if use.sort_before is not None:
        return use.sort_before, SURE
    shares = [name.type_share for name, one in zip(typed, types, strict=True) if one == kind]
    is_plain, is_long = sum(shares) > PLAIN * len(shares), " " in use.spellings[0]
    is_clear = may_be_english and use.bare > 0 and (is_plain or is_long)
    likely = LIKELY if is_clear else DOUBTFUL
    if kind != "person" and is_long:
        return (kind if is_plain else None), DOUBTFUL
    may_be = (use.bare > 0 or may_be_english) and not use.ends_commonly
    is_likely = kind == "person" and may_be and not (use.takes_article or use.is_common)
    if not is_likely and use.sort_of_noun is not None:
        return use.sort_of_noun, LIKELY
    return kind if is_likely else None, likely / 2 if use.may_be_several else likely


def _acts(use: Use, *, is_person: bool) -> bool:
    """Say whether enough of what a name does tells that it is a person's.

    What has an article, or ends in a common word, has to do more than once in a while; and if
    things may do so too, it must be taken for a person.
    """
    if use.acting < 1 and (not is_person or use.may_be_several):
        return False
    is_odd = use.takes_article or use.ends_commonly
    least = 1 / OFTEN if is_odd else 0 if use.acting >= 1 else 1 / SAID_ONCE_IN
    return use.acting > max(use.placed, least * use.count)


def _most_common(items: list[str]) -> str:
    if len(items) == items.count(items[0]):
        return items[0]
    counts = Counter(items)
    return min(counts, key=lambda item: (-counts[item], item.isupper(), item))
