"""Which words tell what happens: most verbs of a narration, and nouns such as "cry" or "arrival".

A word tells it if the weights of its marks sum up to more than nothing. A mark is something that
one sees of a word where it stands: its form, what it depends on, what depends on it, whether what
is above it is denied, wished or supposed. The weights in `happening.json` are those of a logistic
regression, trained by `benchmarks/train_events.py` on the 80 novels of LitBank's training part
(Sims, Park and Bamman, "Literary Event Detection", 2019; CC BY 4.0): for each language of a text
that was trained with its own words, and for any other ("") by marks alone that need no words.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Final

from writeros_entities import Page, PageSentence, Word, WordForm, Words, spoken_spans

from .worth import is_plain, upwards

WEIGHTS: Final = Path(__file__).with_name("happening.json")

_BESIDE: Final = frozenset({"negation", "marker", "modifier", "determiner", "coordinator", "other"})
_SUBJECTS: Final = frozenset({"subject", "passive subject"})
_AUXILIARIES: Final = frozenset({"auxiliary", "passive auxiliary"})
_WITHIN: Final = _AUXILIARIES | {"modifier", "part of name"}
"""Roles in which a verb is a part of another, or of a name."""

_CLASSES: Final = (
    *("lasting", "copulas", "unreal", "factive", "achieved", "having", "ceasing", "becoming"),
    *("saying", "hearing", "unreal_nouns", "writings", "events"),
)
"""What the language's words say of a verb or a noun by themselves."""

_MOST_HEADS: Final = 6
"""How many words up is looked for what takes a statement back."""

AROUND: Final = 15
FEW: Final = 4
"""How many words on each side are around one; as many usual ones are thought to be there too."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A word that may tell what happens: its sentence, and its place in that."""

    sentence: PageSentence
    at: int

    @property
    def word(self) -> Word:
        """The word itself."""
        return self.sentence.words[self.at]


@dataclass(frozen=True, slots=True)
class Weights:
    """What a model has learnt: the weights of marks, and how much what is told around weighs.

    Of n words around, at most `AROUND` on each side, with scores that sum up to S, a score s
    becomes `own` s + `around` (S + `FEW` `usual`) / (n + `FEW`) + `base`.
    """

    marks: Mapping[str, float]
    own: float = 1.0
    around: float = 0.0
    base: float = 0.0
    usual: float = 0.0

    def score(self, candidates: Sequence[Candidate], words: Words, tense: WordForm) -> list[float]:
        """Return the score of each of a page's candidates: above 0 if it tells what happens."""
        known = self.marks
        alone = [
            sum(known.get(mark, 0.0) for mark in marks_of(one.sentence, one.at, words, tense))
            for one in candidates
        ]
        return self.weigh(alone)

    def weigh(self, alone: Sequence[float]) -> list[float]:
        """Return the scores of words, given those that each has alone, in order."""
        sums = [0.0, *accumulate(alone)]
        scores = []
        for at, score in enumerate(alone):
            first, end = max(0, at - AROUND), min(len(alone), at + AROUND + 1)
            told = sums[end] - sums[first] - score + FEW * self.usual
            near = told / (end - first - 1 + FEW)
            scores.append(self.own * score + self.around * near + self.base)
        return scores


def happening(page: Page, prose: str, words: Words) -> frozenset[int]:
    """Return where the words of a page, outside direct speech, start that tell what happens."""
    weights, tense = weights_of(page.language), told_in(page)
    candidates = [
        one
        for one in candidates_of(page, prose)
        if one.word.kind == "verb" or f"=n {one.word.lemma}" in weights.marks
    ]
    scores = weights.score(candidates, words, tense)
    lasting = words.copulas | words.lasting
    return frozenset(
        one.word.start
        for one, score in zip(candidates, scores, strict=True)
        if score > 0
        and one.word.form != "future"
        and one.word.lemma not in lasting
        and is_plain(one.sentence, one.at, words)
    )


def candidates_of(page: Page, prose: str) -> Iterator[Candidate]:
    """Yield the verbs and nouns of a page outside direct speech that may tell what happens."""
    for line in page.lines:
        told = [one for one in line.sentences if not one.is_speech]
        spoken = spoken_spans(prose[line.start : line.end]) if told else ()
        spans = [(line.start + start, line.start + end) for start, end in spoken]
        for sentence in told:
            for at, word in enumerate(sentence.words):
                is_verb = word.kind == "verb" and word.role not in _WITHIN
                is_said = any(start <= word.start < end for start, end in spans)
                if (is_verb or word.kind == "noun") and word.end > word.start and not is_said:
                    yield Candidate(sentence, at)


def told_in(page: Page) -> WordForm:
    """Return the tense of most verbs of a page outside direct speech: `past` or `present`."""
    forms = Counter(
        word.form
        for line in page.lines
        for sentence in line.sentences
        if not sentence.is_speech
        for word in sentence.words
        if word.kind in ("verb", "auxiliary")
    )
    return "past" if forms["past"] >= forms["present"] else "present"


@lru_cache
def weights_of(code: str) -> Weights:
    """Return the weights for the words of a language, or for those of any."""
    read = json.loads(WEIGHTS.read_text("utf-8"))
    return Weights(**read.get(code, read[""]))


def marks_of(sentence: PageSentence, at: int, words: Words, tense: WordForm) -> Iterator[str]:
    """Yield the marks of a word; those with a word of the language itself begin with "=".

    `tense` is the one in which the note is told: what is told in it is `told`, whichever it is.
    """
    parsed, word = sentence.words, sentence.words[at]
    head = parsed[word.head]
    told = _tense(sentence, at, tense)
    role = word.role if head is not word else "root"
    kind = "n" if word.kind == "noun" else "v"
    yield from ("", f"{kind} {role}", f"{kind} {role} {_form(word.form, tense)}")
    yield from (f"{kind} is {told}", f"{kind} is {told} {role}")
    yield from (f"={kind} {word.lemma}", f"={kind} {word.lemma} {told}")
    yield f"=ends {kind} {word.lemma[-3:]}"
    for one in _classes(word.lemma, words):
        yield from (f"{kind} {one}", f"{kind} {one} {told}")
    if head is not word:
        yield f"{kind} {role} of {head.kind} {_form(head.form, tense)} {head.role}"
        yield from (f"={kind} {role} of {head.lemma}", f"={kind} of {head.lemma}")
        yield from (f"{kind} {role} of {one}" for one in _classes(head.lemma, words))
    if word.case:
        yield from (f"={kind} {word.case}", f"={kind} {role} {word.case}")
    yield from _below(sentence, at, kind, tense)
    yield from _above(sentence, at, kind, words)
    flags = (sentence.asks, sentence.is_fragment)
    yield f"{kind} asks {flags}"
    yield f"{kind} among {min(len(parsed) // 8, 6)}"
    yield f"={kind} behind {parsed[at - 1].lemma if at else ''}"
    yield f"={kind} before {parsed[at + 1].lemma if at + 1 < len(parsed) else ''}"


def _below(sentence: PageSentence, at: int, kind: str, tense: WordForm) -> Iterator[str]:
    """Yield what depends on a word."""
    for one in map(sentence.words.__getitem__, sentence.dependents[at]):
        role = one.role
        yield f"{kind} has {role}"
        if role in _AUXILIARIES:
            yield from (f"={kind} {one.lemma}", f"{kind} {role} {_form(one.form, tense)}")
        elif role in _BESIDE:
            yield f"={kind} {role} {one.lemma}"
        elif role in _SUBJECTS:
            yield from (f"{kind} by {one.kind}", f"={kind} by {one.lemma}")
        elif role == "oblique":
            yield from (f"={kind} has {one.case}", f"={kind} with {one.lemma}")
        elif role == "object":
            yield from (f"{kind} to {one.kind}", f"={kind} with {one.lemma}")
        elif role in ("complement", "clause", "infinitive"):
            yield f"{kind} {role} {one.kind} {_form(one.form, tense)}"


def _above(sentence: PageSentence, at: int, kind: str, words: Words) -> Iterator[str]:
    """Yield what takes back, up to the root, what is said, and of what it is a part."""
    parsed = sentence.words
    for height, place in enumerate(upwards(sentence, at)):
        if height == _MOST_HEADS:
            break
        up, over = min(height, 2), parsed[place]
        for one in map(parsed.__getitem__, sentence.dependents[place]):
            if one.role == "negation" or (one.role in _BESIDE and one.lemma in words.doubt):
                yield f"{kind} doubted {up}"
            if one.role == "auxiliary" and one.lemma in words.modals:
                yield f"{kind} modal {up}"
            if one.role == "marker" and one.lemma in words.conditions:
                yield f"{kind} condition {up}"
            if one.role != "marker" and one.lemma in words.recurring:
                yield f"{kind} recurring {up}"
        if height:
            if over.lemma in words.unreal:
                yield f"{kind} unreal {up}"
            yield f"{kind} in {over.role} {min(height, 3)}"
        if over.role == "root":
            yield from (f"{kind} under {over.kind} {over.form}", f"={kind} under {over.lemma}")


def _classes(lemma: str, words: Words) -> Iterator[str]:
    return (one for one in _CLASSES if lemma in getattr(words, one))


def _form(form: WordForm, tense: WordForm) -> str:
    return "told" if form == tense else form


def _tense(sentence: PageSentence, at: int, tense: WordForm) -> str:
    """Return the tense of a word, or of the one on which it depends if it has none of its own."""
    for place in upwards(sentence, at):
        word = sentence.words[place]
        forms = {
            sentence.words[one].form for one in sentence.of(place, "auxiliary", "passive auxiliary")
        }
        own = forms or {word.form}
        for form in (tense, "past", "present", "future"):
            if form in own:
                return f"{_form(form, tense)}{' led' if place != at else ''}"
        if word.form == "infinitive":
            break
    return "none"
