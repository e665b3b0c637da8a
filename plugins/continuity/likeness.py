"""Find names that a reader may confuse: of two people in one scene, or of one and a stranger.

true:  Marta and Maria in one scene; "Nell Barker" once, where Nell Harker lives
false: two of one family by the surname they share; Tobias and Toby, who are one person
false: the Harkers, and Harker; Orlov, and his wife Orlova
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract_iter

from writeros_entities import Finding, Scene, Sentence, Story, StoryEntity

from ..discovery.words import CALENDAR, PEOPLES
from ..english import ARTICLES, MONTHS_AND_DAYS, PARTICLES, TITLES
from .spellings import is_slip

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_NO_NAMES = TITLES | PARTICLES | ARTICLES | frozenset(("old", "young", "of"))
_NO_STRANGERS = (
    _NO_NAMES | MONTHS_AND_DAYS | {word.casefold() for word in CALENDAR | PEOPLES | {"Christ"}}
)
_NO_PERSON = re.compile(
    r"\b(?:an?|the|this|that|these|those|some|no|every|in|into|on|onto|at|near|across)\s+\Z",
    re.IGNORECASE,
)
"""Matches before a capitalised word that is no person: "an Irish temper", "in India"."""
_VOWELS = re.compile(r"[aeiouyàáâäèéêëìíîïòóôöùúûü]+", re.IGNORECASE)
_DOUBLE = re.compile(r"(\w)\1")
_WOMANS = re.compile(r"(?<=[oe]v)a$|(?<=[sc]k)(?:aya|aia|a)$|(?<=st)(?:aya|aia)$")
_WOMANS_OR_GIVEN = re.compile(r"(?<=[iy]n)a$")
_MANS = re.compile(r"(?<=[sc]k)(?:y|i|ij|iy|yi)$|(?<=st)(?:oy|oi)$")
"""Feminine and masculine endings of Slavic surnames: Orlova and Orlov, Belskaya and Belsky,
Karenina and Karenin; but Martina and Martin are given names.
"""

_SHORTEST = 4
_OFTEN = 5
"""Sentences that must use a name without a note before strangers like it are looked for."""
_RARE = 2
"""The most times that the name of a stranger is written."""


ALIKE = 0.55
NEAR = 0.5
SHAPED = 0.35
"""The confidence for names that share no more than the first letter and the shape."""


@dataclass(frozen=True, slots=True)
class _Named:
    """A word by which a scene names a person, and the indexes of the sentences that do."""

    entity: str
    word: str
    places: list[int]


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two names in the scene in which they are closest, and their distance in sentences."""

    one: _Named
    other: _Named
    scene: Scene
    gap: int
    places: tuple[int, int]


def check(story: Story) -> Iterable[Finding]:
    """Return each pair of names once, from the scene in which they are closest."""
    people = {person.id: person for person in story.people}
    nearest: dict[frozenset[str], _Pair] = {}
    for scene in story.scenes:
        for one, other in combinations(_named(scene, people), 2):
            if one.entity == other.entity or not likeness(one.word, other.word):
                continue
            are_surnames = all(_is_surname(each.word, people[each.entity]) for each in (one, other))
            is_family = _are_of_one_family(one.word, other.word, are_surnames)
            if is_family or _are_one(one, other, people):
                continue
            key = frozenset((one.word.casefold(), other.word.casefold()))
            pair = _pair(one, other, scene)
            if key not in nearest or pair.gap < nearest[key].gap:
                nearest[key] = pair
    for key, pair in nearest.items():
        yield _alike(pair, tuple(sorted(key)))
    yield from _strangers(story, people)


def _pair(one: _Named, other: _Named, scene: Scene) -> _Pair:
    places = min(product(one.places, other.places), key=lambda two: abs(two[0] - two[1]))
    return _Pair(one, other, scene, abs(places[0] - places[1]), places)


def _alike(pair: _Pair, words: tuple[str, ...]) -> Finding:
    message = f"{pair.one.word} and {pair.other.word} are easily mixed up."
    proofs = tuple(pair.scene.sentences[place].evidence for place in sorted({*pair.places}))
    about = tuple(sorted((pair.one.entity, pair.other.entity)))
    confidence = likeness(pair.one.word, pair.other.word)
    return Finding("alike", message, proofs, confidence, about, words=words)


@lru_cache(maxsize=1 << 16)
def likeness(one: str, other: str) -> float:
    """Return the confidence that a reader confuses two names, 0 if they are not alike.

    Names are alike if they differ by one letter (changed, added, left out, or swapped with the
    next: optimal string alignment). With the same first letter, they are also alike if they differ
    by one letter as pronounced (Mary and Maria), or by two in longer names. Names that share only
    the first letter and the shape have a lower confidence. The shape is the length, the last
    letters and the pattern of vowels: Darren and Dorian. Names of fewer than four letters are never
    alike.
    """
    first, second = one.casefold(), other.casefold()
    if first == second or min(len(first), len(second)) < _SHORTEST:
        return 0
    distance = OSA.distance(first, second)
    if distance <= 1:
        return ALIKE
    sounds = (_spoken(first), _spoken(second))
    if sounds[0][0] != sounds[1][0]:
        return 0
    if OSA.distance(*sounds) <= 1:
        return ALIKE
    has_shape = _shape(first) == _shape(second)
    if distance == 2 and max(len(first), len(second)) >= 5:
        return ALIKE if has_shape or first[-1] == second[-1] else 0
    is_same_length = len(first) == len(second) and first[-2:] == second[-2:]
    return SHAPED if has_shape and is_same_length else 0


def _spoken(word: str) -> str:
    """Return a rough pronunciation: `y` as `i`, `ph` as `f`, double letters as single ones."""
    return _DOUBLE.sub(r"\1", word.replace("ph", "f").replace("y", "i"))


def _shape(word: str) -> str:
    return re.sub(r"[^v]+", "c", _VOWELS.sub("v", word))


def _named(scene: Scene, people: dict[str, StoryEntity]) -> Iterable[_Named]:
    """Return the words by which a scene names people, each with its sentences.

    For a person without a note, only the narrator's words count.
    """
    found: dict[tuple[str, str], _Named] = {}
    for index, sentence in enumerate(scene.sentences):
        for name in sentence.names:
            person = people.get(name.entity)
            if person is None or name.rivals or (name.is_spoken and person.status != "noted"):
                continue
            for word in _WORD.findall(name.surface):
                if word.casefold() in _NO_NAMES or _is_plural_of(word, person):
                    continue
                if word[:1].isupper():
                    named = _Named(name.entity, word, [])
                    found.setdefault((name.entity, word), named).places.append(index)
    return found.values()


def _are_of_one_family(one: str, other: str, are_surnames: bool) -> bool:
    """Say whether one name is the plural of the other, or the feminine form of a surname."""
    shorter, longer = sorted((one.casefold(), other.casefold()), key=len)
    if longer in (f"{shorter}s", f"{shorter}es", f"{shorter.removesuffix('y')}ies"):
        return True
    if are_surnames and _WOMANS_OR_GIVEN.sub("", longer) == shorter:
        return True
    return _WOMANS.sub("", longer) in (shorter, _MANS.sub("", shorter)) and longer != shorter


def _is_surname(word: str, person: StoryEntity) -> bool:
    return person.name.endswith(f" {word}")


def _is_plural_of(word: str, person: StoryEntity) -> bool:
    """Say whether a word is the plural of a person's name, and so means the family."""
    return word[-1] == "s" and not _words(person).isdisjoint(
        {word[:-1].casefold(), word[:-2].casefold()}
        if word.casefold() not in _words(person)
        else ()
    )


def _are_one(one: _Named, other: _Named, people: dict[str, StoryEntity]) -> bool:
    """Say whether a word is a name of both people: a shared surname, or a namesake."""
    words = [_words(people[named.entity]) for named in (one, other)]
    return one.word.casefold() in words[1] or other.word.casefold() in words[0]


def _words(person: StoryEntity) -> set[str]:
    forms = [person.name, *(name.form for name in person.names)]
    return {word.casefold() for form in forms for word in _WORD.findall(form)}


def _is_inside(sentence: Sentence, start: int) -> bool:
    """Say whether a word follows another word directly, and is not part of a name."""
    if not sentence.text[:start].rstrip()[-1:].isalpha():
        return False
    return not any(name.start <= start < name.end for name in sentence.names)


def _strangers(story: Story, people: dict[str, StoryEntity]) -> Iterator[Finding]:
    """Yield rare capitalised words inside sentences that are one letter away from a name, and are
    no slip for it.
    """
    known = {word for entity in story.entities.values() for word in _words(entity)}
    own: dict[str, tuple[str, StoryEntity]] = {}
    for person in people.values():
        for form in (person.name, *(n.form for n in person.names if n.kind != "link_text")):
            for word in _WORD.findall(form):
                if len(word) > _SHORTEST and word[0].isupper() and word.casefold() not in _NO_NAMES:
                    own.setdefault(word.casefold(), (word, person))
    for word, sentences in _strange_words(story):
        folded = word.casefold()
        if folded in known or folded in _NO_STRANGERS or folded.removesuffix("s") in known:
            continue
        for name, *_ in extract_iter(folded, list(own), scorer=OSA.distance, score_cutoff=1):
            spelt, person = own[name]
            is_family = _are_of_one_family(folded, name, _is_surname(spelt, person))
            is_another = folded.rstrip("s") != name.rstrip("s") and folded != f"{name}n"
            if not is_family and is_another and not is_slip(folded, name, inside=True):
                first = story.sentences_of(person.id)
                if first and (person.status == "noted" or len(first) >= _OFTEN):
                    message = f"{word} is nearly {spelt}: easily mixed up?"
                    proofs = (first[0].evidence, sentences[0].evidence)
                    yield Finding("nearly", message, proofs, NEAR, (person.id,))
                break


def _before(word: re.Match[str]) -> tuple[int, int]:
    """Return the span of the word before a word, which is an article or a preposition if short."""
    return max(0, word.start() - 16), word.start()


def _strange_words(story: Story) -> Iterator[tuple[str, list[Sentence]]]:
    """Yield the words that are written once or twice, inside sentences and as a person's name is:
    with a capital, never without, and not behind "an" or "in".
    """
    written: set[str] = set()
    places: dict[str, list[Sentence]] = defaultdict(list)
    no_persons: set[str] = set()
    for scene in story.scenes:
        for sentence in scene.sentences:
            for found in _WORD.finditer(sentence.text):
                word = found[0].removesuffix("'s").removesuffix("’s")
                written.add(word)
                if word[0].isupper() and _is_inside(sentence, found.start()):
                    places[word].append(sentence)
                    if _NO_PERSON.search(sentence.text, *_before(found)):
                        no_persons.add(word)
    for word, sentences in places.items():
        is_rare = len(sentences) <= _RARE and len(word) > _SHORTEST
        if is_rare and word.lower() not in written and word not in no_persons:
            yield word, sentences
