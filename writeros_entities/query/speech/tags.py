"""Tags: words beside a speech that name its speaker, as "said Ann" or "Ann said at last:"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from writeros_entities.query.speech.beats import actor_before
from writeros_entities.query.speech.subjects import ALOUD, SAYING, skip
from writeros_entities.query.speech.turns import SOMEBODY, Turn
from writeros_entities.vault.sentences.speech import SAYING_OF_I

if TYPE_CHECKING:
    from writeros_entities.query.speech.subjects import Subjects

_ADVERB = r"(?:\w+ly|then|at last|again|only|just|had|afterwards?|now|never|kept)"
_VERB_FIRST = re.compile(rf"[\s,—–-]*(?:{_ADVERB}\s+)?{SAYING}\s+(?:(?:at last|\w+ly|then)\s+)?")
_UNLISTED = re.compile(r"\s+(?P<verb>[a-z]+)\s+(?=[^\W\d_])")
_SAYS = re.compile(
    rf"(?:,[^,.;:\"“”]{{1,40}},)?(?:\s+{_ADVERB})*\s+(?:{SAYING}|saying|told|tells|thought|thinks)\b"
    rf"{ALOUD}"
)
_PRONOUNS = re.compile(r"\b(?:she|he|She|He|I)\b")
_BEFORE_SAYING = (
    r"(?:\s+[a-z]+(?:\s+(?!(?:that|who|which|what|as|when|while|if|because|he|she|they|I|it)\b)"
    r"[\w'’-]+){0,12}?,?\s+and)?"
)
"""What a person may do before saying something: "Ann sat down and said:"."""


def _introducing(verbs: str) -> re.Pattern[str]:
    """Match what follows the subject before a speech: "Ann sat down and said:"."""
    return re.compile(
        rf"(?:,[^,.;:\"“”]{{1,40}},)?{_BEFORE_SAYING}(?:\s+{_ADVERB})*\s+{verbs}\b"
        r"[^.!?\"“”]{0,70}[,:—–]\s*\Z"
    )


_INTRODUCES = _introducing(SAYING)
_INTRODUCES_MINE = _introducing(rf"(?:{SAYING}|{'|'.join(SAYING_OF_I)}|go on|put in)")
"""The same after "I", which may be in the present tense: "I sit down and say:"."""

_LABELS = re.compile(r"(?: ?\([^()\n]{1,40}\))?:\s+\Z")
"""After a name at the start of a speech that has no other narration: "ANN (O.S.): It rains."."""

_BLANK = re.compile(r"[\s—–-]*")
_IS_CUT = re.compile(r",[\"'”’»›」』]*\s*\Z")
_PARTS_SPEECH = ".!?…,:;—–"
"""Characters that may stand before a speech and do not belong to a sentence of the narrator."""

_HEARS = frozenset(
    {"heard", "hears", "overheard", "read", "reads", "saw", "sees", "noticed", "notices", "wrote"}
    | {"writes", "remembered", "remembers", "recalled", "recalls", "knew", "knows", "spelled"}
)
"""Verbs that introduce what others have said, or what is written."""


def find_tags(subjects: Subjects, at: int) -> Turn:
    """Return the turn that the tags of a paragraph give.

    A single tag holds for all speeches, up to one before which another person acts. But a tag that
    introduces a speech ("Ann said:") says nothing about earlier speeches.
    """
    numbers = range(len(subjects.paragraphs[at].spans))
    behind = [_tag_behind(subjects, at, number) for number in numbers]
    tags = [
        _tag_before(subjects, at, number) if tag is None else tag
        for number, tag in enumerate(behind)
    ]
    tagged = [number for number in numbers if tags[number] is not None]
    if not tagged:
        return Turn.unknown(len(tags))
    if len({tags[number] for number in tagged}) > 1:
        return Turn(tuple(tags), "tag")
    only = tags[tagged[0]]
    first = 0 if any(tag is not None for tag in behind) else tagged[0]
    later = (n for n in numbers if n > tagged[0] and _is_taken_up(subjects, at, n, only))
    told = range(first, next(later, len(tags)))
    return Turn(tuple(only if number in told else None for number in numbers), "tag")


def _is_taken_up(subjects: Subjects, at: int, number: int, speaker: str | None) -> bool:
    """Say whether a person other than the speaker so far acts directly before a speech."""
    return actor_before(subjects, at, number) not in (None, SOMEBODY, speaker)


def _tag_behind(subjects: Subjects, at: int, number: int) -> str | None:
    """Return the speaker by a tag directly after a speech, or None."""
    paragraph = subjects.paragraphs[at]
    start, end = paragraph.spans[number]
    verb = _VERB_FIRST.match(paragraph.narration, end)
    if verb:
        subject = subjects.find(at, verb.end())
        return subject.speaker if subject else SOMEBODY
    before = paragraph.narration[:start].rstrip()
    is_cut = _IS_CUT.search(paragraph.text[start:end]) is not None and (
        not before or before[-1] in _PARTS_SPEECH
    )

    def says(verb: str, before: str) -> bool:
        """Say whether a verb beside a speech ending in a comma may be a verb of saying."""
        return verb not in _HEARS and subjects.is_told(verb, before)

    unlisted = _UNLISTED.match(paragraph.narration, end) if is_cut else None
    if unlisted and says(unlisted["verb"], " "):
        subject = subjects.find(at, unlisted.end())
        return subject.speaker if subject else None
    subject = subjects.find(at, skip(_BLANK, paragraph.narration, end))
    if subject is None:
        return None
    is_tag = _SAYS.match(paragraph.narration, subject.end) or (
        is_cut and subjects.acts(at, subject.end, says)
    )
    return subject.speaker if is_tag else None


def _tag_before(subjects: Subjects, at: int, number: int) -> str | None:
    """Return the speaker by the words before a speech ("Ann said at last:"), or None."""
    paragraph = subjects.paragraphs[at]
    begin, end = paragraph.narration_before(number)
    label = None if number else subjects.find(at, 0)
    if label and _LABELS.match(paragraph.narration, label.end, end):
        return label.speaker
    heads = [name.start for name in paragraph.names if begin <= name.start < end]
    heads += [one.start() for one in _PRONOUNS.finditer(paragraph.narration, begin, end)]
    for head in sorted(heads, reverse=True):
        subject = subjects.find(at, head)
        is_mine = paragraph.narration.startswith("I ", head)
        introduces = _INTRODUCES_MINE if is_mine else _INTRODUCES
        if subject and introduces.match(paragraph.narration, subject.end, end):
            return subject.speaker
    return None
