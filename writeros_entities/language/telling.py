"""Tell the language of a note: from its property, from the vault's, or from its words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Set
from typing import TYPE_CHECKING

from writeros_entities.values.notes import JSON, Note

if TYPE_CHECKING:
    from writeros_entities.protocols import Language

KEYS = ("language", "lang")
"""The properties by which a note says its language: its code, or a region's (`en-GB`)."""

READ = 2_000
"""How many characters of a note's body are looked at."""

SHARE = 0.08
"""Least share of a language's function words in a text of it; in prose it is over a fifth."""

FEWEST = 4
"""With fewer function words than this, a text may be in any language."""

LONG = 40
"""With more words, a text with few function words of each language is in another, or no prose."""

FEWEST_OWN = 2
"""With as many words that no other language has, a note without sentences is in a language."""

ENGLISH = "en"

SELDOM = 1 / 3
"""English is seldom told if there are more texts of no known language than three for each."""

_WORD = re.compile(r"[^\W\d_]++")


def tell_language(note: Note, languages: Mapping[str, Language], main: str) -> str:
    """Return the code of a note's language, one of `languages`, or "" for another one.

    That is what its property says; else the language with most function words in it; else, for a
    short note, the one to which alone most of its words belong, with those that head sections and
    label lines; else `main`, the language of the vault.
    """
    text = note.prose[note.body_start : note.body_start + READ]
    return tell_language_of(text, note.frontmatter, languages, main)


def tell_language_of(
    text: str, properties: Mapping[str, JSON], languages: Mapping[str, Language], main: str
) -> str:
    """Return the code of the language of a text, of which a note has properties."""
    stated = [value for key, value in properties.items() if key.casefold() in KEYS]
    for value in stated:
        if isinstance(value, str) and (code := _code(value)) in languages:
            return code
    words = [one.lower() for one in _WORD.findall(text[:READ])]
    counts = {
        code: sum(map(language.words.function_words.__contains__, words))
        for code, language in languages.items()
    }
    best = max(counts, key=counts.__getitem__, default="")
    if best and counts[best] >= max(FEWEST, SHARE * len(words)):
        return best
    if len(words) > LONG:
        return ""
    told = _by_own_words({*words, *map(str.lower, properties)}, languages)
    return told or (main if main in languages else "")


def is_mostly_english(texts: Iterable[str], languages: Mapping[str, Language]) -> bool:
    """Say whether most texts are in English, or too short to tell.

    Where English is seldom told, those in no known language count too: they may be in another one,
    but also tables of a rule book.
    """
    told = Counter(
        tell_language_of(text, {}, languages, "")
        for text in texts
        if len(_WORD.findall(text)) > LONG
    )
    english, untold = told.pop(ENGLISH, 0), told.pop("", 0)
    return english >= told.total() and english >= untold * SELDOM


def _by_own_words(words: Set[str], languages: Mapping[str, Language]) -> str:
    """Return the language to which alone most of some words belong."""
    known = {code: language.words.telling for code, language in languages.items()}
    counts = {
        code: len(frozenset(words & own).difference(*(known[one] for one in known if one != code)))
        for code, own in known.items()
    }
    best = max(counts, key=counts.__getitem__, default="")
    return best if best and counts[best] >= FEWEST_OWN else ""


def _code(value: str) -> str:
    """Return the code of a language without its region, in lower case."""
    return value.strip().lower().replace("_", "-").partition("-")[0]
