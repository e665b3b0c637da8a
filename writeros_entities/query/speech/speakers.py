"""Find the speeches of a scene, each with its speaker if the text makes that certain.

    for speech in find_speeches(scene, {ann.id: "f", ben.id: "m"}):
        print(speech.speaker, speech.text)

Four rules are tried, the most reliable first:

- tag: words beside the speech ("said Ann", "Ann said", "Ann said at last:", "ANN:");
- goes on: the unclosed speech of the previous paragraph is continued;
- beat: the person who acts in the paragraph's narration speaks;
- turn: two people alternate, and the turns before and after agree.

Only English is supported. If two speakers are possible, none is given.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from writeros_entities.query.speech.alternation import with_alternating
from writeros_entities.query.speech.beats import find_beat
from writeros_entities.query.speech.paragraphs import Paragraph, People, read_paragraphs
from writeros_entities.query.speech.subjects import Subjects
from writeros_entities.query.speech.tags import find_tags
from writeros_entities.query.speech.turns import NAMELESS, Turn
from writeros_entities.story import Scene, Speech


def with_speeches(scenes: Iterable[Scene], people: People) -> tuple[Scene, ...]:
    """Return the scenes with their speeches."""
    return tuple(replace(scene, speeches=find_speeches(scene, people)) for scene in scenes)


def find_speeches(scene: Scene, people: People) -> tuple[Speech, ...]:
    """Return the speeches of a scene, in order, each with its speaker if that is certain."""
    paragraphs = read_paragraphs(scene, people)
    turns: list[Turn] = []
    subjects = Subjects(scene, people, paragraphs, turns)
    for at in range(len(paragraphs)):
        turns.append(_turn(subjects, at, turns))
    return tuple(
        speech
        for paragraph, turn in zip(paragraphs, with_alternating(turns, paragraphs), strict=True)
        for speech in _speeches(paragraph, turn)
    )


def _turn(subjects: Subjects, at: int, turns: Sequence[Turn]) -> Turn:
    """Return the turn of a paragraph by its tags, by continuation, or by its beats."""
    turn = find_tags(subjects, at)
    if not turn.rule and at and _is_continued(subjects.paragraphs, at):
        paragraph = subjects.paragraphs[at]
        return Turn((turns[-1].speaker,) * len(paragraph.spans), "goes on")
    return turn if turn.rule else find_beat(subjects, at)


def _is_continued(paragraphs: Sequence[Paragraph], at: int) -> bool:
    before, here = paragraphs[at - 1], paragraphs[at]
    return before.goes_on and bool(here.spans) and not here.text[: here.spans[0][0]].strip()


def _speeches(paragraph: Paragraph, turn: Turn) -> Iterable[Speech]:
    for (start, end), speaker in zip(paragraph.spans, turn.speakers, strict=True):
        named = None if speaker in NAMELESS else speaker
        yield Speech(
            paragraph.text[start:end],
            paragraph.number,
            paragraph.sentence_at(start),
            paragraph.sentence_at(max(start, end - 1)),
            named,
            turn.rule if named else None,
        )
