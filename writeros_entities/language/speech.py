"""Read direct speech in a paragraph: what is spoken, and the words beside it that say by whom.

    read_speech("“Sit,” said Ann to Bo.", words)
    # spoken (0, 6), its cue "said Ann to Bo": a name at 12, said to whoever stands at 19

It knows no entities: a cue tells where the words for a speaker stand, and what kind of words these
are. Who is meant is decided where mentions meet the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

from writeros_entities.language.sentences import CLOSING_MARKS, read_ends
from writeros_entities.language.spoken import (
    spoken_behind_label,
    spoken_spans,
    without_speech,
)

if TYPE_CHECKING:
    from writeros_entities.language.words import Words

SubjectKind = Literal["name", "pronoun", "self", "noun"]

DASHES = "—–―"
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*['’]?|[^\w\s]")
_FINAL = ".!?…"
_CUT = ",;" + DASHES + "-"
_NEAR = 3
"""Most words between a subject and its verb of saying, or before a verb that comes first."""


class Subject(NamedTuple):
    """Words that stand for somebody: a name, a pronoun, who tells the story, or a description.

    `gender` is what a pronoun or a noun tells, or "". It is not alone if others are named with it
    ("Ann and the clerk"). `acts` is unset for one who is only there, hears or reads what is said.
    """

    start: int
    end: int
    kind: SubjectKind
    gender: str = ""
    is_alone: bool = True
    acts: bool = True


class Cue(NamedTuple):
    """The clause beside a speech that says who speaks; `to` is where the one spoken to is named.

    `who` is None if no words for a speaker were found. `is_listed` says whether a known verb of
    saying is in it.
    """

    start: int
    end: int
    who: Subject | None
    to: int | None = None
    is_listed: bool = True


class Spoken(NamedTuple):
    """A span of direct speech with its marks, and the cues before and behind it."""

    start: int
    end: int
    before: Cue | None = None
    behind: Cue | None = None


@dataclass(frozen=True)
class Dialogue:
    """The speech of a paragraph, and who acts in the sentences told between: their subjects.

    `narration` is the text with speech blanked out; `leads` is the cue at its end for a speech that
    is the next paragraph ("Ann said:").
    """

    text: str
    narration: str
    spoken: tuple[Spoken, ...]
    subjects: tuple[Subject, ...]
    leads: Cue | None = None

    @property
    def goes_on(self) -> bool:
        """Whether its last speech is not closed, so that the next paragraph may continue it."""
        written = self.text.rstrip()
        if not self.spoken or self.spoken[-1].end < len(written):
            return False
        opens = self.text[self.spoken[-1].start]
        return opens not in DASHES and not opens.isalnum() and written[-1] not in CLOSING_MARKS

    def is_answered(self, number: int) -> bool:
        """Say whether another speech stands right behind one, given the number of the speech."""
        behind = self.spoken[number + 1 : number + 2]
        return any(
            not self.narration[self.spoken[number].end : one.start].strip() for one in behind
        )


@lru_cache(maxsize=4_096)
def read_speech(text: str, words: Words, label: str = "") -> Dialogue:
    """Return the speech of one paragraph; a script's has the `label` of who speaks (`ANN: Sit.`).

    The same few paragraphs are often read again: those of the chapters before a scene.
    """
    labelled = spoken_behind_label(text, (label,)) if label else None
    if labelled is not None:
        end = text.index(":")
        told = words.subjects.get(text[:end].strip("*_ ").lower())
        subject = Subject(0, end, "self" if told == "self" else "name")
        spoken = Spoken(*labelled, before=Cue(0, labelled[0], subject))
        narration = without_speech(text, [labelled])
        return Dialogue(text, narration, (spoken,), ())
    spans = [
        (start, end)
        for start, end in spoken_spans(
            text, saying=words.saying, subjects=frozenset(words.subjects)
        )
        if text[start] in DASHES or text.startswith("--", start) or _is_whole(text, start, end)
    ]
    narration = without_speech(text, spans)
    reader = _Reader(narration, words)
    return Dialogue(
        text,
        narration,
        tuple(reader.spoken(text, spans)),
        tuple(reader.subjects()),
        reader.leads(spans),
    )


def _is_whole(text: str, start: int, end: int) -> bool:
    """Say whether words between marks are a speech: not "the flood" in "called it “the flood”".

    A speech ends as a sentence or part of one does, or a comma stands behind it, or a colon before.
    """
    ends = text[start:end].rstrip(CLOSING_MARKS + " \t\n\u00a0\u202f")[-1:]
    return (
        ends in tuple(".,!?…—–;:-")
        or text[end : end + 1] == ","
        or text[:start].rstrip().endswith(":")
    )


class _Token(NamedTuple):
    start: int
    end: int
    low: str
    is_word: bool
    is_capital: bool


class _Reader:
    """Finds subjects and cues in the narration of one paragraph."""

    def __init__(self, narration: str, words: Words) -> None:
        self._narration = narration
        self._words = words
        self._tokens = [
            _Token(*one.span(), one[0].lower(), one[0][0].isalnum(), one[0][0].isupper())
            for one in _TOKEN.finditer(narration)
        ]
        self._starts = [one.start for one in self._tokens]
        self._ends = [0, *read_ends(narration), len(narration)]

    # -- Subjects ----------------------------------------------------------------------------------

    def subjects(self) -> Iterator[Subject]:
        """Yield the subjects with which the sentences of the narration begin."""
        for start, end in pairwise(self._ends):
            tokens = self._between(start, end)
            at = self._opening(tokens)
            found = self._subject(tokens, at)
            if found is not None:
                yield found._replace(acts=self._acts(tokens, found))

    def _acts(self, tokens: Sequence[_Token], subject: Subject) -> bool:
        """Say whether a sentence tells an act of its subject, after which that may speak."""
        words = self._words
        behind = [one.low for one in tokens if one.is_word and one.start >= subject.end]
        if not words.writings.isdisjoint(behind):
            return False
        near = behind[:2]
        if near and (near[0] in words.idle or not words.hearing.isdisjoint(near)):
            return False
        return not (len(near) > 1 and near[0] in words.saying and near[1] in words.silent)

    def _between(self, start: int, end: int) -> list[_Token]:
        return self._tokens[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def _opening(self, tokens: Sequence[_Token]) -> int:
        """Return where the subject of a sentence can begin: behind marks and one small word."""
        at = 0
        while at < len(tokens) and not tokens[at].is_word:
            at += 1
        if (
            at + 1 < len(tokens)
            and tokens[at].low in self._words.function_words | self._words.joining
            and self._kind(tokens[at]) is None
            and self._kind(tokens[at + 1]) is not None
        ):
            at += 1
        return at

    def _kind(self, token: _Token) -> SubjectKind | None:
        words, low = self._words, token.low
        told = words.subjects.get(low) or words.subjects.get(
            low.replace("’", "'").partition("'")[0]
        )
        if told is not None:
            return "self" if told == "self" else "noun" if told == "own" else "pronoun"
        if not token.is_word:
            return None
        if low in words.leading or low in words.pronouns or low in words.people:
            return "noun"
        if low in words.function_words | words.prepositions | words.conditions | words.openers:
            return None
        return "name" if token.is_capital else None

    def _subject(
        self, tokens: Sequence[_Token], at: int, *, behind_verb: bool = False
    ) -> Subject | None:
        """Return the subject that begins at a token, or None."""
        if at >= len(tokens):
            return None
        first = tokens[at]
        kind = self._kind(first)
        gender = self._words.subjects.get(first.low, "")
        if kind == "self" or kind == "pronoun":
            low = first.low.replace("’", "'").partition("'")[0]
            gender = gender or self._words.subjects.get(low, "")
            alone = self._is_alone(tokens, at + 1)
            return Subject(first.start, first.end, kind, "" if kind == "self" else gender, alone)
        if kind is None and behind_verb and first.is_word and at + 1 < len(tokens):
            kind = "name" if tokens[at + 1].is_capital and not first.is_capital else None
        if kind is None:
            return None
        end = self._region(tokens, at, is_name=kind == "name", behind_verb=behind_verb)
        words = tokens[at:end]
        if kind == "noun" and gender == "own" and any(one.low in self._words.body for one in words):
            return Subject(first.start, words[-1].end, "self")
        genders = {self._words.people[one.low] for one in words if one.low in self._words.people}
        told = genders.pop() if len(genders) == 1 else ""
        if kind == "noun" and any(one.is_capital for one in words[1:]):
            kind = "name"
        alone = self._is_alone(tokens, end)
        return Subject(first.start, words[-1].end, kind, told, alone)

    def _region(
        self, tokens: Sequence[_Token], at: int, *, is_name: bool, behind_verb: bool
    ) -> int:
        """Return the number of the token behind the words that stand for somebody."""
        words = self._words
        end = at + 1
        last = tokens[at]
        while end < len(tokens):
            one, before = tokens[end], last
            if not one.is_word:
                is_short = one.low == "." and before.is_capital and before.end - before.start < 5
                follows = end + 1 < len(tokens) and tokens[end + 1].is_capital
                if not ((is_short or one.low == "-") and follows):
                    break
            elif one.low in words.prepositions | words.joining | words.addressing:
                break
            elif not one.is_capital:
                if last.is_capital and last is not tokens[at] and one.low not in words.particles:
                    break
                if behind_verb and self._is_saying(tokens, end):
                    break
                if is_name and not behind_verb and one.low not in words.particles:
                    break
                if (
                    not is_name
                    and not behind_verb
                    and (before.low in words.people or self._is_saying(tokens, end))
                ):
                    break
            elif (
                not is_name
                and not behind_verb
                and not (before.low in words.leading or before.low in words.people)
            ):
                break
            last = one if one.is_word else last
            end += 1
        return end

    def _is_alone(self, tokens: Sequence[_Token], at: int) -> bool:
        """Say whether no other subject is joined to the one that ends at a token."""
        if at < len(tokens) and tokens[at].low == "," and at + 2 < len(tokens):
            joins = [n for n in range(at + 1, min(at + 5, len(tokens))) if tokens[n].is_word]
            names = [n for n in joins if tokens[n].is_capital]
            more = next((n for n in joins if tokens[n].low in self._words.joining), None)
            return not (names and names[0] == at + 1 and more is not None and more < at + 4)
        if at + 1 >= len(tokens) or tokens[at].low not in self._words.joining:
            return True
        return self._kind(tokens[at + 1]) is None or tokens[at + 1].low in self._words.saying

    # -- Cues --------------------------------------------------------------------------------------

    def spoken(self, text: str, spans: Sequence[tuple[int, int]]) -> Iterator[Spoken]:
        """Yield speeches with their cues."""
        last = 0
        for number, (start, end) in enumerate(spans):
            until = spans[number + 1][0] if number + 1 < len(spans) else len(text)
            yield Spoken(
                start, end, self._cue_before(last, start), self._cue_behind(text, end, until)
            )
            last = end

    def leads(self, spans: Sequence[tuple[int, int]]) -> Cue | None:
        """Return the cue with which the narration ends, if a colon or comma leads on."""
        if self._narration.rstrip()[-1:] not in (":", ","):
            return None
        return self._cue_before(spans[-1][1] if spans else 0, len(self._narration))

    def _is_saying(self, tokens: Sequence[_Token], at: int) -> int:
        """Return how many tokens a verb of saying has at a place: 0 if there is none."""
        if at >= len(tokens) or not tokens[at].is_word:
            return 0
        low = tokens[at].low
        if at + 1 < len(tokens) and f"{low} {tokens[at + 1].low}" in self._words.saying:
            return 2
        if low in self._words.saying or low.partition("'")[0] in self._words.saying:
            return 1
        return 0

    def _cue_behind(self, text: str, end: int, until: int) -> Cue | None:
        """Return the cue directly behind a speech: "said Ann", "Ann said at last"."""
        stop = min(until, next(one for one in self._ends if one > end or one == len(text)))
        tokens = self._between(end, stop)
        at = 0
        while at < len(tokens) and not tokens[at].is_word and tokens[at].low in _CUT:
            at += 1
        if at >= len(tokens) or not tokens[at].is_word:
            return None
        said = text[:end].rstrip(CLOSING_MARKS + " ")
        is_cut = said[-1:] in tuple(_CUT)
        goes_on = is_cut or not tokens[at].is_capital or at > 0
        if not goes_on and self._introduces(tokens, until == stop):
            return None
        first = at
        if (
            not tokens[at].is_capital
            and not self._kind(tokens[at])
            and self._is_saying(tokens, at + 1)
        ):
            at += 1  # "then said Ann"
        verb = self._is_saying(tokens, at)
        if verb and goes_on:
            return self._inverted(tokens, first, at + verb)
        who = self._subject(tokens, first)
        if who is not None:
            behind = bisect_left([one.start for one in tokens], who.end)
            return self._behind_subject(tokens, first, who, behind, is_cut=is_cut)
        low = tokens[first].low
        words = self._words
        if (
            is_cut
            and not tokens[first].is_capital
            and low not in words.function_words | words.prepositions | words.hearing
            and self._kind(tokens[first]) is None
        ):
            who = self._subject(tokens, first + 1, behind_verb=True)
            if who is not None:
                return Cue(tokens[first].start, tokens[-1].end, who, None, is_listed=False)
        return None

    def _introduces(self, tokens: Sequence[_Token], is_last: bool) -> bool:
        """Say whether a sentence leads to the speech behind it: "At last Ann said, "."""
        return is_last and bool(tokens) and tokens[-1].low in (",", ":", *DASHES)

    def _inverted(self, tokens: Sequence[_Token], first: int, at: int) -> Cue:
        """Return the cue whose verb comes first: "said Ann", "dit-elle"."""
        for skipped in range(_NEAR + 1):
            who = self._subject(tokens, at + skipped, behind_verb=True)
            if who is not None:
                behind = bisect_left([one.start for one in tokens], who.end)
                return Cue(
                    tokens[first].start, tokens[-1].end, who, self._addressee(tokens, behind)
                )
            if at + skipped >= len(tokens):
                break
            if tokens[at + skipped].low in self._words.prepositions:
                break
        return Cue(tokens[first].start, tokens[-1].end, None, self._addressee(tokens, at))

    def _behind_subject(
        self, tokens: Sequence[_Token], first: int, who: Subject, at: int, *, is_cut: bool
    ) -> Cue | None:
        """Return the cue of a subject, if a verb of saying follows: "Ann, smiling, said"."""
        if at < len(tokens) and tokens[at].low == ",":
            closes = [n for n in range(at + 1, min(at + 10, len(tokens))) if tokens[n].low == ","]
            at = closes[0] + 1 if closes else at
        for skipped in range(_NEAR):
            verb = self._is_saying(tokens, at + skipped)
            if verb:
                behind = at + skipped + verb
                said = {one.low for one in tokens[at : at + skipped]}
                is_silent = behind < len(tokens) and tokens[behind].low in self._words.silent
                if is_silent or not said.isdisjoint(self._words.doubt):
                    return None
                to = self._object(tokens, behind) or self._addressee(tokens, behind)
                return Cue(tokens[first].start, tokens[-1].end, who, to)
            if at + skipped >= len(tokens) or not tokens[at + skipped].is_word:
                break
        verb_like = is_cut and at < len(tokens) and tokens[at].is_word and not tokens[at].is_capital
        if verb_like and tokens[at].low not in self._words.hearing | self._words.idle:
            return Cue(tokens[first].start, tokens[-1].end, who, None, is_listed=False)
        return None

    def _cue_before(self, begin: int, start: int) -> Cue | None:
        """Return the cue that leads to a speech: "Ann said at last:"."""
        sentence = max(begin, max(one for one in self._ends if one <= start))
        tokens = self._between(sentence, start)
        if not tokens or not (tokens[-1].is_word or tokens[-1].low in (",", ":", *DASHES, "-")):
            return None
        verbs = [n for n in range(len(tokens)) if self._is_saying(tokens, n)]
        has_colon = tokens[-1].low == ":"
        if not verbs and not has_colon:
            return None
        at = verbs[-1] if verbs else len(tokens) - 1
        who = self._subject_before(tokens, at)
        words = self._words
        near = {one.low for one in tokens[max(0, at - _NEAR) : at]} & words.doubt
        if verbs and (near or tokens[0].low in words.conditions):
            return Cue(tokens[0].start, tokens[-1].end, None)
        if who is None and verbs:
            return self._inverted(tokens, 0, at + self._is_saying(tokens, at))
        to = None
        if verbs:
            behind = at + self._is_saying(tokens, at)
            to = self._object(tokens, behind) or self._addressee(tokens, behind)
        return Cue(tokens[0].start, tokens[-1].end, who, to, is_listed=bool(verbs))

    def _subject_before(self, tokens: Sequence[_Token], verb: int) -> Subject | None:
        """Return the subject of a verb that stands before it, in its own clause if there is one."""
        starts = [n for n in range(verb) if self._begins_clause(tokens, n)]
        for at in reversed(starts):
            found = self._subject(tokens, at)
            if found is not None and found.start < tokens[verb].start:
                is_joined = at > 1 and tokens[at - 1].low in self._words.joining
                others = (self._subject(tokens, n) for n in starts if n < at - 1 and is_joined)
                ends = {one.end for one in others if one is not None}
                return found._replace(is_alone=found.is_alone and tokens[at - 2].end not in ends)
        for at in range(verb - 1, max(-1, verb - 1 - 2 * _NEAR), -1):
            before = tokens[at - 1].low if at else ""
            if self._kind(tokens[at]) in ("name", "pronoun", "self") and before not in (
                self._words.prepositions
            ):
                if at and tokens[at - 1].is_capital and tokens[at - 1].is_word:
                    continue
                return self._subject(tokens, at)
        return None

    def _begins_clause(self, tokens: Sequence[_Token], at: int) -> bool:
        if not tokens[at].is_word:
            return False
        if at == 0:
            return True
        before = tokens[at - 1]
        if not before.is_word:
            return before.low != "-" and before.low != "."
        words = self._words
        return before.low in words.joining | words.conditions | words.openers

    def _object(self, tokens: Sequence[_Token], at: int) -> int | None:
        """Return where the one stands who is asked or told: directly behind the verb."""
        if at < len(tokens) and self._kind(tokens[at]) == "name":
            return tokens[at].start
        return None

    def _addressee(self, tokens: Sequence[_Token], at: int) -> int | None:
        for before, one in pairwise(tokens[at:]):
            if before.low in self._words.addressing and self._kind(one) in ("name", "noun"):
                return one.start
        return None
