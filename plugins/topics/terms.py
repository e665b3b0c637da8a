"""Find the terms of a text by their C-value.

The C-value (Frantzi, Ananiadou and Mima, 2000: "Automatic recognition of multi-word terms") of a
term `a` of one to three words that occurs `f(a)` times is `log2(1 + |a|) · (f(a) - mean of f(b))`,
over the longer terms `b` that contain `a`: "lamp" counts only where it is not part of "storm lamp".
It depends on no other note, so nothing that is hidden from a reader can influence it; it needs no
model or library; and unlike plain frequency it finds whole phrases. A single word must be the head
of noun phrases ("the page was"), common English words more often than others. Capitalised words are
left out, since names are entities. Only English terms are found.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import log2

from writeros_entities import MARK

from ..english import COMMON_WORDS, STOP_WORDS

FEWEST_ALONE, FEWEST_TOGETHER = 3, 2
"""How often a single word, and a run of words, must occur to be a term."""

FEWEST_COMMON, FEWEST_HEADED = 3, 2
"""How often a common English word, and any other, must be the head of a noun phrase."""

LEAST_ENGLISH = 0.25
"""The least share of common English words in a note that may have terms."""

DETERMINERS = frozenset({"the", "a", "an", "her", "his", "their", "its", "my", "your", "our"})

_MARKS = re.compile(r"[^\w\s'’-]+")
_WESTERN = "cp1252"
"""An encoding that includes typographic punctuation."""
_CHARACTERS = bytes(range(256)).decode(_WESTERN, "replace")
_STOPS = _MARKS.sub(lambda run: "." * len(run[0]), _CHARACTERS).encode(_WESTERN)
"""Maps punctuation in that encoding to full stops."""
_STOPS_TOGETHER = re.compile(r"\.\.+")


def find_terms(prose: str) -> list[tuple[str, float]]:
    """Return the terms of a text with their C-values, in descending order."""
    tokens = _tokens(prose.replace(MARK, ""))
    words = Counter(tokens)
    if sum(map(words.__getitem__, COMMON_WORDS.intersection(words))) < LEAST_ENGLISH * len(tokens):
        return []
    repeated = {
        word
        for word, count in words.items()
        if count >= FEWEST_TOGETHER and len(word) > 2 and word not in STOP_WORDS and word.islower()
    }
    places = [at for at, token in enumerate(tokens) if token in repeated]
    heads = _heads(tokens, places)
    found: dict[tuple[str, ...], int] = {
        (word,): words[word]
        for word, count in heads.items()
        if words[word] >= FEWEST_ALONE
        and count >= (FEWEST_COMMON if word in COMMON_WORDS else FEWEST_HEADED)
    }
    together = Counter(_runs(tokens, places))
    found |= {run: count for run, count in together.items() if count >= FEWEST_TOGETHER}
    return _ranked(found)


def _tokens(text: str) -> list[str]:
    """Return the words of a text, with one full stop for each run of punctuation."""
    encoding = "ascii" if text.isascii() else _WESTERN
    try:
        stopped = text.encode(encoding).translate(_STOPS).decode(encoding)
    except UnicodeEncodeError:
        return _MARKS.sub(" . ", text).split()
    return _STOPS_TOGETHER.sub(".", stopped).replace(".", " . ").split()


def _runs(tokens: Sequence[str], places: Sequence[int]) -> list[tuple[str, ...]]:
    """Return all runs of two and three words at consecutive places."""
    following = pairwise(places)
    pairs = [start for start, end in following if end == start + 1]
    longer = pairwise(pairs)
    triples = [start for start, end in longer if end == start + 1]
    runs: list[tuple[str, ...]] = [(tokens[at], tokens[at + 1]) for at in pairs]
    return runs + [(tokens[at], tokens[at + 1], tokens[at + 2]) for at in triples]


def _heads(tokens: Sequence[str], places: Sequence[int]) -> Counter[str]:
    """Count how often each word is the head of a noun phrase: "the page was", not "the old man"."""
    return Counter(
        [
            tokens[at]
            for at in places
            if at
            and tokens[at - 1].lower() in DETERMINERS
            and _ends_phrase(tokens[at + 1 : at + 2])
        ]
    )


def _ends_phrase(after: Sequence[str]) -> bool:
    return not after or after[0] in STOP_WORDS or not after[0].isalpha()


def _ranked(found: dict[tuple[str, ...], int]) -> list[tuple[str, float]]:
    containing: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for term, count in found.items():
        for part in _parts(term):
            containing[part].append(count)
    values = {}
    for term, count in found.items():
        longer = containing[term]
        value = log2(1 + len(term)) * (count - (sum(longer) / len(longer) if longer else 0))
        if value > 0:
            values[" ".join(term)] = value
    return sorted(values.items(), key=lambda each: (-each[1], each[0]))


def _parts(term: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for length in range(1, len(term)):
        for start in range(len(term) - length + 1):
            yield term[start : start + length]
