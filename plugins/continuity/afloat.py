"""Afloat or ashore: shows that two places differ if neither is an entity of the vault.

true:  "On the quay Ann was coiling rope." … "Ann sat on the wet deck and was sick."
false: "Ann sat in the kitchen." … "Ann stood in the garden." (a door is enough)
false: "Ann sat on the deck." … "Ann stood in the kitchen." (without a ship, it is that of a house)
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from writeros_entities import NamedSpan, Scene, Sentence, Tense

from ..word_lists import words
from .verbs import HABIT, IN_MIND, is_in_tense

_DECK = "deck"
"""A noun for a part of a ship, or of a house."""

_GROUNDS = {
    "afloat": words(
        "ship brig schooner sloop cutter frigate galley ferry barge yacht lugger ketch boat raft",
        "rowboat steamer deck quarterdeck forecastle foredeck poop bowsprit masthead rigging",
        "gunwale thwart",
    ),
    "ashore": words(
        "rock rocks beach shore strand sand shingle quay pier wharf jetty dock street lane road",
        "square market house cottage kitchen parlour attic cellar stable barn garden",
        "orchard inn tavern shop church chapel churchyard graveyard tower castle prison lock-up",
        "gaol hill field meadow moor marsh forest wood causeway courtroom",
    ),
}
_GROUND = {noun: ground for ground, nouns in _GROUNDS.items() for noun in nouns}
_FUNCTION = (
    r"(?:a|an|and|as|at|before|behind|below|beneath|beside|between|but|by|for|from|in|into|like|near"
    r"|of|off|on|opposite|or|over|she|he|they|than|that|the|then|there|through|till|to|under|until"
    r"|up|down|upon|when|where|which|while|who|with|without|again|all|alone|still|too|now)\b"
)
"""Matches a word that ends the noun phrase before it."""
_NOUN = "|".join(sorted(_GROUND, key=len, reverse=True))
_WHERE = (
    r"\b(?:in|on|at|aboard|inside|upon|under)\s+(?:the|a|an|her|his|their)\s+"
    rf"(?!same\b)(?P<what>(?:[\w'’-]+\s+){{0,3}}?)(?P<noun>{_NOUN})\b(?!['’-])"
    rf"(?!\s+(?!{_FUNCTION})[a-z]\w*(?<!ly|ed)(?<!ing)\b)"
    rf"(?P<of>(?:\s+(?:of|in|on|aboard)\s+(?:the|a|an|her|his|their)\s+(?:{_NOUN})\b)?)"
)
"""Matches words for where somebody is, up to a noun that is not followed by another."""
_BEHIND = re.compile(
    r"(?:,\s+\w+(?:ed|ing)\b|\s+(?:was|were|sat|stood|lay|knelt|slept|waited|worked|leaned|leant|"
    r"crouched|clung|held|is|are|sits|stands|lies|kneels|sleeps|waits|works|leans|crouches|clings|"
    rf"holds)\b)[^.;:!?]{{0,60}}?{_WHERE}"
)
_IN_FRONT = re.compile(rf"\A[^.;:!?]{{0,40}}?{_WHERE},?\s+\Z", re.IGNORECASE)
_IS_DOING = re.compile(
    r"\A[^.;:!?]{0,60}?\s(?:was|were|sat|stood|lay|knelt|slept|waited|worked"
    r"|is|are|sits|stands|lies|kneels|sleeps|waits|works)\b"
)
_NO_STAY = re.compile(
    r"\b(?:into|onto|to|towards?|from|off|if|would|could|will|th(?:ought|inks)|dream\w*"
    r"|look(?:ed|s)|saw|sees|watche[ds])\b"
)


_AT_SEA = (*(noun for noun in _GROUNDS["afloat"] if noun != _DECK), "sails?", "sailors?", "masts?")
_VESSEL = re.compile(rf"\b(?:{'|'.join(_AT_SEA)})\b", re.IGNORECASE)


def ground_of(sentence: Sentence, person: NamedSpan, tense: Tense | None) -> tuple[str, str] | None:
    """Return whether a sentence places a person afloat or ashore, with the noun that shows it."""
    text = sentence.narration
    for found in _places(text, person):
        span = text[min(found.start(), person.start) : max(found.end(), person.end)]
        names = [name for name in sentence.names if person.end <= name.start < found.end()]
        is_told = is_in_tense(text, person.end, tense) and not HABIT.search(text)
        is_there = not (_NO_STAY.search(span) or IN_MIND.search(text))
        if is_told and is_there and not names and not _is_elsewhere(found):
            noun = found["noun"].casefold()
            return _GROUND[noun], noun
    return None


def is_of_house(noun: str, scene: Scene) -> bool:
    """Say whether a noun may mean a part of a house, as the scene names no ship or boat."""
    return noun == _DECK and not any(_VESSEL.search(one.text) for one in scene.sentences)


def _is_elsewhere(found: re.Match[str]) -> bool:
    """Say whether a noun stands with one for the other ground: "the kitchen of the boat"."""
    beside = re.findall(r"[a-z-]+", f"{found['what']} {found['of']}".casefold())
    grounds = {_GROUND[word] for word in beside if word in _GROUND}
    return bool(grounds - {_GROUND[found["noun"].casefold()]})


def _places(text: str, person: NamedSpan) -> Iterator[re.Match[str]]:
    behind = _BEHIND.match(text, person.end)
    if behind:
        yield behind
    front = _IN_FRONT.match(text[: person.start])
    if front and _IS_DOING.match(text[person.end :]):
        yield front
