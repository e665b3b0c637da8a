"""Find names that are written in two ways: one is the vault's, the other most likely a slip.

true:  "Jynx hired him" in one sheet, where everybody else calls him Jinx
true:  "the Thyrm Gate" beside the note "Thrym Gate"
false: "the Kadizans" beside Kadizar: an ending is no slip
false: "in Brenton" beside Miss Trenton: another first letter is another name
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from writeros_entities import Evidence, Finding, Story, StoryEntity

from ..discovery.words import CALENDAR, PEOPLES
from ..english import ARTICLES, COMMON_WORDS, MONTHS_AND_DAYS, PARTICLES, TITLES

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_NO_SLIPS = (
    TITLES
    | PARTICLES
    | ARTICLES
    | COMMON_WORDS
    | MONTHS_AND_DAYS
    | {word.casefold() for word in CALENDAR | PEOPLES | {"Christ", "Old", "Young", "Of"}}
)
_VOWELS = frozenset("aeiouyàáâäãèéêëìíîïòóôöõùúûü")
_DOUBLE = re.compile(r"(\w)\1")
_POSSESSIVE = re.compile(r"['’]s?$")

_SHORTEST = 4
_SHORTEST_CHANGED = 5
_SHORTEST_LEFT_OUT = 7
"""Letters of the shortest names, and of those in which a letter may be changed or left out."""
_OFTEN: Mapping[str, int] = {"noted": 1, "linked": 1, "known": 1, "suggested": 3}
"""Places that must have a name before slips of it are looked for, by the entity's status."""
_SHARE = 4
"""How many times as often as a slip a name is written, if the slip is written more than twice."""
_RARE = 2

SLIP = 0.55


@dataclass(slots=True)
class _Written:
    """A word with a capital, and the places that have it; it `stands_inside` one of them."""

    word: str
    places: list[Evidence] = field(default_factory=list)
    stands_inside: bool = False


def check(story: Story) -> Iterator[Finding]:
    """Return each word that is nearly a name of the vault, and written more seldom, once."""
    written, small = _words(story)
    names = _names(story, written, small)
    heard: dict[str, list[str]] = defaultdict(list)
    for name in names:
        for key in _keys(name):
            heard[key].append(name)
    known = _known(story)
    for folded, found in written.items():
        if folded in known or folded in small or folded in _NO_SLIPS or len(folded) < _SHORTEST:
            continue
        near = {name for key in _keys(folded) for name in heard.get(key, ())}
        meant = [name for name in near if is_slip(folded, name, inside=found.stands_inside)]
        if len(meant) == 1 and _is_rarer(found, written[meant[0]], names[meant[0]]):
            yield _finding(found, written[meant[0]], names[meant[0]])


def _finding(slip: _Written, name: _Written, entity: StoryEntity) -> Finding:
    message = f"{slip.word} is nearly {name.word}: the same in another spelling?"
    proofs = (name.places[0], slip.places[0])
    words = tuple(sorted((slip.word, name.word)))
    return Finding("spelling", message, proofs, SLIP, (entity.id,), words=words)


def _words(story: Story) -> tuple[dict[str, _Written], set[str]]:
    """Return the words with a capital, folded, and those that are written without one."""
    written: dict[str, _Written] = {}
    small = set()
    for text, place in _texts(story):
        for found in _WORD.finditer(text):
            word = _POSSESSIVE.sub("", found[0])
            if not word[0].isupper():
                small.add(_fold(word))
            elif len(word) >= _SHORTEST:
                one = written.setdefault(_fold(word), _Written(word))
                one.places.append(place)
                one.stands_inside |= _stands_inside(text, found)
    return written, small


def _texts(story: Story) -> Iterator[tuple[str, Evidence]]:
    """Yield the sentences of all notes, then what their properties say, each with its place."""
    for scene in (*story.scenes, *story.sections):
        for sentence in scene.sentences:
            yield sentence.text, sentence.evidence
    for entity in story.entities.values():
        for stated in entity.properties:
            yield stated.value, stated.evidence


def _stands_inside(text: str, word: re.Match[str]) -> bool:
    """Say whether a word has its capital for another reason than that it begins a sentence."""
    before = text[max(0, word.start() - 2) : word.start()].rstrip()[-1:]
    return before.isalpha() or before == "," or text[word.end() + 1 :][:1].isupper()


def _fold(word: str) -> str:
    """Return a word in lower case, with one kind of apostrophe."""
    return word.casefold().replace("’", "'")


def _names(
    story: Story, written: Mapping[str, _Written], small: Iterable[str]
) -> dict[str, StoryEntity]:
    """Return the words of names that are written often enough, each with its entity."""
    found: dict[str, StoryEntity] = {}
    for entity in story.entities.values():
        for word in _words_of(entity):
            name = written.get(_fold(word))
            if name is None or not word[0].isupper() or _fold(word) in small:
                continue
            if len(name.places) >= _OFTEN[entity.status]:
                found.setdefault(_fold(word), entity)
    return {word: entity for word, entity in found.items() if word not in _NO_SLIPS}


def _known(story: Story) -> set[str]:
    """Return the words of all that has a note: they are meant as they are written."""
    noted = (entity for entity in story.entities.values() if entity.status == "noted")
    return {_fold(word) for entity in noted for word in _words_of(entity)}


def _words_of(entity: StoryEntity) -> Iterator[str]:
    for form in (entity.name, *(name.form for name in entity.names if name.kind != "link_text")):
        yield from _WORD.findall(form)


def _is_rarer(slip: _Written, name: _Written, entity: StoryEntity) -> bool:
    """Say whether a name is written more often than its slip; its note counts as one place."""
    often, count = len(name.places) + (entity.status == "noted"), len(slip.places)
    return count < often and (count <= _RARE or count * _SHARE <= often)


def _keys(word: str) -> set[str]:
    """Return what two words of which one is a slip of the other share: as spoken, without one
    letter (or none).
    """
    return {_spoken(word)} | {word[:at] + word[at + 1 :] for at in range(1, len(word))} | {word}


def is_slip(one: str, other: str, *, inside: bool) -> bool:
    """Say whether two words are one but for the hand that wrote them.

    They sound the same, or two neighbouring letters are swapped; in longer words, a vowel or
    another letter is changed, or one is left out. The first and the last letter are the same
    (another ending is another word), but for one that is doubled. Letters that are changed or left
    out are taken for a slip only of a word that does not merely begin sentences.
    """
    if one[0] != other[0] or one == other:
        return False
    if _spoken(one) == _spoken(other):
        return True
    if one[-1] != other[-1]:
        return False
    if len(one) == len(other):
        places = [at for at, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
        if len(places) == 2 and places[1] == places[0] + 1:
            first, second = places
            return one[first] == other[second] and one[second] == other[first]
        if len(places) != 1 or not inside:
            return False
        are_vowels = one[places[0]] in _VOWELS and other[places[0]] in _VOWELS
        return len(one) >= _SHORTEST_CHANGED + (0 if are_vowels else 1)
    shorter, longer = sorted((one, other), key=len)
    return (
        inside
        and len(longer) == len(shorter) + 1
        and len(longer) >= _SHORTEST_LEFT_OUT
        and any(longer[:at] + longer[at + 1 :] == shorter for at in range(1, len(longer) - 1))
    )


def _spoken(word: str) -> str:
    """Return a rough pronunciation: `y` as `i`, `ph` as `f`, no `h` inside, single letters."""
    return _DOUBLE.sub(
        r"\1", word[0] + word[1:].replace("ph", "f").replace("h", "").replace("y", "i")
    )
