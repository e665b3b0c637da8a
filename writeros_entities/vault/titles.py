"""What a note is called: as its file is, unless the file's name is a mere address.

    Places/Vantry/index.md                      Vantry
    black-hand.md with `title: The Black Hand`  The Black Hand
    black-hand.md that begins `# Black Hand`    Black Hand

Wikis that are published write the addresses of their pages so, and the name above the page.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from writeros_entities.values import JSON

FOLDER_NOTES = frozenset({"index", "_index"})
"""Names of files that stand for the folder that they lie in."""

TITLE_KEYS = ("title", "name")
"""Properties that may say what a note is called."""

FULL_NAME_KEYS = frozenset({*TITLE_KEYS, "full name", "fullname"})
"""Properties whose value is a longer name of the subject, where it has the note's own name in it:
`title: Marshal` is none.
"""

NICKNAME_KEYS = frozenset({"nickname", "nicknames", "aka", "also known as"})
"""Properties that hold other names, whatever the note is called."""

MOST_MORE = 3
"""Words that a name has more than its address, at most: a sentence is no name."""

_NO_NAMES = frozenset({"none", "n/a", "na", "tbd", "unknown", "null"})
_APOSTROPHES = re.compile("['’ʼ‘`´]")
_KEY_BREAKS = re.compile(r"[\s_-]+")
_WORDS = re.compile(r"[^\W_]+")


def read_title(path: str, frontmatter: Mapping[str, JSON], heading: str = "") -> str:
    """Return what the note at `path`, with these properties and this heading, is called."""
    *folders, file = path.split("/")
    stem = file.removesuffix(".md")
    if stem.lower() in FOLDER_NOTES and folders:
        folder = folders[-1]
        is_of_folder = not _words(folder).isdisjoint(_words(heading))
        return next(_stated(frontmatter, TITLE_KEYS), heading if is_of_folder else folder)
    if not stem.islower():
        return stem
    return spell_out(stem, filter(None, (*_stated(frontmatter, TITLE_KEYS), heading)))


def spell_out(address: str, names: Iterable[str]) -> str:
    """Return the first name that has the words of an address (`black-hand`), or else itself."""
    if not address.islower() or " " in address:
        return address
    own = {word for word in _words(address) if not word.isdigit()}
    for name in names:
        words = _words(name)
        if own and own <= words and len(words) <= len(own) + MOST_MORE:
            return name
    return address


def other_names(title: str, frontmatter: Mapping[str, JSON]) -> Iterator[str]:
    """Yield the names that a note's properties give its subject, besides that of the note."""
    own: frozenset[str] | None = None
    for key, value in frontmatter.items():
        folded = _fold_key(key)
        if folded in FULL_NAME_KEYS:
            own = own or _words(title)
            yield from (name for name in _texts(value) if own and own <= _words(name))
        elif folded in NICKNAME_KEYS:
            for name in _texts(value):
                if not name[0].islower() and name.casefold() not in _NO_NAMES:
                    yield name


def _stated(frontmatter: Mapping[str, JSON], keys: tuple[str, ...]) -> Iterator[str]:
    folded = {_fold_key(key): value for key, value in frontmatter.items()}
    for key in keys:
        yield from _texts(folded.get(key))


def _texts(value: JSON) -> Iterator[str]:
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, str) and item.strip(" \"'"):
            yield item.strip(" \"'")


@lru_cache(maxsize=1 << 10)
def _fold_key(key: str) -> str:
    return _KEY_BREAKS.sub(" ", key.casefold())


def _words(name: str) -> frozenset[str]:
    """Return the words of a name as an address has them: without case, accents and apostrophes."""
    if not name.isascii():
        decomposed = unicodedata.normalize("NFKD", name)
        name = "".join(each for each in decomposed if not unicodedata.combining(each))
    return frozenset(_WORDS.findall(_APOSTROPHES.sub("", name).casefold()))
