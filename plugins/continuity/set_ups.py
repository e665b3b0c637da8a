"""Set-ups that nothing takes up: what a reader is told to remember, and never hears of again.

true:  "She hid the brass key under the stone. She would need it."  …  no key ever after
false: "He locked the door."  (what everybody does to doors)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

from writeros_entities import Finding, Scene, Sentence, Story

from .words import words

_MARKERS = (
    re.compile(
        r"\b(?:would|will|shall|should|might|'ll|’ll|['’]d) (?:one day |soon |yet |surely |still )?"
        r"(?:need|want|be glad of|have need of|be sorry (?:for|about)|regret|come in useful"
        r"|matter)\b"
    ),
    re.compile(
        r"(?:\A\W*(?:\w+, )?|\b(?:must|you|you['’]ll|please) )"
        r"(?:remember|don['’]t forget|do not forget|never forget|mark) "
        r"(?:this|that|it|the|my|her|his|where|what)\b",
        re.I,
    ),
    re.compile(
        r"\b(?:kept|keeps?|keeping|save[ds]?|saving|puts? by|la(?:id|ys) by|sets? aside|store[ds]) "
        r"(?:it|them|that|this|one|(?:the|a|an|her|his|my) [\w -]{2,40}?) "
        r"(?:for|against|until|till|in case|safe|aside|back|by)\b",
        re.I,
    ),
    re.compile(
        r"\b(?:came|come|comes) in (?:useful|handy)"
        r"|\b(?:its|the|his|her|their) (?:day|hour|time|use) (?:would|will) come\b",
        re.I,
    ),
    re.compile(
        r"\b(?:would|will|shall|['’]ll|['’]d)\b[^.;!?]{0,60}?\b(?:before|by the time) "
        r"(?:[\w'’-]+ ){1,3}(?:was|is|were|are) (?:out|over|up|done|through)\b",
        re.I,
    ),
)
_PLACED = re.compile(
    r"\b(?:hid|hidden|hides?|hiding|lock(?:ed|s)|bur(?:ied|ies)|conceal(?:ed|s)|seal(?:ed|s)"
    r"|tuck(?:ed|s)|sewed|sewn|sews|stow(?:ed|s)|pocket(?:ed|s)|slip(?:ped|s)|entrust(?:ed|s))\s+"
    r"(?:the|a|an|her|his|their|my|one|two|three)\s+(?P<object>(?:[\w'’-]+\s+){0,3}?[\w'’-]+)"
    r"(?=\s+(?:in|into|under|behind|beneath|inside|away|at|on|among|between|where|to|up|down|for"
    r"|and|of|from|with|that|which|who|whom|I|he|she|they|we|you)\b|[.,;:—])",
    re.I,
)
_PHRASE = re.compile(
    r"\b(?:the|a|an|her|his|their|my|your|our|this|that|one|two|three|some)\s+"
    r"(?P<noun>(?:[a-z][\w'’-]*\s+){0,3}?[a-z][\w'’-]*)"
    r"(?=\s+(?:of|in|into|on|at|under|behind|beneath|from|with|for|to|that|which|who|and|or|but|was"
    r"|is|were|had|would|will|until|against|away|inside|where|when|as|by|between|among|lay|hung"
    r"|stood|she|he|they|it|up|down|back|if|so|because|out|off|over)\b|\s*[.,;:!?—–)\"”’]|\s*\Z)",
    re.I,
)
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
_HYPOTHETICAL = re.compile(r"\b(?:if|wish|as though|as if|not|never|nobody|no one)\b|n['’]t\b")

MARKED = 0.6
DONE = 0.4


def check(story: Story) -> Iterable[Finding]:
    """Return set-ups whose objects no later sentence names."""
    if not story.scenes:
        return
    later = _last_positions(story.scenes)
    last = story.scenes[-1]
    for scene in story.scenes:
        if (last.position or 0) <= (scene.position or 0):
            continue
        for index, (objects, confidence) in _one_of_each(_set_ups(scene)).items():
            proof = scene.sentences[index].evidence
            # A word or two more about it, in the next sentence, takes nothing up yet.
            here = (scene.position or 0, proof.start + 2 * len(proof.quote))
            if any(later.get(stem(noun), (0, 0)) > here for noun in objects):
                continue
            message = f"“{objects[-1]}” is set up here, and does not come up again."
            proofs = (proof, last.sentences[-1].evidence)
            quotes = (proof.quote,)
            yield Finding("not-taken-up", message, proofs, confidence, (), "hint", quotes)


def _one_of_each(
    set_ups: dict[int, tuple[list[str], float]],
) -> dict[int, tuple[list[str], float]]:
    """Return, of the set-ups of one object in a scene, the surest: hidden, and to be needed."""
    best: dict[str, int] = {}
    for index, (objects, confidence) in set_ups.items():
        known = best.setdefault(stem(objects[-1]), index)
        if confidence > set_ups[known][1]:
            best[stem(objects[-1])] = index
    return {index: set_ups[index] for index in sorted(best.values())}


def _set_ups(scene: Scene) -> dict[int, tuple[list[str], float]]:
    """Return what the sentences of a scene set up, and how sure that is, by their place."""
    found: dict[int, tuple[list[str], float]] = {}
    for index, sentence in enumerate(scene.sentences):
        if _HYPOTHETICAL.search(sentence.text):
            continue
        placed = list(_placed(sentence))
        if placed:
            found[index] = placed, DONE
        if any(marker.search(sentence.text) for marker in _MARKERS):
            about, objects = _objects(scene, index)
            if objects:
                found[about] = objects, MARKED
    return found


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return what a noun and its plural have in common."""
    word = word.casefold()
    for ending in ("ies", "es", "s", "y", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


_PLAIN = frozenset(
    stem(word)
    for word in words(
        "thing time day night hand way door room house place man men woman women boy girl child",
        "people face eye head mind heart world life year word one it them somebody nothing",
        "something anything everything part end side moment minute hour name breath voice work",
        "matter mother father brother sister husband wife light dark town sea use morning evening",
        "week month business truth story lot bit arm finger foot feet tear smile feeling",
        "cheek ear lip mouth neck throat shoulder knee hope fear joy love anger secret",
    )
)
"""Nouns, by stem, that are in every chapter: no object of a set-up can be told by them."""


def _last_positions(scenes: Iterable[Scene]) -> dict[str, tuple[int, int]]:
    """Return the last place of every word: position and offset."""
    last: dict[str, tuple[int, int]] = {}
    for scene in scenes:
        for sentence in scene.sentences:
            place = (scene.position or 0, sentence.evidence.start)
            for word in {*_WORD.findall(sentence.text.casefold())}:
                last[stem(word)] = place
                if "-" in word:
                    last.update((stem(part), place) for part in word.split("-"))
    return last


def _placed(sentence: Sentence) -> Iterator[str]:
    """Yield what a sentence has put away: "hid the brass key"."""
    for found in _PLACED.finditer(sentence.narration):
        noun = found["object"].split()[-1].strip("'’")
        if noun.isalpha() and stem(noun) not in _PLAIN:
            yield noun


def _objects(scene: Scene, index: int) -> tuple[int, list[str]]:
    """Return the nouns that a marked sentence is about, and their place: if it has none, before it.

    Of several, those that it comes back to ("a button … that button") are what it is about.
    """
    own = _nouns(scene.sentences[index].text)
    again = [noun for noun, count in Counter(own).items() if count > 1]
    if own or index == 0:
        return index, again or own
    before = scene.sentences[index - 1]
    is_near = before.paragraph == scene.sentences[index].paragraph
    return index - 1, _nouns(before.text) if is_near else []


def _nouns(text: str) -> list[str]:
    nouns = [found["noun"].split()[-1].casefold() for found in _PHRASE.finditer(text)]
    return [noun for noun in nouns if noun.isalpha() and len(noun) > 2 and stem(noun) not in _PLAIN]
