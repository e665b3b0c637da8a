"""Parse a person's name: "Captain Ilse de Vane" has a title, a given name and a surname."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..english import ARTICLES, GIVEN_NAMES_TOO, PARTICLES, TITLES
from ..languages import LANGUAGES
from ..word_lists import word_set

_GENERATION = re.compile(
    r"(?<!\s)\s+(?:jr\.?|sr\.?|junior|senior|esq\.?|[IVX]{1,4})$", re.IGNORECASE
)
_BYNAME = re.compile(r"(?<!\s)\s+(?:the|of)\s.*$")
_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)
_NICKNAME = re.compile(r"(?<!\s)\s+[\"'“‘«(]([^\"'“‘«(”’»)]+)[\"'”’»)](?=\s)")
_JOINED_PARTICLE = re.compile(r"^[a-zà-öø-ÿ]{1,3}['’-](?=[^\W\d_a-z])")
"""Matches a lower-case particle joined to a surname: "d'Arvane", "al-Rashid"; not "O'Dara"."""

_SAINTS = frozenset({"saint", "san", "santa", "st"})
_EPITHETS = word_set(
    "big black blessed blind dead dear fat good gray great grey little mad old one-eyed poor red",
    "saint tall white young",
)
_SHORTEST_ELSEWHERE = 5
"""Fewest letters of a title of another language: shorter ones are also names ("Don", "Rey")."""

_TITLES = TITLES.union(
    word
    for language in LANGUAGES
    if language.code != "en"
    for word in language.words.people
    if len(word) >= _SHORTEST_ELSEWHERE
)
_NO_NAMES = ARTICLES | PARTICLES | _EPITHETS | _TITLES


@dataclass(frozen=True, slots=True)
class PersonName:
    """The parts of a person's name; missing ones are empty."""

    titles: tuple[str, ...]
    epithet: str
    """What precedes the name: "Big"."""
    given: str
    middle: tuple[str, ...]
    particles: tuple[str, ...]
    surname: str
    nickname: str
    byname: str
    """What follows the name: "of the Thorn", "the Bold", "II"."""

    @property
    def untitled(self) -> str:
        """The name without titles, nickname and byname."""
        return " ".join(filter(None, (self.given, *self.middle, *self.particles, self.surname)))

    @property
    def is_more_than_two(self) -> bool:
        """Whether the name has other parts than a given name and a surname."""
        return bool(self.middle or self.titles or self.epithet or self.nickname or self.byname)

    @property
    def surnames(self) -> tuple[str, ...]:
        """The surname with and without its particles: "van Gogh", "Gogh"; but only "St. Aubert"."""
        if not self.surname:
            return ()
        whole = " ".join((*self.particles, self.surname))
        bare = _JOINED_PARTICLE.sub("", self.surname)
        if self.particles and not _SAINTS.isdisjoint(map(key_of, self.particles)):
            return (whole,)
        return tuple(dict.fromkeys((whole, self.surname, bare)))

    @property
    def first_surname(self) -> str:
        """The first of two surnames, with particles: "de la Vega" in "de la Vega Montoya"."""
        for at, word in enumerate(self.middle[:-1]):
            if key_of(word) in PARTICLES - _SAINTS:
                return " ".join(self.middle[at:])
        return ""


def parse_person(name: str) -> PersonName:
    """Split a person's name into its parts."""
    nickname = _NICKNAME.search(name)
    whole = _NICKNAME.sub("", name) if nickname else name
    bare = _BYNAME.sub("", _GENERATION.sub("", whole))
    words = bare.split()
    titles: list[str] = []
    while len(words) > 1 and key_of(words[0]) in _TITLES - (_SAINTS if titles else set()):
        titles.append(words.pop(0))
    epithets: list[str] = []
    while len(words) > 1 and words[0].casefold() in _EPITHETS:
        epithets.append(words.pop(0))
    last = len(words) - 1
    first_particle = last
    first_possible = 0 if titles and not is_given_name(words[0]) else 1
    while first_particle > first_possible and key_of(words[first_particle - 1]) in PARTICLES:
        first_particle -= 1
    has_surname = last > 0
    has_given = first_particle > 0 or not titles
    return PersonName(
        tuple(titles),
        epithet=" ".join(epithets),
        given=words[0] if words and has_given else "",
        middle=tuple(words[1:first_particle]),
        particles=tuple(words[first_particle:last]) if has_surname else (),
        surname=words[-1] if has_surname or titles else "",
        nickname=nickname[1].strip() if nickname else "",
        byname=whole.removeprefix(bare).strip(),
    )


def is_name(word: str) -> bool:
    """Say whether a word can be a name by itself: capitalised, no initial, no particle or title.

    Nor is it a possessive: "Ida's Mother" is not Ida.
    """
    key = key_of(word)
    first = _JOINED_PARTICLE.sub("", word)[:1]
    if len(key) == 1 or key.endswith(("'s", "’s")):
        return False
    return not first.islower() and first.isalpha() and key not in _NO_NAMES


def is_nickname(words: str) -> bool:
    """Say whether a nickname can be a name by itself: "Mouse", "the Rat"."""
    return is_name(_ARTICLE.sub("", words))


def is_given_name(word: str) -> bool:
    """Say whether a word at the start of a name can be a name by itself: Ben in "Ben Crane"."""
    return is_name(word) or (word[:1].isupper() and key_of(word) in GIVEN_NAMES_TOO)


def key_of(word: str) -> str:
    """Return a word as the lists of titles and particles contain it: folded, without a dot."""
    return word.rstrip(".").casefold()
