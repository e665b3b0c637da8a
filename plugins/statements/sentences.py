"""Decide whether a sentence states something plainly, and whether it is direct speech.

Questions, conditions, denials, hearsay and mere possibilities state nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from writeros_entities import HIDDEN, MARK

from ..english import ABBREVIATED_TITLES

REACH = 240
"""How many characters of a sentence are examined on each side of a statement."""

LONGEST_LEAD = 160
"""The most characters from the start of a sentence to a name in it."""

PARAGRAPH = 2_000
"""How many characters back direct speech may have begun."""

WORD = re.compile(r"[^\W\d_][\w'’-]*")
"""Matches a word with everything attached to it: "Ann's", "brother-in-law"."""

_TITLES = [title.capitalize() for title in sorted(ABBREVIATED_TITLES)]
_NO_TITLE = "".join(
    rf"(?<!\b(?:{'|'.join(title for title in _TITLES if len(title) == length)})\.)"
    for length in sorted({len(title) for title in _TITLES})
)
_BREAK = re.compile(
    rf"""[{HIDDEN}\n.!?…;](?<![.!?…;][.!?…;])(?:(?<={HIDDEN})
    | (?<=\n)(?:\s*\n | [ \t]*(?:[-*+>|]|\d+[.)])[ \t])
    | (?<=[.!?…;])[.!?…;]*+{_NO_TITLE}["'”’»)\]]*\s)""",
    re.VERBOSE,
)
"""The pattern starts with a set of first characters, so that other characters are skipped fast."""

_OPENING = re.compile(r"(?:\A|[\s(—–-])[\"“«„‘](?=\w)")
_DOUBT = re.compile(
    r"""\b(?:if|unless|whether|would|could|might|maybe|perhaps|suppos(?:e|ed|es|ing|edly)
    |imagin(?:e|ed|es|ing)|pretend(?:s|ed|ing)?|as\ though|wish(?:es|ed)?|dream(?:s|t|ed|ing)?
    |rumou?r(?:s|ed)?|allegedly|all\ but|as\ far\ as|assum(?:e|es|ed)
    |claim(?:s|ed)?|believ(?:e|es|ed)|thought|thinks?|doubt(?:s|ed)?
    |den(?:y|ies|ied)|nobody|no\ one|no-one|never|not|neither|nor|without|lest|cannot|can't|n't
    |expect(?:s|ed)?|apparently|probably|possibly|almost
    |nearly|hardly|legend|stor(?:y|ies)|gossip|lie[sd]?|guess(?:es|ed)?|suspect(?:s|ed)?|seem(?:s|ed)?
    |(?:they|people|folk|some|men|women|everyone|everybody|it\ (?:is|was))\ (?:say|said)
    |(?:say|says|said|t(?:ells?|old)\ \w+|swore|heard|hopes?|hoped|fears?|feared)\ that|will|shall
    |should|going\ to|let|once\ upon)\b
    |n['’]t\b""",
    re.VERBOSE,
)
_DOUBT_JUST_BEFORE = re.compile(
    r"""(?:\b(?:say|says|said|swears?|swore|insist(?:s|ed)?|hears?|heard|report(?:s|ed)?
     |told(?:\ \w+)?|fear(?:s|ed)?|hop(?:e|es|ed))
    |\A(?:for|to)\ (?:him|her|them|me|us|[^\W\da-z_][\w-]*),
    |(?:\A|,\ |\band\ |\bbut\ |\bor\ )(?:had|were|may|did|does|do)|\A(?:was|is|are))
    \ (?:the\ )?\Z""",
    re.VERBOSE,
)
"""Matches reported speech, somebody's view ("to Bob, Ann was dead"), and inversion.

"Had Ann married" is a condition, "may Ann marry" a wish.
"""

_TOLD = re.compile(
    r"""\baccording\ to\b|\bin\ another\ (?:life|lifetime|world)\b
    |\bin\ (?:the|an?|his|her|my|their|this|that|one|some)\ (?:\w+\ )?(?:play|song|ballad|opera
     |poem|novel|film|vision|nightmare|fantasy|painting|tapestry|prophecy)\b
    |\b(?:play|song|ballad|opera|poem|novel|film|prophecy)\ (?:says|said|sang|sings|has|had)\b""",
    re.VERBOSE,
)
"""Matches what is true only in a play, a song or a vision, or according to somebody."""

_UNREAL = re.compile(
    r"""\b(?:imagin(?:e|ed|es|ing)|pretend(?:s|ed|ing)?|dream(?:s|t|ed|ing)?|rumou?r(?:s|ed)?
    |allegedly|supposedly|suppose|gossip|legend|stor(?:y|ies)|lie[sd]?)\b""",
    re.VERBOSE,
)
"""Matches what may not exist, even if it is presupposed."""

_DENIED_AFTER = re.compile(r"\A\s*(?:not|no\ more|any\ more|any\ longer|a\ lesson)\b")
_DOUBT_AFTER = re.compile(
    r"""\bor\ so\b|\b(?:they|people|folk|some)\ (?:say|said|think|thought|believed?)\b
    |\bit\ (?:is|was)\ said\b|\b(?:supposedly|allegedly|apparently|perhaps|maybe|probably)\b
    |\b(?:rumou?r\ had|(?:as|so)\ the\ (?:story|legend|song)|lied)\b
    |\A(?:(?!["“”«»]|['’],).)*?,\s+(?:[\w'’-]+\s+){1,3}(?:assumed|believe[ds]?|claim(?:s|ed)
     |guess(?:ed|es)|hoped|imagined|insisted|rumou?red|said|says|seem(?:s|ed)|suppose[ds]?|suspected
     |th(?:inks?|ought))(?=\s*(?:[.,;:!?…)]|\Z))
    |\bin\ (?:his|her|their|a)\ dreams?\b|\bbut\ (?:that|it)\ (?:is|was)\ (?:a\ lie|not)\b""",
    re.VERBOSE,
)

_LENGTH = r"(?:days?|weeks?|months?|years?|hours?|minutes?|while|moment)"
_TIME = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)?day|night|morning|evening|afternoon|time)s?"
_TIME_TO_COME = rf"""tomorrow|tonight|soon|some\ ?day|one\ day|(?<!the\ )next\ (?!to\b)\w+
    |in\ \w+\ {_LENGTH}|(?:every|each|most)\ (?:other\ )?(?:{_LENGTH}|{_TIME})|always|often|usually
    |sometimes|whenever|again"""
_PUT_OFF = re.compile(
    rf"""\b(?:{_TIME_TO_COME}|ideas?|options?|alternatives?|plans?|(?:what|how)\ about)\b
    |\b(?:when|once|until|till|before|after|as|by\ the\ time|in\ case|provided|that(?!\ {_TIME}\b)
    |how|why|where|which|who|whoever|what|the\ (?:day|moment|hour|night|way|one|man|woman))
    \b[^,;:]{{0,{REACH}}}\Z""",
    re.VERBOSE | re.IGNORECASE,
)
_PUT_OFF_AFTER = re.compile(
    rf"""\A[^.!?;]*?\b(?:{_TIME_TO_COME}|when|if|unless|once|as\ soon\ as|provided
    |(?:on|this|by)\ (?:\w+\ )?(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b""",
    re.VERBOSE | re.IGNORECASE,
)
"""Makes the present tense refer to the future: "Ann marries Bob tomorrow", "when Ann marries Bob".

Or to a habit, or to a mere plan.
"""


@dataclass(frozen=True, slots=True)
class Sentence:
    """The text around a statement in its sentence, and whether it is direct speech."""

    before: str
    after: str
    is_question: bool
    is_spoken: bool

    @classmethod
    def around(cls, prose: str, start: int, end: int) -> Sentence:
        """Return the sentence around a span, as far as it is within `REACH`."""
        begin = max(0, start - REACH)
        breaks = [found.end() for found in _BREAK.finditer(prose, begin, start)]
        begin = max(breaks, default=begin)
        before = prose[begin:start].replace(MARK, "")
        quotes = [found.end() for found in _OPENING.finditer(before)]
        before = before[max(quotes, default=0) :].lstrip()
        before = before[:1].lower() + before[1:]
        finish = min(len(prose), end + REACH)
        found_end = _BREAK.search(prose, end, finish)
        after_end = finish if found_end is None else found_end.end()
        after = prose[end:after_end].replace(MARK, "")
        return cls(before, after, _asks(after), _is_spoken(prose, start))

    @property
    def is_plain(self) -> bool:
        """Whether the sentence states what it says."""
        return not (
            self.is_question
            or is_doubtful(self.before)
            or says(self.before)
            or any(doubt.search(self.after) for doubt in (_DOUBT_AFTER, _DENIED_AFTER, _TOLD))
        )

    @property
    def has_come(self) -> bool:
        """Whether an event in the present tense has happened, or happens now.

        In direct speech the present tense may refer to the future.
        """
        is_put_off = _PUT_OFF.search(self.before) or _PUT_OFF_AFTER.search(self.after)
        return not (self.is_spoken or is_put_off)

    @property
    def is_real(self) -> bool:
        """Whether the sentence is about reality: not about a dream, a play or a rumour."""
        return not any(unreal.search(self.before) for unreal in (_TOLD, _UNREAL))


def is_doubtful(words: str) -> bool:
    """Say whether the words before a statement deny it, doubt it, or attribute it to somebody."""
    return _DOUBT.search(words) is not None or _TOLD.search(words) is not None


def says(words: str) -> bool:
    """Say whether the words just before a statement attribute it to a speaker, or invert it."""
    return _DOUBT_JUST_BEFORE.search(words) is not None


def begin_of_sentence(prose: str, place: int, reach: int) -> int | None:
    """Return the start of the sentence around a place, or None if it is not within reach."""
    start = max(0, place - reach)
    begins = [found.end() for found in _BREAK.finditer(prose, start, place)]
    if not begins and start > 0:
        return None
    return _first_letter(prose, max(begins, default=start), place)


def begins_of_sentences(prose: str, start: int, end: int) -> Iterator[int]:
    """Yield the starts of the sentences in a span, except the last one."""
    begin = start
    for found in _BREAK.finditer(prose, start, end):
        first = _first_letter(prose, begin, found.start())
        if first < found.start():
            yield first
        begin = found.end()


def _first_letter(prose: str, start: int, end: int) -> int:
    while start < end and (prose[start].isspace() or prose[start] in (MARK, HIDDEN)):
        start += 1
    return start


def ends_between(prose: str, start: int, end: int) -> bool:
    """Say whether a sentence, a paragraph or a list item ends in a span."""
    return _BREAK.search(prose, start, end) is not None


def _asks(after: str) -> bool:
    ending = re.search(r"[.!?…;]", after)
    return ending is not None and ending[0] == "?"


def _is_spoken(prose: str, start: int) -> bool:
    """Say whether a quotation that began in this paragraph is still open."""
    paragraph = max(prose.rfind("\n\n", max(0, start - PARAGRAPH), start), start - PARAGRAPH, 0)
    opened = prose.rfind("“", paragraph, start)
    if opened != -1:
        return prose.rfind("”", opened, start) == -1
    return prose.count('"', paragraph, start) % 2 == 1
