"""Derives the shorter names that prose uses: "Elizabeth" and "Miss Bennet" from "Elizabeth Bennet".

A derived name is weaker than a full one, and two entities may share it: what stands around a
mention decides, not this plugin. But "Mrs. Vane" is no name of somebody who is "he" by the note or
by an own title.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from writeros_entities import DerivedName, Gender, hookimpl

from .name_spellings import initials, with_nickname, without_diacritics
from .word_lists import word_set

__version__ = "7"

PERSONAL_TYPES = frozenset({"person", "character"})
GROUP_TYPES = frozenset({"faction"})

BARE = 0.9
"""A full name without its disambiguating suffix, its title or its article."""
SHORTENED = 0.9
"""Given name and surname without what stands between them, or with a form of address before."""
OWN_TITLE = 0.8
"""The entity's own title with part of the name."""
NICKNAME = 0.7
GIVEN_NAME = 0.6
POLITE = 0.55
"""A form of address that anyone of that name may bear."""
SURNAME = 0.5
MARRIED_FULL_NAME = 0.65
"""Given name and surname behind "Mrs.", which may be her husband's: "Mrs. John Vane"."""
HEAD_NOUN = 0.5
"""What a group is by its own name, with a capital: "the Bureau"."""
STYLED_GIVEN_NAME = 0.45
"""A given name behind "Mrs.", or behind "Sir", without which nobody is called who bears it."""

_POLITE_WITH_SURNAME = (
    "Mr",
    "Mr.",
    "Mrs",
    "Mrs.",
    "Ms",
    "Ms.",
    "Miss",
    "Dr",
    "Dr.",
    "Lord",
    "Lady",
    "Master",
    "Mistress",
)
_POLITE_WITH_FULL_NAME = (
    *("Mr", "Mr.", "Mrs", "Mrs.", "Ms", "Ms.", "Miss", "Dr", "Dr."),
    *("Lord", "Lady", "Sir"),
)
_MARRIED = frozenset({"mrs", "mme", "madame", "señora", "signora", "frau"})
_STYLES = _MARRIED | {"dame", "lady", "lord", "sir"}
_WITH_FAMILY_NAME = _MARRIED | {"miss", "ms", "mlle", "fräulein", "signorina", "señorita"}
"""Forms of address of women whose bare surname is rather a man's of the family."""
_POLITE_WITH_GIVEN_NAME = ("Miss", "Lord", "Lady", "Sir", "Master", "Mistress")
_SUFFIX_IN_BRACKETS = re.compile(r"\s*[(\[][^)\]]*[)\]]\s*$")
_RANK_AFTER_COMMA = re.compile(r",\s+(?:the\s.*|(?:jr|sr|esq|phd|md)\.?|[IVX]+)$", re.IGNORECASE)
_GENERATION = re.compile(r"\s+(?:jr\.?|sr\.?|esq\.?|[IVX]{1,4})$", re.IGNORECASE)
_BYNAME = re.compile(r"\s+(?:the|of)\s.*$")
_NICKNAME = re.compile(r"\s+[\"'“‘«(]([^\"'”’»)]+)[\"'”’»)](?=\s)")
_JOINED_PARTICLE = re.compile(r"^[a-zà-öø-ÿ]{1,3}['’-](?=[^\W\d_a-z])")
"""What is tied to a surname and small: "d'Arvane", "al-Rashid"; "O'Dara" is one name."""

_HYPHENATED_GIVEN = re.compile(r"[^\W\d_a-z][^\W\d_A-Z]+-[^\W\d_A-Z]+")
"""A given name of two syllables, the second of which is small: "Seo-yeon"."""

_SHIP_PREFIX = re.compile(r"[A-Z]{2,5} (?=[^\W\d_a-z])")
"""What stands before a ship's name in lists: "HMS", "ISV"."""

_EAST_ASIAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]+")

_DESIGNATION = re.compile(r"([^\W\d_]+\d+|\d+[^\W\d_]+)-\S+")
"""What serves as a given name of a machine: "R7" of "R7-K2"."""

_ARTICLE = re.compile(r"^(?:The|A|An)\s+(?=[^\W\d_])")
_SAINTS = frozenset({"st", "saint", "san", "santa"})
_EPITHETS = word_set(
    "big black blessed blind dead dear fat good gray great grey little mad old one-eyed poor red",
    "saint tall white young",
)


@dataclass(frozen=True, slots=True)
class PersonName:
    """The parts of a person's name: "Captain Ilse de Vane" has title, given name and surname."""

    titles: tuple[str, ...]
    given: str
    middle: tuple[str, ...]
    particles: tuple[str, ...]
    surname: str
    nickname: str

    @property
    def words(self) -> tuple[str, ...]:
        """The name without titles, word by word."""
        return tuple(filter(None, (self.given, *self.middle, *self.particles, self.surname)))

    @property
    def surnames(self) -> tuple[str, ...]:
        """The surname with its particles and without: "van Gogh", "Gogh"; "St. Aubert" alone."""
        if not self.surname:
            return ()
        whole = " ".join((*self.particles, self.surname))
        bare = _JOINED_PARTICLE.sub("", self.surname)
        if self.particles and not _SAINTS.isdisjoint(map(_key, self.particles)):
            return (whole,)
        return tuple(dict.fromkeys((whole, self.surname, bare)))

    @property
    def first_surname(self) -> str:
        """The surname with particles that stands before another: "de la Vega Montoya"."""
        from .english import PARTICLES

        for at, word in enumerate(self.middle[:-1]):
            if _key(word) in PARTICLES - _SAINTS:
                return " ".join(self.middle[at:])
        return ""


@hookimpl
def derive_names(
    name: str, aliases: Sequence[str], entity_type: str, gender: Gender | None
) -> Iterable[DerivedName]:
    """Return shorter names: by parts for persons, without article or suffix for all."""
    derived: dict[str, DerivedName] = {}
    taken = {_normal(form) for form in (name, *aliases)}
    is_personal = entity_type in PERSONAL_TYPES
    forms = list(_derive(name, aliases, gender, is_personal=is_personal))
    if entity_type == "vehicle" and (prefix := _SHIP_PREFIX.match(name)):
        forms.append((name[prefix.end() :], BARE))
    if entity_type in GROUP_TYPES:
        forms += [(f"the {noun}", HEAD_NOUN) for noun in _head_nouns(name) if noun not in aliases]
    own = ((form, BARE) for form in (name, *aliases))
    forms += [
        (plain, weight)
        for form, weight in (*own, *forms)
        if (plain := without_diacritics(form)) != form
    ]
    for form, weight in forms:
        key = _normal(form)
        if key not in taken and (key not in derived or derived[key].weight < weight):
            derived[key] = DerivedName(form, weight)
    return list(derived.values())


def _derive(
    name: str, aliases: Sequence[str], gender: Gender | None, *, is_personal: bool
) -> Iterator[tuple[str, float]]:
    bare = strip_suffix(name)
    if bare != name:
        yield bare, BARE
    without_article = _ARTICLE.sub("", bare)
    if without_article != bare and not _is_common(without_article):
        yield without_article, BARE
    if not is_personal or without_article != bare:
        return
    persons = [parse_person(bare)]
    own_words = {word.casefold() for word in bare.split()}
    for alias in aliases:
        if not _ARTICLE.match(alias):
            person = parse_person(alias)
            if person.titles or not own_words.isdisjoint(map(str.casefold, alias.split())):
                persons.append(person)
    if _may_be_family_first(persons[0], aliases):
        persons.append(_turned(persons[0]))
        yield " ".join(persons[-1].words), SHORTENED
    titled = {person.surname for person in persons if person.titles}
    gender = gender or _gender_of(persons)
    nicknames = [
        alias
        for alias in aliases
        if " " not in alias and _is_name(alias) and not _EAST_ASIAN.fullmatch(alias)
    ]
    for person in persons:
        others = nicknames if person is persons[0] else ()
        yield from _full_names(person, others, gender, is_titled=person.surname in titled)
        yield from _parts(person, gender, is_titled=person.surname in titled)
    if not titled:
        for alias in nicknames:
            if not _is_common(alias):
                for address in _addresses(_POLITE_WITH_GIVEN_NAME, gender):
                    yield f"{address} {alias}", POLITE


def _may_be_family_first(person: PersonName, aliases: Sequence[str]) -> bool:
    """Tell whether a name of two words may be turned round: "Kim Seo-yeon", or any with 田中.

    What tells is how the given name is written, or an alias in a script that has no small letters.
    """
    if not (person.given and person.surname) or person.middle or person.titles or person.particles:
        return False
    parts = (person.given, person.surname)
    return any(_HYPHENATED_GIVEN.fullmatch(part) for part in parts) or any(
        map(_EAST_ASIAN.fullmatch, aliases)
    )


def _turned(person: PersonName) -> PersonName:
    return replace(person, given=person.surname, surname=person.given)


def _head_nouns(name: str) -> Iterator[str]:
    """Yield what kind of group a name tells: "Bureau of Tides", "Tide Survey"."""
    from .english import GROUP_NOUNS

    words = _ARTICLE.sub("", strip_suffix(name)).split()
    is_of = "of" in words[1:]
    head = words[words.index("of") - 1] if is_of else words[-1]
    is_noun = is_of or head.casefold() in GROUP_NOUNS
    if len(words) > 1 and is_noun and head.isalpha() and head.istitle():
        yield head


def strip_suffix(name: str) -> str:
    """Return the name without what only tells notes apart: "Tobias Wren (elder)", ", the elder"."""
    bare = _RANK_AFTER_COMMA.sub("", _SUFFIX_IN_BRACKETS.sub("", name)).strip()
    surname, comma, rest = bare.partition(", ")
    if comma and len(rest.split()) <= 2 and rest[:1].isupper():
        bare = f"{rest} {surname}"
    return bare or name


def parse_person(name: str) -> PersonName:
    """Take a person's name apart; what is not there is empty."""
    from .english import PARTICLES, TITLES

    nickname = _NICKNAME.search(name)
    bare = _GENERATION.sub("", _NICKNAME.sub("", name)) if nickname else _GENERATION.sub("", name)
    bare = _BYNAME.sub("", bare)
    words = bare.split()
    titles: list[str] = []
    while len(words) > 1 and _key(words[0]) in TITLES - (_SAINTS if titles else set()):
        titles.append(words.pop(0))
    while len(words) > 1 and words[0].casefold() in _EPITHETS:
        words.pop(0)
    last = len(words) - 1
    first_particle = last
    first_possible = 0 if titles and not _is_given_name(words[0]) else 1
    while first_particle > first_possible and _key(words[first_particle - 1]) in PARTICLES:
        first_particle -= 1
    has_surname = last > 0
    has_given = first_particle > 0 or not titles
    return PersonName(
        tuple(titles),
        given=words[0] if words and has_given else "",
        middle=tuple(words[1:first_particle]),
        particles=tuple(words[first_particle:last]) if has_surname else (),
        surname=words[-1] if has_surname or titles else "",
        nickname=nickname[1].strip() if nickname else "",
    )


def _full_names(
    person: PersonName, nicknames: Sequence[str], gender: Gender | None, *, is_titled: bool
) -> Iterator[tuple[str, float]]:
    """Yield given name and surname with a form of address, and with other given names.

    "Mrs." needs a woman: "Mrs. John Vane" is not John.
    """
    if not (_is_given_name(person.given) and person.surname):
        return
    surname = person.surnames[0]
    own = {_key(word) for word in (person.given, *person.middle, *surname.split())}
    others = [nickname for nickname in nicknames if _key(nickname) not in own]
    for given in (person.given, *others):
        full = f"{given} {surname}"
        if given is not person.given:
            yield full, SHORTENED
            for quoted in with_nickname(person.given, given, surname):
                yield quoted, SHORTENED
        for address in () if is_titled else _addresses(_POLITE_WITH_FULL_NAME, gender):
            if gender or _key(address) not in _MARRIED:
                yield f"{address} {full}", SHORTENED


def _gender_of(persons: Iterable[PersonName]) -> Gender | None:
    """Return the gender that own titles tell, unless they tell both."""
    from .english import GENDER_OF_TITLE

    titles = {_key(title) for person in persons for title in person.titles}
    told = {GENDER_OF_TITLE[title] for title in titles & GENDER_OF_TITLE.keys()}
    return told.pop() if len(told) == 1 else None


def _addresses(addresses: Sequence[str], gender: Gender | None) -> Iterator[str]:
    """Yield the forms of address that somebody of a gender may bear."""
    from .english import GENDER_OF_TITLE

    for address in addresses:
        if gender is None or GENDER_OF_TITLE.get(_key(address), gender) == gender:
            yield address


def _parts(
    person: PersonName, gender: Gender | None, *, is_titled: bool
) -> Iterator[tuple[str, float]]:
    """Yield shorter names of a person; one with a title of their own bears no polite ones."""
    has_both = bool(person.given and person.surname)
    titles = set(map(_key, person.titles))
    is_married = not _MARRIED.isdisjoint(titles)
    given = person.given if _is_given_name(person.given) else ""
    surnames = [surname for surname in person.surnames if _is_name(surname.split()[-1])]
    if person.nickname and _is_name(person.nickname):
        yield person.nickname, NICKNAME
    if not has_both:
        designation = _DESIGNATION.fullmatch(given)
        if designation:
            yield designation[1], GIVEN_NAME
        for lone in surnames or [given]:
            if _is_name(lone.split()[-1] if lone else ""):
                yield lone, GIVEN_NAME if _WITH_FAMILY_NAME.isdisjoint(titles) else SURNAME
        return
    for surname in surnames:
        if person.middle or person.titles or surname == person.surname != person.surnames[0]:
            weight = MARRIED_FULL_NAME if is_married else SHORTENED
            yield f"{person.given} {surname}", weight
        yield surname, SURNAME
        for title in person.titles:
            for spelling in _spellings(title):
                yield f"{spelling} {surname}", OWN_TITLE
        for address in () if is_titled else _addresses(_POLITE_WITH_SURNAME, gender):
            yield f"{address} {surname}", POLITE
    if person.middle and not person.first_surname and all(map(_is_name, person.middle)):
        yield " ".join((person.given, *person.middle)), SHORTENED
    if person.first_surname:
        yield f"{person.given} {person.first_surname}", SHORTENED
        yield person.first_surname, SURNAME
    for short in initials((person.given, *person.middle)):
        yield short, GIVEN_NAME
        yield f"{short} {person.surnames[0]}", SHORTENED
    if given:
        yield given, GIVEN_NAME if _STYLES.isdisjoint(titles) else STYLED_GIVEN_NAME
        for title in person.titles:
            for spelling in _spellings(title):
                yield f"{spelling} {given}", OWN_TITLE
        for address in () if is_titled else _addresses(_POLITE_WITH_GIVEN_NAME, gender):
            yield f"{address} {given}", POLITE


def _spellings(title: str) -> tuple[str, ...]:
    from .english import ABBREVIATED_TITLES

    bare = title.rstrip(".")
    return (bare, f"{bare}.") if bare.casefold() in ABBREVIATED_TITLES else (title,)


def _is_name(word: str) -> bool:
    """Tell whether a word can stand for someone: a capital, no initial, no small word."""
    from .english import ARTICLES, PARTICLES, TITLES

    key = _key(word)
    first = _JOINED_PARTICLE.sub("", word)[:1]
    return (
        len(key) > 1
        and not first.islower()
        and first.isalpha()
        and key not in ARTICLES | PARTICLES | _EPITHETS | TITLES
    )


def _is_given_name(word: str) -> bool:
    """Tell whether a word with which a name begins can stand for someone: Ben in "Ben Crane"."""
    from .english import GIVEN_NAMES_TOO

    return _is_name(word) or (word[:1].isupper() and _key(word) in GIVEN_NAMES_TOO)


def _key(word: str) -> str:
    return word.rstrip(".").casefold()


def _is_common(form: str) -> bool:
    from .english import COMMON_WORDS

    return form.casefold() in COMMON_WORDS


def _normal(form: str) -> str:
    return " ".join(form.casefold().replace("’", "'").split())
