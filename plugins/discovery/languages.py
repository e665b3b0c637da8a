"""Keep the names whose capitals are evidence, in a text that is not English.

The name finder was trained on English prose, where it knows the common words. Elsewhere the capital
of a sentence's first word says nothing: *Puis* is no part of the name in *Puis Anna*, nor *La* in
*La Loire*, nor an elided article (*l'Anna*). In German, where all nouns are capitalised, only names
of several words are recognisable.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import dropwhile
from typing import TYPE_CHECKING, Final

from ..languages import LANGUAGES
from ..languages.capitals import TextLanguage, goes_on, stands_inside

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence, Set

    from .names import FoundName

_ELIDED: Final = re.compile(r"\A[DdLl]['’](?=[^\W\d_])")
_ELIDED_ARTICLE: Final = re.compile(r"\Al['’](?=[^\W\d_])")
_BREAKING: Final = (",", ";", " –", " —", "'s ", "’s ")


def keep_capitals(page: str, found: Sequence[FoundName]) -> Sequence[FoundName]:
    """Return the names whose capitals are evidence, in the language of the page."""
    language = TextLanguage(page)
    if not found or language.may_be_english:
        return found
    named = list(_without_openings(page, found))
    if language.is_german:
        return _without_nouns(named, language.nouns)
    return list(_without_small_words(page, named))


def _without_openings(page: str, found: Sequence[FoundName]) -> Iterator[FoundName]:
    """Yield the names without a word that is capitalised only because a sentence starts with it.

    Such a word also occurs in lower case on the page, or the rest of the name also occurs without
    it: alone, inside a sentence, or after another first word. Behind the name, the sentence goes
    on, or breaks off.
    """
    inside = {name.text for name in found if stands_inside(page, name.start)}
    words = {word for text in inside for word in text.split(" ")}
    behind = Counter(rest for _, _, rest in {name.text.partition(" ") for name in found})
    alone = {name.text for name in found if " " not in name.text}
    known = inside | alone | {rest for rest, firsts in behind.items() if firsts > 1}
    lower = set(filter(str.islower, page.split()))
    small = _small_words() & lower
    for name in found:
        first, _, rest = name.text.partition(" ")
        is_small = first.lower() in small
        if is_small and f" {first.lower()} {rest}" in page:
            yield _shorten(name, rest)
        elif name.text in inside or (first in words and not is_small):
            yield name
        elif rest and (
            is_small
            or (goes_on(page, name.end) and rest in known)
            or (_may_go_on(page, name.end) and first.lower() in lower)
        ):
            yield _shorten(name, rest)
        elif rest:
            yield name


def _may_go_on(page: str, end: int) -> bool:
    return goes_on(page, end) or page.startswith(_BREAKING, end)


def _without_nouns(names: Sequence[FoundName], nouns: Set[str]) -> list[FoundName]:
    """Return the names of several words that contain no noun."""
    return [name for name in names if " " in name.text and nouns.isdisjoint(name.text.split(" "))]


def _without_small_words(page: str, names: Sequence[FoundName]) -> Iterator[FoundName]:
    """Yield the names without a leading preposition or elided article; such a word is none itself.

    What is elided belongs to a name that never occurs without it: *d'Artagnan*. To one of several
    words it belongs only if that also begins a sentence.
    """
    small = _small_words() & set(page.split())
    names = [
        _shorten(name, _ELIDED_ARTICLE.sub("", _from_capital(name.text)))
        for name in names
        if name.text.lower() not in small
    ]
    texts = {name.text for name in names}
    leading = {name.text for name in names if not stands_inside(page, name.start)}
    for name in names:
        bare = _ELIDED.sub("", name.text)
        is_elided = bare in texts or (" " in bare and name.text not in leading)
        yield _shorten(name, bare) if is_elided else name


@cache
def _small_words() -> frozenset[str]:
    """Return the articles and other small words of all languages but those told apart by them."""
    told = [one.words for one in LANGUAGES if one.code not in ("en", "de")]
    return frozenset().union(*(one.function_words | one.definite | one.articles for one in told))


def _from_capital(text: str) -> str:
    return " ".join(dropwhile(str.islower, text.split(" ")))


def _shorten(name: FoundName, text: str) -> FoundName:
    """Return a name reduced to its ending `text`."""
    return name._replace(start=name.end - len(text), text=text)
