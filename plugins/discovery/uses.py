"""Count how a note uses the names found in it, to propose names.

The surface form is not always the name: "Dear Ida" is Ida, "the Cranes" are a family named Crane,
and a title alone or a shouted word is nobody's name.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from writeros_entities import MARK

from ..english import GIVEN_NAMES_AND_WORDS, MONTHS_AND_DAYS
from ..languages import LANGUAGES
from ..word_lists import word_set
from . import lexical
from .model import load_model
from .telling import (
    apposing,
    beings,
    is_called,
    people,
    sides,
    sorts,
    stands_bare,
    tells_of_person,
    tells_of_place,
    told_sort,
)
from .words import CALENDAR, POLITE, TITLES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .names import FoundName

_APOSTROPHES: Final = str.maketrans("\u2019\u02bc\u2018`", "''''")
_AFTERTHOUGHT: Final = re.compile(r"\A(?:(?:P\.)+S\.|N\.B\.) ")
"""Matches what begins a postscript or a remark: "P.S. Mrs. Dace sends her love"."""

_NUMBERED: Final = re.compile(r"\. ?[\d?]")
"""Matches what follows an abbreviation that is numbered: "Lv. 3"."""

_ENDEARING: Final = frozenset({"Dear", "Dearest", "Darling", "Poor"})
_HONORIFIC: Final = re.compile(
    r"-(?:san|sama|kun|chan|sensei|dono|senpai|sempai|hime|ssi|nim|ji|jan|bey|efendi|effendi)$"
)
"""Matches honorific suffixes of Japan, Korea, India, Persia and Turkey."""

_PRAISING: Final = frozenset({"Bad", "Big", "Fair", "Good", "Little", "Old", "Sweet", "Young"})
"""Words before a name that are part of it if they are capitalised inside a sentence."""
_ORDERS: Final = word_set(
    "Ask Bring Call Catch Does Did Drop Even Fetch Find Follow Forget Forgive Free Get Give Grab",
    "Help Hide Hold Keep Kill Leave Let Meet Move Only Pull Push Put Remember Save See Send Show",
    "Stop Take Tell Thank Trust Try Wake Warn Watch Despite Via",
    "Damn Dammit Damnit Goodbye Hello Hey Please Sorry Thanks Welcome",
)
"""Words that open a sentence before a name, and are not part of it."""
_DAYS: Final = {day.lower() for day in CALENDAR} - GIVEN_NAMES_AND_WORDS - {"april"}
"""Days and seasons, which may stand before a name: "on Christmas Ida slept"."""

_OPENING: Final = _PRAISING | _ORDERS
_LONE: Final = TITLES | {"Esq", "Ma'am"}
_RANKS: Final = word_set(
    "Admiral Captain Chancellor Commander Constable Director General Inspector Lieutenant Sergeant",
    "Superintendent",
)
"""Titles after a title that are rarely surnames: "Lord Commander", "Detective Sergeant"."""
_RANKING: Final = word_set(
    "Chief First Grand Head High Junior Lead Prime Second Senior Supreme Vice"
)
"""Words before a title that raise it, and name nobody: "Grand Master"."""

_BEFORE_ANYBODY: Final = POLITE | _RANKS
"""Titles behind which one use of a name is enough."""
_TITLE_KEYS: Final = frozenset(title.casefold() for title in TITLES)
_RANK_KEYS: Final = _TITLE_KEYS - {title.casefold() for title in POLITE}
_TITLES_OF_SEVERAL: Final = frozenset({"messrs", "misses"})
_SEVERAL: Final = word_set(
    "all both eldest five four other seven six the these those three two",
)
"""Words before the plural of a name, with at most one between: "the younger Cranes"."""
_WORDS_BEFORE: Final = re.compile(r"(?<![^\W\d_])(?:([^\W\d_]+)\s+)?([^\W\d_]+)\s+$")
_REACH: Final = 24
_GAP: Final = re.compile(r"(?<![^\w\n])[^\w\n]*+\Z")
_SENTENCE_ENDED: Final = re.compile(r"[.!?…][\"'”’*_]*+\s")
_ENDS_SENTENCE: Final = re.compile(r"[.!?…]")
_ENDS: Final = re.compile(r"[.!?…\n]")
_ES: Final = re.compile(r"(?:[sxz]|[cs]h)es$")
_SHORTEST: Final = 3
_CACHED: Final = 1 << 14
_BEINGS: Final = frozenset({"person", "creature"})
_ARTICLES: Final = word_set("a an the this these those each every le la les un une der die das")


_HEADS: Final = {"P": "place", "O": "faction"}
"""The sorts of what ends in a noun of these classes: "Harrow Hall", "River Guild"."""


@dataclass(slots=True)
class Use:
    """The mentions of one name in a note, with their spellings.

    For a name that may be a plural, or that begins with an adjective or imperative, `inside` counts
    the mentions after another word, and `several` those after a word that goes with plurals.
    `shared` counts the mentions of a longer name that this one is part of. `told` counts the
    mentions behind a word in lower case or an article, where a capital means something,
    `with_article` those behind an article, `labels` the mentions that only label what follows, and
    `exclaimed` those that are a whole sentence. `acting` counts the mentions that tell of a person,
    `placed` those that tell of a place, and `bare`
    those without a preposition before them. `sorts` are what the words beside it say that it is,
    `called` counts the mentions that give the name to something.
    """

    spellings: list[str] = field(default_factory=list)
    found: list[FoundName] = field(default_factory=list)
    several: int = 0
    inside: int = 0
    shared: int = 0
    told: int = 0
    with_article: int = 0
    labels: int = 0
    exclaimed: int = 0
    acting: float = 0.0
    placed: int = 0
    bare: int = 0
    called: int = 0
    sorts: list[str] = field(default_factory=list)
    is_common: bool = False
    is_lower: bool = False

    @property
    def count(self) -> int:
        """The number of uses, alone or in a longer name.

        A common word counts where it is capitalised inside a sentence; the capital of a second
        word means something anywhere.
        """
        is_opener = self.is_common and " " not in self.spellings[0]
        return (self.told if is_opener else len(self.found)) + self.shared

    @property
    def is_person(self) -> bool:
        """Whether most mentions are of type person."""
        return 2 * sum(name.type == "person" for name in self.found) > len(self.found)

    @property
    def is_name(self) -> bool:
        """Whether the mentions may prove more than that a word has a capital.

        Common words that only label what follows are no name, nor is a word that is only ever a
        whole sentence; a common word alone is a name only if it is somebody's, and is not used as a
        word beside it.
        """
        if self.is_common and 2 * self.labels >= len(self.found):
            return False
        if self.exclaimed == len(self.found) and not self.shared:
            return False
        return not self.is_common or " " in self.spellings[0] or self.is_somebody

    @property
    def is_somebody(self) -> bool:
        """Whether a common word is here the name of a person.

        A noun for a kind of being is one only if somebody of that name does something.
        """
        is_noun = self.spellings[0].lower() in nouns()
        return self.is_person and not self.is_lower and (self.acting > 0 or not is_noun)

    @property
    def is_addressed(self) -> bool:
        """Whether the name is that of a person behind a form of address or a rank: "Mr. Dace"."""
        title, _, name = self.spellings[0].rpartition(" ")
        is_word_too = is_word(name.lower()) or len(name.rstrip(".")) < _SHORTEST
        return title.rstrip(".") in _BEFORE_ANYBODY and self.is_person and not is_word_too

    @property
    def is_noun_of_people(self) -> bool:
        """Whether the name is only a noun for somebody: "Mother"."""
        return self.spellings[0].lower() in people()

    @property
    def is_coined(self) -> bool:
        """Whether this is one word, and none of the language: what a story calls its own."""
        name = self.spellings[0]
        may_be = len(name) >= _SHORTEST and " " not in name and not name.isupper()
        return may_be and not is_word(name.lower())

    @property
    def sort_of_noun(self) -> str | None:
        """The sort of what is called by the noun for it alone: "the Council"."""
        sort = sorts().get(self.spellings[0].lower())
        return None if sort == "person" else sort

    @property
    def head_sort(self) -> str | None:
        """The sort that the last word tells, if the first one is no title or given name."""
        first, _, _ = self.spellings[0].partition(" ")
        last = lexical.classify(self.spellings[0].rpartition(" ")[2])
        is_personal = lexical.classify(first) == "T" or first.lower() in GIVEN_NAMES_AND_WORDS
        return None if is_personal or first == self.spellings[0] else _HEADS.get(last)

    @property
    def sort_before(self) -> str | None:
        """The sort of a place or group that the word in front of its own name tells.

        "Fort Karn", "North Karn"
        """
        first, _, rest = self.spellings[0].lower().partition(" ")
        if not rest or is_word(rest.rpartition(" ")[2]) or first in GIVEN_NAMES_AND_WORDS:
            return None
        if first in sides():
            return "place"
        sort = sorts().get(first) if is_word(first) else apposing().get(first)
        return sort if sort in _HEADS.values() else None

    @property
    def is_direction(self) -> bool:
        """Whether this is a word for where something lies: "the North"."""
        return self.spellings[0].lower() in sides()

    @property
    def ends_commonly(self) -> bool:
        """Whether this is several words, and the last one is a word of the language."""
        first, _, rest = self.spellings[0].partition(" ")
        last = rest.rpartition(" ")[2].lower()
        return bool(rest) and is_word(last) and first.rstrip(".") not in TITLES

    @property
    def may_be_several(self) -> bool:
        """Whether the name ends as a plural does."""
        return self.spellings[0].endswith("s")

    @property
    def takes_article(self) -> bool:
        """Whether the name often has an article, as that of a person has not."""
        return 3 * self.with_article > len(self.found)

    def look_around(self, page: str, names: Iterable[FoundName]) -> None:
        """Update what counts the places of some mentions on a page."""
        for found in names:
            words = page[max(0, found.start - _REACH) : found.start].rsplit(None, 1)
            word = words[-1] if words and page[found.start - 1 : found.start] == " " else ""
            self.labels += page.startswith((":", "**:"), found.end)
            self.exclaimed += " " not in found.text and _is_exclaimed(page, found)
            self.placed += tells_of_place(page, found.start, found.end)
            self.bare += stands_bare(page, found.start)
            self.called += is_called(page, found.start)
            sort = told_sort(page, found.start, found.end)
            self.sorts += [sort] if sort else []
            is_thing = sort is not None and sort != "person"
            self.acting += 0 if is_thing else tells_of_person(page, found.start, found.end)
            has_article = word.lower() in _ARTICLES
            if has_article or (word[:1].islower() and (word[-1].isalpha() or word[-1] in ",;")):
                self.told += 1
                self.with_article += has_article and page[found.end - 1] != "s"  # the Lomaxes

    def look_before(self, page: str, names: Iterable[FoundName]) -> None:
        """Update `inside` and `several` by the words before some mentions on a page."""
        for found in names:
            words = _WORDS_BEFORE.search(page, max(0, found.start - _REACH), found.start)
            if words is not None:
                self.inside += 1
                self.several += not _SEVERAL.isdisjoint(map(str.lower, words.groups("")))

    def add(self, other: Use) -> None:
        """Add the mentions of another use."""
        self.spellings += other.spellings
        self.found += other.found
        self.several += other.several
        self.inside += other.inside
        self.told += other.told
        self.with_article += other.with_article
        self.labels += other.labels
        self.exclaimed += other.exclaimed
        self.acting += other.acting
        self.placed += other.placed
        self.bare += other.bare
        self.called += other.called
        self.sorts += other.sorts


def read_uses(pages: Iterable[tuple[str, Sequence[FoundName]]]) -> list[Use]:
    """Return the names that the pages use, without repeats."""
    uses: dict[str, Use] = {}
    for page, names in pages:
        shouted = _Shouted(page)
        by_text: dict[str, list[FoundName]] = {}
        for found in _side_by_side(page, names):
            by_text.setdefault(found.text, []).append(found)
        for text, found_so in by_text.items():
            spelling = _without_role(endear(" ".join(text.replace(MARK, "").split())))
            if not spelling or is_lone(spelling) or shouted.holds(spelling):
                continue
            if _is_label(page, spelling, found_so):
                continue
            use = uses.setdefault(fold(spelling), Use())
            use.spellings += [spelling] * len(found_so)
            use.found += found_so
            use.look_around(page, found_so)
            words = spelling.lower().split()
            use.is_common = all(
                (is_word(one) or one in nouns()) and one not in GIVEN_NAMES_AND_WORDS
                for one in words
            )
            use.is_lower = use.is_lower or (use.is_common and shouted.is_lower(words[-1]))
            if spelling[-1].lower() == "s" or _may_open(spelling.partition(" ")[0]):
                use.look_before(page, found_so)
    settled = _in_nominative(_settle(uses))
    _share(settled)
    return list(settled.values())


def _in_nominative(uses: dict[str, Use]) -> dict[str, Use]:
    """Merge a name in another case with the same name in the nominative: "Анну" with "Анна".

    Not if it has cases of its own here: "Александра" beside "Александру" and "Александры".
    """
    cases = {key: frozenset(_cases(use.spellings[0])) & uses.keys() for key, use in uses.items()}
    for key, others in cases.items():
        for other in others - {key}:
            if other in uses and key in uses and cases[other] <= others | {key}:
                use = uses.pop(other)
                use.spellings = [uses[key].spellings[0]] * len(use.spellings)
                uses[key].add(use)
    return uses


def _cases(spelling: str) -> Iterator[str]:
    for language in LANGUAGES:
        yield from map(fold, language.words.cases(spelling))


def _side_by_side(page: str, names: Sequence[FoundName]) -> Iterator[FoundName]:
    """Yield the names, two for one where two people only stand side by side.

    "Give Ida Corvin's hat" names two, if each stands apart from the other more often than with it,
    and once so in the same sentence, in which nobody is called in two ways.
    """
    counts = Counter(name.text for name in names)
    sentences: dict[str, set[int]] | None = None
    for name in names:
        first, _, last = name.text.partition(" ")
        if not last or counts[name.text] >= min(counts[first], counts[last]):
            yield name
            continue
        if sentences is None:
            sentences = _sentences_of(page, names)
        if sentences[first].isdisjoint(sentences[last]):
            yield name
        else:
            yield name._replace(end=name.start + len(first), text=first)
            yield name._replace(start=name.end - len(last), text=last)


def _sentences_of(page: str, names: Iterable[FoundName]) -> dict[str, set[int]]:
    """Return the sentences in which each name stands, by their numbers."""
    ends = [match.end() for match in _ENDS.finditer(page)]
    found: dict[str, set[int]] = {}
    for name in names:
        found.setdefault(name.text, set()).add(bisect_left(ends, name.start))
    return found


def fold(spelling: str) -> str:
    """Return a key that is equal for variants of case and apostrophes."""
    if not spelling.isascii() or "`" in spelling:
        spelling = spelling.translate(_APOSTROPHES)
    return spelling.casefold()


class _Shouted:
    """Recognises words in capitals that also occur in lower case on the page."""

    def __init__(self, page: str) -> None:
        self._page = page
        self._lower: set[str] | None = None

    def holds(self, spelling: str) -> bool:
        if len(spelling) < _SHORTEST or not (spelling.isupper() and spelling.isalpha()):
            return False
        return self.is_lower(spelling.lower())

    def is_lower(self, word: str) -> bool:
        """Say whether a word also occurs in lower case."""
        if self._lower is None:
            self._lower = lexical.read_lower_case(self._page)
        return word in self._lower


def _is_exclaimed(page: str, found: FoundName) -> bool:
    """Say whether a word is a whole sentence: "Nope."."""
    if _ENDS_SENTENCE.match(page, found.end) is None:
        return False
    before = page[max(0, found.start - _REACH) : found.start]
    gap = _GAP.search(before)
    is_first = gap is not None and before[: gap.start()][-1:] in ("", "\n")
    return is_first or (gap is not None and _SENTENCE_ENDED.search(gap[0]) is not None)


def endear(spelling: str) -> str:
    """Remove what precedes or follows a name: "Dear Ida", "Aoki-san", "P.S. Ida"."""
    spelling = _HONORIFIC.sub("", spelling)
    if "." in spelling:
        spelling = _AFTERTHOUGHT.sub("", spelling)
    first, _, rest = spelling.partition(" ")
    return rest if rest and first in _ENDEARING else spelling


def _without_role(spelling: str) -> str:
    """Return a name without what its bearer is: "Priestess Nell" is Nell, Hunter Nell is not."""
    role, _, name = spelling.partition(" ")
    low = role.lower()
    is_role = low in beings() and role not in TITLES and low not in GIVEN_NAMES_AND_WORDS
    return name if is_role and name.isalpha() and not is_word(name.lower()) else spelling


def is_lone(spelling: str) -> bool:
    """Say whether a spelling is a title without a name: "Ma'am", "Lord Commander", "High Lord"."""
    first, _, others = spelling.partition(" ")
    if first in _RANKING and others in TITLES:
        return True
    if first.rstrip(".") not in _LONE:
        return False
    return not others or all(word.rstrip(".") in _RANKS for word in others.split(" "))


def _is_label(page: str, spelling: str, found: Sequence[FoundName]) -> bool:
    """Say whether a page uses a word only as a label: "Lv. 3", "Reward: 5 silver"."""
    mark = page[found[0].end : found[0].end + 1]
    if mark == ".":
        return all(_NUMBERED.match(page, name.end) for name in found)
    if mark != ":":
        return False
    return is_word(spelling.lower()) and all(page.startswith(":", name.end) for name in found)


def _share(uses: Mapping[str, Use]) -> None:
    """Count the uses of a person's full name for its first or last word, if that is used alone.

    "Kit Moss" and "Captain Kit" count for "Kit", if no other full name begins with it. "Kit Moss"
    counts for "Moss", and "Moss" for "Kit Moss", if no other full name ends in it; but "Mrs. Moss"
    does not count for "Moss", which may be the family. A title tells of both words that whoever has
    them is a person.
    """
    by_first: dict[str, list[str]] = {}
    by_last: dict[str, list[str]] = {}
    for key in uses:
        if " " not in key:
            continue
        title, *others = key.split(" ")
        if title.rstrip(".") in _TITLE_KEYS:
            for part in {others[0], others[-1]} & uses.keys():
                uses[part].acting += 1
        words = [word for word in key.split(" ") if word.rstrip(".") not in _RANK_KEYS]
        if words and words[0] in uses:
            by_first.setdefault(words[0], []).append(key)
        if len(words) > 1 and words[-1] in uses and _is_given(words[0], words[-1]):
            by_last.setdefault(words[-1], []).append(key)
    for part, keys in (*by_first.items(), *by_last.items()):
        if len(keys) == 1 and uses[part].is_person and uses[keys[0]].is_person:
            uses[part].shared += len(uses[keys[0]].found)
    for part, keys in by_last.items():
        if len(keys) == 1 and uses[part].is_person and uses[keys[0]].is_person:
            uses[keys[0]].shared += len(uses[part].found)


def _is_given(word: str, surname: str) -> bool:
    """Say whether a word before a surname is a given name, not a title or any other word."""
    if word == surname or word.rstrip(".") in _TITLE_KEYS or word.capitalize() in _OPENING:
        return False
    if word in GIVEN_NAMES_AND_WORDS:
        return True
    return word not in MONTHS_AND_DAYS and not load_model().is_frequent(word)


def _settle(uses: dict[str, Use]) -> dict[str, Use]:
    """Merge variants into the name that is meant, and drop names that mean no single entity."""
    ends = {key.rpartition(" ")[2] for key in uses}
    for key, use in list(uses.items()):
        if _is_nobodys(key, use, uses):
            del uses[key]
            continue
        cut, tail = _praise(key, use, uses), _family_ending(key, use, ends)
        if not cut and not tail:
            continue
        del uses[key]
        use.spellings = [spelling[cut : len(spelling) - tail] for spelling in use.spellings]
        if tail:
            use.found = [found._replace(type="person") for found in use.found]
        uses.setdefault(key[cut : len(key) - tail], Use()).add(use)
    return uses


def _is_nobodys(key: str, use: Use, uses: Mapping[str, Use]) -> bool:
    """Say whether a name means several people, or abbreviates another name of the note.

    "The Miss Cranes" are several, and "Captain H." abbreviates "Captain Holt".
    """
    first, _, last = key.rpartition(" ")
    if first.rstrip(".") not in _TITLE_KEYS:
        return first.partition(" ")[0] in _TITLES_OF_SEVERAL
    if first.rstrip(".") in _TITLES_OF_SEVERAL or _is_plural(last, use):
        return True
    initial = key.rstrip(".")
    return len(last.rstrip(".")) == 1 and any(
        other.startswith(initial) and len(other) > len(key) for other in uses
    )


def _praise(key: str, use: Use, uses: Mapping[str, Use]) -> int:
    """Return the length of "Old " in "Old Ida" or "Tell " in "Tell Ida", if Ida is a name.

    That is one that is used alone, or no word. Only if the phrase always opens a sentence, or for
    a day ("Sunday Ida"); otherwise 0.
    """
    first, _, rest = key.partition(" ")
    is_praise = _may_open(first.capitalize()) and not use.inside
    is_named = rest in uses or (" " not in rest and rest.isalpha() and not is_word(rest))
    return len(first) + 1 if is_named and (is_praise or first in _DAYS) else 0


def _may_open(word: str) -> bool:
    """Say whether a word before a name may only open the sentence."""
    low = word.lower()
    if word in _OPENING or word.isupper():
        return word in _OPENING
    return low.rstrip(".") not in _TITLE_KEYS and low not in GIVEN_NAMES_AND_WORDS and is_word(low)


def _family_ending(key: str, use: Use, ends: set[str]) -> int:
    """Return the length of the plural ending of a family's name, or 0."""
    if " " in key or not _is_plural(key, use):
        return 0
    if _ES.search(key) and (key[:-2] in ends or not is_word(key)):
        return 2
    return int(key[:-1] in ends)


def _is_plural(word: str, use: Use) -> bool:
    return word.endswith("s") and use.several * 2 > len(use.found)


@lru_cache(maxsize=1)
def _dictionary() -> dict[str, int]:
    """Return the words that are no names by themselves; made by `scripts/make_word_lists.py`."""
    words = Path(__file__).with_name("words.txt").read_text(encoding="utf-8").split()
    return dict.fromkeys(words, 1) | load_model().common


@lru_cache(maxsize=1)
def nouns() -> frozenset[str]:
    """Return the nouns of all languages for kinds of people and other beings."""
    sorts = (language.words.sorts for language in LANGUAGES)
    return frozenset(noun for one in sorts for noun, sort in one.items() if sort in _BEINGS)


@lru_cache(maxsize=_CACHED)
def is_word(key: str) -> bool:
    """Say whether a word, in lower case, is one of the language's or an inflection of one."""
    known = _dictionary()
    return key in known or lexical.is_inflected(key, known)
