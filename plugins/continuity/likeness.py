"""Names that a reader mixes up: of two people in one scene, or of a person and a slip of the pen.

true:  Marta and Maria in one scene; "Isolda" once, where Isolde is meant
false: two of one family by the surname they share; Tobias and Toby, who are one person
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from rapidfuzz.distance import OSA

from writeros_entities import Finding, Scene, Sentence, Story, StoryEntity

from ..english import ARTICLES, PARTICLES, TITLES

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_NO_NAMES = TITLES | PARTICLES | ARTICLES | frozenset(("old", "young", "of"))
_VOWELS = re.compile(r"[aeiouyàáâäèéêëìíîïòóôöùúûü]+", re.IGNORECASE)
_SHORTEST = 4

ALIKE = 0.55
SLIP = 0.5


@dataclass(frozen=True, slots=True)
class _Named:
    entity: str
    word: str
    sentence: Sentence


def check(story: Story) -> Iterable[Finding]:
    """Return each pair of names once, from the first scene that has both."""
    people = {person.id: person for person in story.people}
    reported: set[frozenset[str]] = set()
    for scene in story.scenes:
        named = _named(scene, people)
        for one, other in combinations(named.values(), 2):
            pair = frozenset((one.entity, other.entity))
            if len(pair) == 1 or pair in reported or _are_one(one, other, people):
                continue
            if are_alike(one.word, other.word):
                reported.add(pair)
                message = f"{one.word} and {other.word} are easily mixed up."
                proofs = (one.sentence.evidence, other.sentence.evidence)
                yield Finding("alike", message, proofs, ALIKE, tuple(sorted(pair)))
    yield from _slips(story, people)


def are_alike(one: str, other: str) -> bool:
    """Say whether two names differ by a letter, or share the first letter and the shape.

    By a letter means: one changed, added, left out, or swapped with the next (`OSA`).

    A shape is the length, the last letter and where the vowels stand: Marta and Maria, Darren and
    Dorian; names of fewer than four letters have none.
    """
    first, second = one.casefold(), other.casefold()
    if first == second or min(len(first), len(second)) < _SHORTEST:
        return False
    distance = OSA.distance(first, second)
    if distance <= 1:
        return True
    if first[0] != second[0]:
        return False
    if distance == 2 and max(len(first), len(second)) >= 5:
        return _shape(first) == _shape(second) or first[-1] == second[-1]
    return (
        len(first) == len(second) and first[-2:] == second[-2:] and _shape(first) == _shape(second)
    )


def _shape(word: str) -> str:
    return re.sub(r"[^v]+", "c", _VOWELS.sub("v", word))


def _named(scene: Scene, people: dict[str, StoryEntity]) -> dict[tuple[str, str], _Named]:
    """Return the words by which a scene names people, each with its first sentence."""
    found: dict[tuple[str, str], _Named] = {}
    for sentence in scene.sentences:
        for name in sentence.names:
            if name.entity not in people or name.rivals:
                continue
            for word in _WORD.findall(name.surface):
                if word.casefold() not in _NO_NAMES and word[:1].isupper():
                    found.setdefault((name.entity, word), _Named(name.entity, word, sentence))
    return found


def _are_one(one: _Named, other: _Named, people: dict[str, StoryEntity]) -> bool:
    """Say whether a word is a name of both: a family, or a namesake."""
    words = [_words(people[named.entity]) for named in (one, other)]
    return one.word.casefold() in words[1] or other.word.casefold() in words[0]


def _words(person: StoryEntity) -> set[str]:
    forms = [person.name, *(name.form for name in person.names)]
    return {word.casefold() for form in forms for word in _WORD.findall(form)}


def _slips(story: Story, people: dict[str, StoryEntity]) -> Iterator[Finding]:
    """Yield capitalised words that are no name, and nearly one: inside a sentence, and rare."""
    known = {word for entity in story.entities.values() for word in _words(entity)}
    own = {
        word.casefold(): (word, person)
        for person in people.values()
        for form in (person.name, *(n.form for n in person.names if n.kind != "link_text"))
        for word in _WORD.findall(form)
        if len(word) > _SHORTEST and word[0].isupper() and word.casefold() not in _NO_NAMES
    }
    written: Counter[str] = Counter()
    places: dict[str, list[Sentence]] = defaultdict(list)
    for scene in story.scenes:
        for sentence in scene.sentences:
            for found in _WORD.finditer(sentence.text):
                word = re.sub(r"['’]s?\Z", "", found[0])
                written[word] += 1
                is_inside = (
                    found.start() > 0 and sentence.text[: found.start()].rstrip()[-1:].isalpha()
                )
                is_named = any(n.start <= found.start() < n.end for n in sentence.names)
                if word[0].isupper() and is_inside and not is_named:
                    places[word].append(sentence)
    for word, sentences in places.items():
        folded = word.casefold()
        if folded in known or word.lower() in written or len(word) <= _SHORTEST:
            continue
        for name, (spelt, person) in own.items():
            is_plural = folded.rstrip("s") == name.rstrip("s")
            if not is_plural and OSA.distance(folded, name, score_cutoff=1) == 1:
                first = story.sentences_of(person.id)
                if first and len(sentences) <= 2:
                    message = f"{word} is nearly {spelt}: the same person, or one easily mixed up?"
                    proofs = (first[0].evidence, sentences[0].evidence)
                    yield Finding("nearly", message, proofs, SLIP, (person.id,))
                break
