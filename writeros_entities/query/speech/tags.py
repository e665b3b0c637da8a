"""Tags: words beside a speech that name its speaker, as "said Ann" or "Ann said at last:"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from writeros_entities.query.speech.beats import actor_before
from writeros_entities.query.speech.paragraphs import DASHES, SENTENCE_START
from writeros_entities.query.speech.subjects import ALOUD, SAYING, skip
from writeros_entities.query.speech.turns import SOMEBODY, Turn, without_answers_to_oneself
from writeros_entities.vault.sentences.ends import CLOSING_MARKS
from writeros_entities.vault.sentences.speech import SAYING_OF_I

if TYPE_CHECKING:
    from writeros_entities.query.speech.subjects import Subjects

_ADVERB = r"(?:\w+ly|then|at last|again|just|had|afterwards?|now|kept)"
_VERB_FIRST = re.compile(
    rf"[\s,{DASHES}-]*(?:{_ADVERB}\s+)?{SAYING}\s+(?:(?:at last|\w+ly|then)\s+)?"
)
_UNLISTED = re.compile(r"\s+(?P<verb>[a-z]+)\s+(?=[^\W\d_])")
_SAYS = re.compile(
    rf"(?:,[^,.;:\"“”]{{1,40}},)?(?:\s+{_ADVERB})*\s+(?:{SAYING}|saying|told|tells|thought|thinks)\b"
    rf"{ALOUD}"
)
_PRONOUNS = re.compile(r"\b(?:she|he|She|He|I)\b")
_BEFORE_SAYING = (
    r"(?P<act>\s+[a-z]+(?:\s+(?!(?:that|who|which|what|as|when|while|if|because|he|she|they|I|it)\b)"
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

_SAID = re.compile(rf"\b{SAYING}\b")
_INTRODUCES_ANY = re.compile(
    rf"(?<!\band\s)(?<!\bbut\s)(?<!\bthen\s)\b{SAYING}\b[^.!?\"“”]{{0,70}}[,:{DASHES}]\s*\Z"
)
"""The verb of one who introduces a speech, other than of the one who has spoken before."""

_WORD_BEFORE = re.compile(r"(?<![\w'’-])(?P<word>[\w'’-]+)\s+\Z")
_GOVERNS = re.compile(
    r"(?:about|across|after|against|among|around|at|before|behind|beside|between|beyond|by|for|from"
    r"|in|into|like|near|of|on|opposite|over|than|through|to|towards?|under|upon|with|without"
    r"|whom|(?!morning|evening)\w+ing)\Z",
    re.IGNORECASE,
)
_JOINS = re.compile(r"(?:and|or|nor)\Z")
_LABELS = re.compile(r"(?: ?\([^()\n]{1,40}\))?:\s+\Z")
"""After a name at the start of a speech that has no other narration: "ANN (O.S.): It rains."."""

_BLANK = re.compile(rf"[\s{DASHES}-]*")
_IS_CUT = re.compile(rf",[{CLOSING_MARKS}]*\s*\Z")
_PARTS_SPEECH = ".!?…,:;—–"
"""Characters that may stand before a speech and do not belong to a sentence of the narrator."""

_HEARS = frozenset(
    {"heard", "hears", "overheard", "read", "reads", "saw", "sees", "noticed", "notices", "wrote"}
    | {"writes", "remembered", "remembers", "recalled", "recalls", "knew", "knows", "spelled"}
)
"""Verbs that introduce what others have said, or what is written."""


def find_tags(subjects: Subjects, at: int) -> Turn:
    """Return the turn that the tags of a paragraph give.

    A single tag holds for all speeches of a run between which no other person acts. But a tag that
    introduces a speech ("Ann said:") says nothing about earlier speeches.
    """
    numbers = range(len(subjects.paragraphs[at].spans))
    behind = [_tag_behind(subjects, at, number) for number in numbers]
    tags = [_tag(subjects, at, number, behind) for number in numbers]
    tagged = [number for number in numbers if tags[number] is not None]
    if not tagged:
        return Turn.unknown(len(tags))
    runs = subjects.paragraphs[at].runs
    found = [one for run in runs for one in _speakers(subjects, at, run, behind, tags)]
    return Turn(without_answers_to_oneself(found, runs, tagged), "tag")


def _speakers(
    subjects: Subjects,
    at: int,
    run: range,
    behind: Sequence[str | None],
    tags: Sequence[str | None],
) -> list[str | None]:
    """Return the speakers that the tags of a run of speeches give, of which some stand behind."""
    tagged = [number for number in run if tags[number] is not None]
    if len({tags[number] for number in tagged}) != 1:
        return [tags[number] for number in run]
    only = tags[tagged[0]]
    first = run[0] if any(behind[number] is not None for number in run) else tagged[0]
    taken = [n for n in run[1:] if _is_taken_up(subjects, at, n, only)]
    first = max([first, *(n for n in taken if n <= tagged[0])])
    told = range(first, next((n for n in taken if n > tagged[0]), run.stop))
    return [only if number in told else tags[number] for number in run]


def _tag(subjects: Subjects, at: int, number: int, behind: Sequence[str | None]) -> str | None:
    """Return the speaker by the tags on both sides of a speech; if they differ, SOMEBODY."""
    is_behind_tag = number > 0 and behind[number - 1] is not None
    before = _tag_before(subjects, at, number, is_behind_tag=is_behind_tag)
    tag = behind[number]
    if tag is None or before == tag:
        return before
    return SOMEBODY if before else tag


def _is_taken_up(subjects: Subjects, at: int, number: int, speaker: str | None) -> bool:
    """Say whether a person other than the speaker so far acts directly before a speech."""
    return actor_before(subjects, at, number) not in (None, SOMEBODY, speaker)


def _tag_behind(subjects: Subjects, at: int, number: int) -> str | None:
    """Return the speaker by a tag directly after a speech, or None."""
    paragraph = subjects.paragraphs[at]
    start, end = paragraph.spans[number]
    if paragraph.is_answered(number):
        return None
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


def _tag_before(subjects: Subjects, at: int, number: int, *, is_behind_tag: bool) -> str | None:
    """Return the speaker by the words before a speech ("Ann said at last:"), or None.

    `is_behind_tag` says whether the words begin with the tag of the speech before.
    """
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
        said = introduces.match(paragraph.narration, subject.end, end) if subject else None
        if subject and said and _acts_itself(subjects, at, head, said["act"] or ""):
            return subject.speaker
    first = _SAID.search(paragraph.narration, begin, end) if is_behind_tag else None
    introduced = _INTRODUCES_ANY.search(paragraph.narration, first.end() if first else begin, end)
    return SOMEBODY if introduced else None


def _acts_itself(subjects: Subjects, at: int, head: int, act: str) -> bool:
    """Say whether a name or pronoun is the subject of what follows: not in "saw Ann go and said".

    `act` is what the subject does before saying something.
    """
    narration = subjects.paragraphs[at].narration

    def is_told(text: str) -> bool:
        return any(subjects.is_told(verb, " ") for verb in re.findall(r"\b[a-z]+", text))

    start = max((one.end() for one in SENTENCE_START.finditer(narration, 0, head)), default=0)
    before = _WORD_BEFORE.search(narration, start, head)
    if before and _JOINS.match(before["word"]):
        return is_told(narration[start : before.start()])
    if _PRONOUNS.match(narration, head):
        return True
    if act and not is_told(act):
        return False
    return before is None or not (_GOVERNS.match(before["word"]) or is_told(before["word"]))
