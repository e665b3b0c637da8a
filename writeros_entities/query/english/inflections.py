"""What search needs of English: stop words, and the inflected forms of a word."""

from __future__ import annotations

from functools import lru_cache

from writeros_entities.query.english.irregular import GROUPS, HEADWORDS

_TELLING_NOTHING = """
a about after all also am an and any are as at be because been before being but by can could did
do does doing for from had has have he her here hers him his how i if in into is it its just me
more most my no nor not of on one or our out over she should so some such than that the their
them then there these they this those through to under up us was we were what when where which
while who whom whose why will with would you your
"""
STOP_WORDS = frozenset(_TELLING_NOTHING.split())
"""Words that carry no meaning of their own in a query: articles, pronouns, auxiliaries and so on.
"""

SHORTEST = 3
"""The fewest letters that must remain when an ending is removed."""

_VOWELS = frozenset("aeiouy")
_HISSING = ("s", "x", "z", "ch", "sh")


@lru_cache(maxsize=1_024)
def inflections(word: str) -> tuple[tuple[str, ...], ...]:
    """Return a word and its possible inflections, each as a phrase of one word.

    `walks` gives `walk`, `walked` and `walking` too, and `gave` gives `give` and `given`. Regular
    forms follow from spelling alone, so some are not words; no index contains those. A word with
    letters other than a-z, a stop word and a word of fewer than `SHORTEST` letters have no other
    forms.
    """
    if not (word.isascii() and word.isalpha()) or word in STOP_WORDS or len(word) < SHORTEST:
        return ((word,),)
    forms = {word}
    for stem in _stems(word) | set(HEADWORDS.get(word, ())):
        forms |= _forms(stem) | set(GROUPS.get(stem, ()))
    return tuple((form,) for form in sorted(forms))


def _stems(word: str) -> set[str]:
    stems = {word}
    if word.endswith(("ies", "ied")):
        stems |= {word[:-3] + "y", word[:-1]}
    elif word.endswith("es") and word[:-2].endswith((*_HISSING, "o")):
        stems |= {word[:-2], word[:-1]}
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        stems.add(word[:-1])
    elif word.endswith("ed"):
        stems |= _unended(word[:-2])
    elif word.endswith("ing"):
        stems |= _unended(word[:-3])
    return {stem for stem in stems - STOP_WORDS if len(stem) >= SHORTEST and _VOWELS & set(stem)}


def _unended(rest: str) -> set[str]:
    """Return the possible stems before `-ed` or `-ing`: `walk`, `stare`, `row` or `stop`."""
    if not _VOWELS & set(rest):
        return set()
    stems = {rest, rest + "e"}
    if len(rest) > SHORTEST and rest[-1] == rest[-2]:
        stems.add(rest[:-1])
    return stems


def _forms(stem: str) -> set[str]:
    forms = {stem, stem + "ed", stem + "ing"}
    forms.add(stem + "es" if stem.endswith(_HISSING) else stem + "s")
    if stem.endswith("ie"):
        forms |= {stem + "d", stem[:-2] + "ying"}
    elif stem.endswith("e"):
        forms |= {stem + "d", stem[:-1] + "ing"}
    elif stem.endswith("o"):
        forms.add(stem + "es")
    elif stem.endswith("y"):
        forms |= {stem[:-1] + "ies", stem[:-1] + "ied"}
    elif stem[-1] not in _VOWELS and stem[-2] in _VOWELS:
        forms |= {stem + stem[-1] + "ed", stem + stem[-1] + "ing"}
    return forms
