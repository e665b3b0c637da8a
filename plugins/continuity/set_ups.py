"""Set-ups that nothing takes up: what a reader is told to remember, and never hears of again.

true:  "She hid the brass key under the stone. She would need it."  …  no key ever after
false: "He locked the door."  (what everybody does to doors)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from writeros_plugins.continuity.words import words

from writeros_entities import Finding, Scene, Sentence, Story

_MARKERS = (
    re.compile(
        r"\b(?:would|will|shall|should|might|'ll|’ll|['’]d) (?:one day |soon |yet |surely |still )?"
        r"(?:need|want|be glad of|have need of|be sorry (?:for|about)|regret|come in useful|matter)\b"
    ),
    re.compile(
        r"\b(?:remember|don['’]t forget|do not forget|never forget|mark) (?:this|that|it|the|my|her|his|where|what)\b",
        re.I,
    ),
    re.compile(
        r"\b(?:kept|keep|keeping|saved?|saving|put by|laid by|set aside|stored) (?:it|them|that|this|one|(?:the|a|an|her|his|my) [\w -]{2,40}?) "
        r"(?:for|against|until|till|in case|safe|aside|back|by)\b",
        re.I,
    ),
    re.compile(
        r"\b(?:came|come|comes) in (?:useful|handy)|\b(?:its|the|his|her|their) (?:day|hour|time|use) (?:would|will) come\b",
        re.I,
    ),
    re.compile(
        r"\b(?:for|until|against) (?:the|that|a) (?:day|hour|time|night) (?:when|that|it|she|he|they|of need)\b",
        re.I,
    ),
)
_DEEDS = re.compile(
    r"\b(?:(?:promis|vow)(?:ed|es|ing)?|swore|sworn|swear|pledged|hid|hides?|hidden|hiding|locked|buried"
    r"|concealed|sealed|slipped|tucked|sewed|sewn|stowed|pocketed|entrusted|bequeathed|loaded)\b",
    re.I,
)
_PLACED = re.compile(
    r"\b(?:hid|hidden|hides?|hiding|locked|buried|concealed|sealed|tucked|sewed|sewn|stowed|pocketed|slipped"
    r"|entrusted)\s+(?:it|them|(?P<object>(?:the|a|an|her|his|their|my|one|two|three)\s+[^.,;:—]+?))"
    r"(?=\s+(?:in|into|under|behind|beneath|inside|away|at|on|among|between|where|to|up|down|for|and)\b|[.,;:—])",
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
_PLAIN = frozenset(
    words(
        "thing things time times day days night nights hand hands way ways door doors",
        "room house place man woman boy girl child people face eyes eye head mind heart",
        "world life year years word words one it them somebody nothing something anything",
        "everything part end side moment minute hour name breath voice work matter mother",
        "father brother sister husband wife light dark town sea use day morning evening",
        "week month business truth story lot bit",
    )
)
_HYPOTHETICAL = re.compile(r"\b(?:if|wish|as though|as if|not|never|nobody|no one)\b|n['’]t\b")
_LEAST_LATER = 1

MARKED = 0.6
DONE = 0.4


class UnresolvedSetUp:
    """Something is set up with emphasis, and does not come up again."""

    name = "unresolved-set-up"

    def check(self, story: Story) -> Iterable[Finding]:
        """Return set-ups whose objects no later sentence names."""
        scenes = story.scenes
        later = _last_positions(scenes)
        if not scenes:
            return
        last = scenes[-1]
        for scene in scenes:
            rest = (last.position or 0) - (scene.position or 0)
            if rest < _LEAST_LATER:
                continue
            for index, sentence in enumerate(scene.sentences):
                marked = any(marker.search(sentence.text) for marker in _MARKERS)
                objects = _objects(scene, index) if marked else list(_placed(sentence))
                if not objects or _HYPOTHETICAL.search(sentence.text):
                    continue
                place = (scene.position or 0, sentence.evidence.start)
                window = (place[0], place[1] + len(sentence.evidence.quote) * 2)
                if any(later.get(stem(noun), (0, 0)) > window for noun in objects):
                    continue
                what = objects[-1]
                message = f"“{what}” is set up here, and does not come up again."
                proofs = (sentence.evidence, last.sentences[-1].evidence)
                yield Finding("not-taken-up", message, proofs, MARKED if marked else DONE)


def stem(word: str) -> str:
    """Return what a noun and its plural have in common."""
    word = word.casefold()
    for ending in ("ies", "es", "s", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


def _last_positions(scenes: Iterable[Scene]) -> dict[str, tuple[int, int]]:
    """Return the last place of every word: position and offset."""
    last: dict[str, tuple[int, int]] = {}
    for scene in scenes:
        for sentence in scene.sentences:
            place = (scene.position or 0, sentence.evidence.start)
            for word in _WORD.findall(sentence.text.casefold()):
                for part in {word, *word.split("-")}:
                    last[stem(part)] = place
    return last


def _placed(sentence: Sentence) -> Iterator[str]:
    """Yield what a sentence has put away: "hid the brass key"."""
    for found in _PLACED.finditer(sentence.narration):
        if found["object"]:
            noun = found["object"].split()[-1].strip("'’\"”")
            if noun.casefold() not in _PLAIN and noun.isalpha():
                yield noun


def _objects(scene: Scene, index: int) -> list[str]:
    """Return the nouns that a marked sentence, and the one before it, are about, in order."""
    sentences = scene.sentences[max(0, index - 1) : index + 1]
    found = [
        noun
        for sentence in sentences
        if sentence.paragraph == scene.sentences[index].paragraph
        for noun in _nouns(sentence.text)
    ]
    own = _nouns(scene.sentences[index].text)
    return own or found


def _nouns(text: str) -> list[str]:
    nouns = [found["noun"].split()[-1].casefold() for found in _PHRASE.finditer(text)]
    return [noun for noun in nouns if noun not in _PLAIN and noun.isalpha() and len(noun) > 2]
