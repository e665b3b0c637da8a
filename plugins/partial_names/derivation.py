"""Derive shorter names from the parts of a name, each with a weight."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace

from writeros_entities import DerivedName, Gender

from ..english import ARTICLES, COMMON_WORDS, GENDER_OF_TITLE, PARTICLES
from ..languages import LANGUAGES
from ..word_lists import words
from .persons import PersonName, is_given_name, is_name, is_nickname, key_of, parse_person
from .spellings import generations, initials, other_spellings, title_spellings, with_nickname
from .things import of_group, of_joined, of_place, of_several, of_vehicle, without_of

_SUFFIX_IN_BRACKETS = re.compile(r"(?<!\s)\s*[(\[][^(\[)\]]*[)\]]\s*$")
_RANK_AFTER_COMMA = re.compile(r",\s+(?:the\s.*|(?:esq|phd|md)\.?)$", re.IGNORECASE)
_GENERATION = re.compile(r",(\s+(?:(?:jr|sr)\.?|junior|senior|[IVX]+))$", re.IGNORECASE)
_DESCRIPTION = re.compile(r"(?:[^\W\d_][\w'’-]*\s){1,3}of\s")
"""Matches what a person or thing is, behind the name: "Earl of Vane"."""

_ALSO = re.compile(r"(?<!\s)\s+(?:aka|a\.k\.a\.|alias)\s+(?=\S)")
_EPITHET = re.compile(r"(?:,\s+|\()[Tt]he\s+([^\W\d_a-z][^,()]*)")
_RANK = re.compile(r",\s+([^\W\d_a-z][\w'’-]*\s(?:[\w'’-]+\s){0,2}of\s[^,()]+)")

_BEFORE_NAMES = ARTICLES | PARTICLES
_LONGEST_INVERTED = 3
"""The most words that may stand behind the comma in the order of a catalogue."""


def in_prose(title: str, *, is_place: bool = False) -> str:
    """Return a name without a suffix that sets it apart, and in the order that prose has.

    Such suffixes are "(elder)", ", the elder" and ", Earl of Vane", and of a place its region:
    "Paris, Texas". A catalogue has "Wren, Tobias" and "Lantern, Order of the".
    """
    bare = _RANK_AFTER_COMMA.sub("", _SUFFIX_IN_BRACKETS.sub("", title)).strip()
    if generation := _GENERATION.search(bare):
        return in_prose(bare[: generation.start()]) + generation[1]
    name, comma, rest = bare.partition(", ")
    if not comma:
        return bare or title
    words = rest.split()
    if words[-1].casefold() in _BEFORE_NAMES:
        return f"{rest} {name}"
    if is_place or _DESCRIPTION.match(rest):
        return name
    is_name = all(word[:1].isupper() or word.casefold() in _BEFORE_NAMES for word in words)
    return f"{rest} {name}" if is_name and len(words) <= _LONGEST_INVERTED else bare


def other_names(title: str) -> tuple[str, Sequence[str]]:
    """Return a title without the other names in it, and these: "Tom Reed aka the Heron"."""
    first, *others = _ALSO.split(title)
    return first, others


def epithet(title: str) -> str:
    """Return what else a person is called by the title of the note: "the Rat", "the Earl of Vane".

    Returns "" if there is nothing with a capital behind the name.
    """
    found = _EPITHET.search(title) or _RANK.search(title)
    return f"the {found[1].strip()}" if found else ""


PERSONAL_TYPES = frozenset({"person", "character"})
_MAY_BE_SEVERAL = frozenset({"concept", "creature", "event", "faction", "item"})
_OF_THING = {"place": of_place, "faction": of_group, "item": of_vehicle}

BARE = 0.9
"""The weight of a full name without its disambiguating suffix, its title or its article."""
SHORTENED = 0.9
"""The weight of given name and surname without the words between, or with a form of address."""
OWN_TITLE = 0.8
"""The weight of the entity's own title with part of the name."""
NICKNAME = 0.7
GIVEN_NAME = 0.6
INITIAL = 0.6
"""The weight of the surname behind the initial of the given name."""
POLITE = 0.55
"""The weight of a form of address that anyone with the name may have."""
SURNAME = 0.5
MARRIED_FULL_NAME = 0.65
"""The weight of given name and surname after "Mrs.", where it may be her husband's."""
STYLED_GIVEN_NAME = 0.45
"""The weight of a given name alone, for a person who is usually called "Mrs." or "Sir"."""

_WITH_SURNAME = words("Mr Mr. Mrs Mrs. Ms Ms. Miss Dr Dr. Lord Lady Master Mistress")
_WITH_FULL_NAME = words("Mr Mr. Mrs Mrs. Ms Ms. Miss Dr Dr. Lord Lady Sir")
_WITH_GIVEN_NAME = words("Miss Lord Lady Sir Master Mistress")
"""Forms of address, by what may follow them."""

_MARRIED = frozenset({"frau", "madame", "mme", "mrs", "señora", "signora"})
_STYLES = _MARRIED | {"dame", "lady", "lord", "sir"}
_WITH_FAMILY_NAME = _MARRIED | {"miss", "ms", "mlle", "fräulein", "signorina", "señorita"}
"""Women's forms of address; the bare surname rather means a man of the family."""

_HYPHENATED_GIVEN = re.compile(r"[^\W\d_a-z][^\W\d_A-Z]+-[^\W\d_A-Z]+")
"""Matches a given name of two syllables, the second in lower case: "Seo-yeon"."""

_INITIAL = re.compile(r"[^\W\d_]\.?")

_EAST_ASIAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]+")

_DESIGNATION = re.compile(r"([^\W\d_]+\d+|\d+[^\W\d_]+)-\S+")
"""Matches a machine's designation; the group serves as its given name: "R7" in "R7-K2"."""

_ARTICLE = re.compile(r"^(?:The|A|An)\s+(?=[^\W\d_])")

_DEFINITE = frozenset().union(*(language.words.definite for language in LANGUAGES))
"""The articles of all languages, behind which a name is no given name: "Der Drache"."""


def derive(
    name: str, aliases: Sequence[str], entity_type: str, gender: Gender | None
) -> list[DerivedName]:
    """Return shorter names without repeats, each with its greatest weight."""
    own = [DerivedName(form, BARE) for form in (name, *aliases)]
    title, others = other_names(name)
    bare = in_prose(title, is_place=entity_type == "place")
    forms = [*_by_article(name, bare), *(DerivedName(other, BARE) for other in others)]
    if entity_type in PERSONAL_TYPES and not _has_article(bare):
        forms += _of_person(bare, aliases, gender)
        if called := epithet(name):
            forms.append(DerivedName(called, NICKNAME))
    elif entity_type in _OF_THING:
        named = (name, *aliases) if entity_type != "item" else ()
        short = [
            one
            for each in dict.fromkeys((bare, *named))
            for one in _OF_THING[entity_type](_ARTICLE.sub("", each))
        ]
        forms += [one for one in short if one.form.removeprefix("the ") not in aliases]
    elif entity_type == "event":
        forms += without_of(_ARTICLE.sub("", bare))
    forms += of_joined(name, may_be_words=entity_type in PERSONAL_TYPES)
    if entity_type in _MAY_BE_SEVERAL:
        forms += of_several(_ARTICLE.sub("", bare))
    forms += [
        DerivedName(other, one.weight)
        for one in (*own, *forms)
        for other in other_spellings(one.form)
    ]
    taken = {_normal(one.form) for one in own}
    derived: dict[str, DerivedName] = {}
    for one in forms:
        key = _normal(one.form)
        if key not in taken and (key not in derived or derived[key].weight < one.weight):
            derived[key] = one
    return list(derived.values())


def _by_article(name: str, bare: str) -> Iterator[DerivedName]:
    """Yield a name as prose has it, and that without its article."""
    if bare != name:
        yield DerivedName(bare, BARE)
    without_article = _ARTICLE.sub("", bare)
    if without_article != bare and not _is_common(without_article):
        yield DerivedName(without_article, BARE)


def _has_article(name: str) -> bool:
    return name.partition(" ")[0].casefold() in _DEFINITE or _ARTICLE.match(name) is not None


# -- Persons -------------------------------------------------------------------------------------


def _of_person(name: str, aliases: Sequence[str], gender: Gender | None) -> Iterator[DerivedName]:
    persons = [parse_person(name)]
    own_words = {word.casefold() for word in name.split()}
    for alias in aliases:
        if not _has_article(alias):
            bare = in_prose(alias)
            if bare != alias:
                yield DerivedName(bare, BARE)
            person = parse_person(bare)
            if person.titles or not own_words.isdisjoint(map(str.casefold, alias.split())):
                persons.append(person)
    if _may_be_family_first(persons[0], aliases):
        first, last = persons[0].given, persons[0].surname
        persons.append(replace(persons[0], given=last, surname=first))
        yield DerivedName(f"{last} {first}", SHORTENED)
    for person in tuple(filter(_is_called_by_second, persons)):
        called = replace(person, given=person.middle[0], middle=person.middle[1:])
        persons.append(called)
        yield DerivedName(called.untitled, SHORTENED)
    nicknames = [
        alias
        for alias in aliases
        if " " not in alias and is_name(alias) and not _EAST_ASIAN.fullmatch(alias)
    ]
    titled = {person.surname for person in persons if person.titles}
    bearer = _Bearer(gender or _gender_of(persons), titled)
    for person in persons:
        yield from bearer.full_names(person, nicknames if person is persons[0] else ())
        yield from bearer.parts(person)
    if not titled:
        for alias in nicknames:
            if not _is_common(alias):
                yield from bearer.politely(_WITH_GIVEN_NAME, alias, POLITE)


def _may_be_family_first(person: PersonName, aliases: Sequence[str]) -> bool:
    """Say whether a name of two words may be in reverse order: "Kim Seo-yeon", or any with 田中.

    The evidence is the spelling of the given name, or an alias in an East Asian script.
    """
    if not (person.given and person.surname) or person.middle or person.titles or person.particles:
        return False
    parts = (person.given, person.surname)
    return any(_HYPHENATED_GIVEN.fullmatch(part) for part in parts) or any(
        map(_EAST_ASIAN.fullmatch, aliases)
    )


def _is_called_by_second(person: PersonName) -> bool:
    """Say whether the first of several given names is an initial: "R. Daneel Olivaw"."""
    is_initial = _INITIAL.fullmatch(person.given) is not None
    return is_initial and bool(person.middle) and is_given_name(person.middle[0])


def _gender_of(persons: Iterable[PersonName]) -> Gender | None:
    """Return the gender that titles imply; None if they imply none or both."""
    titles = {key_of(title) for person in persons for title in person.titles}
    told = {GENDER_OF_TITLE[title] for title in titles & GENDER_OF_TITLE.keys()}
    return told.pop() if len(told) == 1 else None


@dataclass(frozen=True, slots=True)
class _Bearer:
    """The bearer of some names: the gender, and the surnames used with a title of their own.

    Polite forms of address are not derived for such surnames.
    """

    gender: Gender | None
    titled: Set[str]

    def full_names(self, person: PersonName, nicknames: Sequence[str]) -> Iterator[DerivedName]:
        """Yield given name and surname with a form of address, and with nicknames as given name.

        "Mrs." requires a known gender: "Mrs. John Vane" is not John.
        """
        if not (is_given_name(person.given) and person.surname):
            return
        surname = person.surnames[0]
        own = {key_of(word) for word in (person.given, *person.middle, *surname.split())}
        others = [nickname for nickname in nicknames if key_of(nickname) not in own]
        for given in (person.given, *others):
            full = f"{given} {surname}"
            if given is not person.given:
                yield DerivedName(full, SHORTENED)
                for quoted in with_nickname(person.given, given, surname):
                    yield DerivedName(quoted, SHORTENED)
            if person.surname not in self.titled:
                polite = [
                    each for each in _WITH_FULL_NAME if self.gender or key_of(each) not in _MARRIED
                ]
                yield from self.politely(polite, full, SHORTENED)

    def parts(self, person: PersonName) -> Iterator[DerivedName]:
        """Yield shorter names of a person."""
        if person.nickname and is_nickname(person.nickname):
            yield DerivedName(person.nickname, NICKNAME)
            if is_name(person.nickname):
                yield DerivedName(f"{person.nickname} {person.surname}", SHORTENED)
        if person.epithet and person.given and person.surname:
            yield DerivedName(f"{person.epithet} {person.given}", OWN_TITLE)
        if person.titles and person.byname:
            yield DerivedName(f"{person.untitled} {person.byname}", BARE)
        yield from _by_generation(person)
        yield from _by_title(person)
        if not (person.given and person.surname):
            yield from _lone_names(person)
            return
        is_married = not _MARRIED.isdisjoint(map(key_of, person.titles))
        for surname in _usable_surnames(person):
            if person.is_more_than_two or surname == person.surname != person.surnames[0]:
                weight = MARRIED_FULL_NAME if is_married else SHORTENED
                yield DerivedName(f"{person.given} {surname}", weight)
            yield DerivedName(surname, SURNAME)
            yield from self._addressed(person, surname, _WITH_SURNAME)
        if person.middle and not person.first_surname and all(map(is_name, person.middle)):
            yield DerivedName(" ".join((person.given, *person.middle)), SHORTENED)
        if person.first_surname:
            yield DerivedName(f"{person.given} {person.first_surname}", SHORTENED)
            yield DerivedName(person.first_surname, SURNAME)
        for short in initials((person.given, *person.middle)):
            yield DerivedName(short, GIVEN_NAME)
            yield DerivedName(f"{short} {person.surnames[0]}", SHORTENED)
        if is_given_name(person.given):
            yield DerivedName(f"{person.given[0]}. {person.surnames[0]}", INITIAL)
            is_styled = not _STYLES.isdisjoint(map(key_of, person.titles))
            yield DerivedName(person.given, STYLED_GIVEN_NAME if is_styled else GIVEN_NAME)
            yield from self._addressed(person, person.given, _WITH_GIVEN_NAME)

    def _addressed(
        self, person: PersonName, part: str, polite: Sequence[str]
    ) -> Iterator[DerivedName]:
        """Yield a part of a name after the person's own titles, and after polite ones."""
        for title in person.titles:
            for spelling in title_spellings(title):
                yield DerivedName(f"{spelling} {part}", OWN_TITLE)
        if person.surname not in self.titled:
            yield from self.politely(polite, part, POLITE)

    def politely(self, addresses: Sequence[str], name: str, weight: float) -> Iterator[DerivedName]:
        """Yield a name after the forms of address that fit the gender."""
        for address in addresses:
            of_title = GENDER_OF_TITLE.get(key_of(address))
            if self.gender is None or of_title in (None, self.gender):
                yield DerivedName(f"{address} {name}", weight)


def _by_title(person: PersonName) -> Iterator[DerivedName]:
    """Yield the whole name after other spellings of a title of the person."""
    for title in person.titles:
        for spelling in title_spellings(title):
            yield DerivedName(f"{spelling} {person.untitled}", OWN_TITLE)


def _by_generation(person: PersonName) -> Iterator[DerivedName]:
    """Yield names of a person with other spellings of "Jr."."""
    for spelling in generations(person.byname):
        for comma in ("", ","):
            yield DerivedName(f"{person.untitled}{comma} {spelling}", BARE)
            for part in filter(None, (person.given, person.surname)):
                yield DerivedName(f"{part}{comma} {spelling}", OWN_TITLE)


def _lone_names(person: PersonName) -> Iterator[DerivedName]:
    """Yield the given name or the surname of a person who has only one of them."""
    given = person.given if is_given_name(person.given) else ""
    designation = _DESIGNATION.fullmatch(given)
    if designation:
        yield DerivedName(designation[1], GIVEN_NAME)
    is_of_family = not _WITH_FAMILY_NAME.isdisjoint(map(key_of, person.titles))
    for lone in _usable_surnames(person) or [given]:
        if is_name(lone.split()[-1] if lone else ""):
            yield DerivedName(lone, SURNAME if is_of_family else GIVEN_NAME)


def _usable_surnames(person: PersonName) -> list[str]:
    return [surname for surname in person.surnames if is_name(surname.split()[-1])]


def _is_common(form: str) -> bool:
    return form.casefold() in COMMON_WORDS


def _normal(form: str) -> str:
    return " ".join(form.casefold().replace("’", "'").split())
