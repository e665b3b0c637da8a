"""What the words of scenes tell apart from names: their time, set-ups, and voices."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from writeros_entities.story.continuity import HOOK, paths_of, run_rule
from writeros_entities.values.story import Scene, Sentence, Speech, Story

if TYPE_CHECKING:
    from writeros_entities.story.scene_people import People
    from writeros_entities.values import Finding
    from writeros_entities.view import View

SET_UP_RULE = "unresolved-set-up"
"""The continuity rule that finds set-ups."""

_DAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_PART = r"(?:night|morning|evening|afternoon|dusk|dawn|day|noon|midnight|eve)"
_SEASON = r"(?:spring|summer|autumn|winter|Easter|Christmas|Lent|Michaelmas|equinox|solstice)"
_NOT_NOW = re.compile(r"\b(?:would|will|shall|had been|used to|every)\b")
OPENING = 3
"""How many paragraphs at the start of a scene are searched for its time."""

_FUNCTION = (
    r"(?:an?|the|and|when|she|he|they|it|there|was|were|had|is|are|has|in|on|at|to|by|of|with)\b"
)
_WHEN = re.compile(
    r"\b(?:[Oo]n|[Ii]n|[Aa]t|[Bb]y|[Tt]hat|[Ii]t (?:was|is)|[Ii]t['’]s|[Nn]ext|[Bb]efore|[Aa]fter)"
    rf"\s+(?:the\s+|a\s+|last\s+|next\s+|that\s+)?(?:[\w-]+\s+){{0,2}}?"
    rf"(?:{_DAY}(?:\s+{_PART})?|{_PART}|{_SEASON})\b"
    rf"(?:\s+(?:of|before|after)\s+(?:the\s+)?[\w-]+(?:\s+(?!{_FUNCTION})[a-z][\w-]+)?)?"
)
SHORTEST, LONGEST = 6, 60
"""The fewest and most words of a passage that is quoted as an example of a voice."""

ENOUGH = 40
"""The number of words beyond which a longer passage is not preferred."""


def time_phrase(scenes: Iterable[Scene]) -> tuple[Sentence, int, int] | None:
    """Return the first sentence in a scene's opening that states a time, and the span of the
    phrase.
    """
    for scene in scenes:
        for sentence in scene.sentences:
            if sentence.paragraph - scene.sentences[0].paragraph >= OPENING:
                break
            found = _WHEN.search(sentence.narration)
            if found and not _NOT_NOW.search(sentence.narration):
                return sentence, found.start(), found.end()
    return None


def find_set_ups(view: View, scenes: Sequence[Scene], people: People) -> list[Finding]:
    """Return the set-ups that are not taken up by the last of the scenes, the last one first.

    The continuity rule `SET_UP_RULE` finds them; if no plugin provides it, there are none. Raises
    as `run_rule`.
    """
    rule = view.plugins.named(HOOK).get(SET_UP_RULE)
    if rule is None or not scenes:
        return []
    story = Story(people.persons, tuple(scenes))
    found = run_rule(rule, story, paths_of(story))
    return sorted(found, key=lambda one: (-(one.evidence[0].position or 0), one.evidence[0].start))


@dataclass(frozen=True, slots=True)
class Passage:
    """What a person says in one paragraph, and the first and last sentence of it."""

    speaker: str
    text: str
    first: Sentence
    last: Sentence

    @property
    def words(self) -> int:
        """The number of its words."""
        return len(self.text.split())


def find_voices(scenes: Iterable[Scene], number: int) -> Mapping[str, Sequence[Passage]]:
    """Return, by speaker, at most `number` passages that show how she or he talks, best first.

    `scenes` are in order of preference. A second passage of a note is taken only when every note
    has given one.
    """
    by_speaker: dict[str, list[tuple[Passage, int]]] = defaultdict(list)
    notes: dict[str, int] = {}
    for scene in scenes:
        note = notes.setdefault(scene.path, len(notes))
        for passage in _passages(scene):
            if SHORTEST <= passage.words <= LONGEST:
                by_speaker[passage.speaker].append((passage, note))
    return {
        speaker: [passage for passage, _ in _best(found, number)]
        for speaker, found in by_speaker.items()
    }


def _best(found: list[tuple[Passage, int]], number: int) -> list[tuple[Passage, int]]:
    ranked = sorted(
        found, key=lambda one: (-min(one[0].words, ENOUGH), one[1], one[0].first.evidence.start)
    )
    taken: list[tuple[Passage, int]] = []
    for one in [*ranked, *ranked]:
        notes = {note for _, note in taken}
        is_new = one not in taken and (one[1] not in notes or len(notes) == _notes_of(found))
        if is_new and len(taken) < number:
            taken.append(one)
    return taken


def _notes_of(found: Iterable[tuple[Passage, int]]) -> int:
    return len({note for _, note in found})


def _passages(scene: Scene) -> Iterable[Passage]:
    by_paragraph: dict[tuple[int, str], list[Speech]] = defaultdict(list)
    for speech in scene.speeches:
        if speech.speaker is not None:
            by_paragraph[speech.paragraph, speech.speaker].append(speech)
    for (_, speaker), speeches in by_paragraph.items():
        text = " — ".join(speech.text for speech in speeches)
        first, last = scene.sentences[speeches[0].first], scene.sentences[speeches[-1].last]
        yield Passage(speaker, text, first, last)
