"""Determine the tense in which a scene is narrated: "Ann laughed", or "Ann laughs".

    with_tenses(scenes)[0].tense        # "past" or "present"; None for a section of another note

Finite verbs outside speech are counted: *was*, *had*, *did*, *is*, *has*, *does* and the like
anywhere, other verbs directly after a name or a pronoun. The more frequent tense wins; a tie is
decided by the chapter, then by the book, then as past. General truths in a past narration ("fools
die young") and memories in a present one are outvoted in this way.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from writeros_entities.query.english.irregular import GROUPS, PAST_FORMS

if TYPE_CHECKING:
    from writeros_entities.story import Scene
    from writeros_entities.values import Tense

_ANYWHERE: Mapping[Tense, tuple[str, ...]] = {
    "past": (" was ", " were ", " had ", " did "),
    "present": (" is ", " are ", " am ", " has ", " does "),
}
_ADVERB = r"(?:(?:\w+ly|then|only|just|still|never|always|also|again) )?"
_BEHIND_PRONOUN = re.compile(
    r"\b(?:(?P<one>he|she|it|who)|i|we|they|there|that)"
    rf"(?:(?P<short>['’](?:s|m|re|ve)\b)| {_ADVERB}(?P<verb>[a-z]+))"
)
_BEHIND_NAME = re.compile(rf"(?:,[^,.;:]{{1,60}},)? {_ADVERB}([a-z]+)")
_COUNTED = frozenset(word.strip() for words in _ANYWHERE.values() for word in words)
_PLURALS = (frozenset(GROUPS) - PAST_FORMS) | {"have", "do"}
"""Present forms that may follow *I* or *they*. Regular verbs are not listed: they look like nouns.
"""

_WORDS_IN_S = """
across afterwards always as backwards besides downstairs downwards forwards hers his its less
nevertheless ours perhaps plus sometimes theirs this thus towards unless upstairs upwards us yes
"""
_NO_VERBS = frozenset(_WORDS_IN_S.split())
"""Words in -s that may follow a name and are not verbs."""


def with_tenses(scenes: Iterable[Scene]) -> tuple[Scene, ...]:
    """Return the scenes, with the narration's tense set on those of the manuscript."""
    counted = [(scene, _count(scene) if scene.position is not None else None) for scene in scenes]
    chapters: dict[str, Counter[Tense]] = {}
    book: Counter[Tense] = Counter()
    for scene, count in counted:
        if count is not None:
            chapters.setdefault(scene.path, Counter()).update(count)
            book.update(count)
    return tuple(
        scene
        if count is None
        else replace(
            scene, tense=_most(count) or _most(chapters[scene.path]) or _most(book) or "past"
        )
        for scene, count in counted
    )


def _most(count: Counter[Tense]) -> Tense | None:
    if count["past"] == count["present"]:
        return None
    return "past" if count["past"] > count["present"] else "present"


def _count(scene: Scene) -> Counter[Tense]:
    """Return the number of finite verbs of each tense in a scene's narration."""
    text = f" {' '.join(sentence.narration for sentence in scene.sentences)} ".lower()
    count = Counter(_count_words(text))
    for sentence in scene.sentences:
        for name in sentence.names:
            found = None if name.is_spoken else _BEHIND_NAME.match(sentence.narration, name.end)
            if found:
                count.update(_tense(found[1], is_of_one=True))
    return count


@lru_cache(maxsize=512)
def _count_words(text: str) -> Mapping[Tense, int]:
    """Return the verbs of each tense in a text in lower case, those behind names aside."""
    count = Counter({tense: sum(map(text.count, words)) for tense, words in _ANYWHERE.items()})
    for is_one, short, verb in _BEHIND_PRONOUN.findall(text):
        count.update(("present",) if short else _tense(verb, is_of_one=bool(is_one)))
    return count


def is_present_verb(word: str) -> bool:
    """Say whether a word after a name, "she" or "he" may be a verb in the present tense."""
    return word.endswith("s") and not word.endswith("ss") and word not in _NO_VERBS


def _tense(verb: str, *, is_of_one: bool) -> Iterable[Tense]:
    """Return the tense of a word that may be a verb, or nothing if it is counted elsewhere."""
    if verb in _COUNTED:
        return ()
    if verb in PAST_FORMS or verb.endswith("ed"):
        return ("past",)
    is_present = is_present_verb(verb) if is_of_one else verb in _PLURALS
    return ("present",) if is_present else ()
