"""The title of a note: its file name, unless that is a URL slug or the index of a folder.

    Places/Vantry/index.md                      Vantry
    black-hand.md with `title: The Black Hand`  The Black Hand
    black-hand.md that begins `# Black Hand`    Black Hand
    Ann Hale 0a1b2c….md, exported by Notion     Ann Hale

Published wikis use slugs as file names, and have the title inside the page.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from writeros_entities.properties import join_properties

if TYPE_CHECKING:
    from writeros_entities.values import JSON

FOLDER_NOTES = frozenset({"index", "_index", "homepage"})
"""Names of files that stand for their folder."""

TITLE_KEYS = ("title", "name")
"""Properties that may hold a note's title."""

FULL_NAME_KEYS = frozenset({*TITLE_KEYS, "full name", "fullname"})
"""Properties that may hold a longer name of the subject, which must contain the note's own name;
`title: Marshal` does not.
"""

NICKNAME_KEYS = frozenset(
    {
        *("nickname", "nicknames", "aka", "also known as", "also called", "other name"),
        *("other names", "alternative name", "alternative names", "alternate name"),
        "alternate names",
    }
)
"""Properties that hold other names of the subject."""

MOST_MORE = 3
"""Most words that a title may have beyond those of the slug; a sentence is not a title."""

_TIMESTAMP = 8
"""Digits in front of a title that are a date, or the number of a card."""

_LEAST_LETTERS = 2
"""A title with fewer letters is an address, not a name."""

_OPENING = "\"'’“«(["
_SIGNS = frozenset({"So", "Sk", "Zs", "Cf", "Cn", "Cc"})
"""Unicode's categories of emoji and other pictures, of spaces and of what is invisible."""

_PAGE_ID = re.compile(r" [0-9a-f]{32}\Z")
_SEVERAL = re.compile(r"(?<!\s)\s*[,;]\s*")
_ARTICLE = re.compile(r"the (?=\S)")
_NO_NAMES = frozenset({"none", "n/a", "na", "tbd", "unknown", "null"})
_APOSTROPHES = re.compile("['’ʼ‘`´]")
_KEY_BREAKS = re.compile(r"[\s_-]+")
_WORDS = re.compile(r"[^\W_]+")


def read_title(path: str, frontmatter: Mapping[str, JSON], heading: str = "") -> str:
    """Return the title of the note at `path`, with these properties and this first heading."""
    *folders, file = path.split("/")
    stem = without_page_id(file.removesuffix(".md"))
    if stem.lower() in FOLDER_NOTES and folders:
        folder = without_page_id(folders[-1])
        is_of_folder = not _words(folder).isdisjoint(_words(heading))
        return next(_stated(frontmatter, TITLE_KEYS), heading if is_of_folder else folder)
    if not stem.islower():
        return stem
    return spell_out(stem, filter(None, (*_stated(frontmatter, TITLE_KEYS), heading)))


def without_page_id(name: str) -> str:
    """Return the name of a file or folder without the id that Notion adds to what it exports."""
    return _PAGE_ID.sub("", name) if len(name) > 33 else name


def subject_name(
    title: str, frontmatter: Mapping[str, JSON], heading: str, is_role: Callable[[str], bool]
) -> str:
    """Return the name of whom or what a note is about: its title without what only marks it.

    `heading` is the first of the note; `is_role` says whether a word is for a kind of entity.

        👑 Mara Voss, @Mara Voss, 202301011200 Mara Voss, NPC - Mara Voss     Mara Voss
        c-0417 with `name: Lena Holt`                                         Lena Holt
    """
    name = title if " " in title else title.replace("_", " ")
    before, dash, rest = name.partition(" - ")
    marker = _trimmed(before)
    if dash and (marker.isdigit() or not marker or is_role(marker)):
        name = rest
    first, _, rest = name.partition(" ")
    if rest and first.isdigit() and len(first) >= _TIMESTAMP:
        name = rest
    name = _trimmed(name)
    if sum(map(str.isalpha, name)) >= _LEAST_LETTERS:
        return name
    stated = (*_stated(frontmatter, TITLE_KEYS), heading)
    return next((one for one in stated if any(map(str.isalpha, one))), name or title)


def _trimmed(name: str) -> str:
    """Return a name without marks and signs at its ends, but for those that are part of words."""
    start, end = 0, len(name)
    while start < end and not (name[start].isalnum() or name[start] in _OPENING):
        start += 1
    while end > start and unicodedata.category(name[end - 1]) in _SIGNS:
        end -= 1
    return name[start:end]


def spell_out(address: str, names: Iterable[str]) -> str:
    """Return the first name that has the words of a slug (`black-hand`), or the slug."""
    if not address.islower() or " " in address:
        return address
    own = {word for word in _words(address) if not word.isdigit()}
    for name in names:
        words = _words(name)
        if own and own <= words and len(words) <= len(own) + MOST_MORE:
            return name
    return address


def is_numbered(address: str) -> bool:
    """Say whether a slug has a number, by which a website finds its page: `vell_111`."""
    return any(map(str.isdigit, _words(address)))


def other_names(title: str, frontmatter: Mapping[str, JSON]) -> Iterator[str]:
    """Yield the names that a note's properties give to its subject, in addition to the title."""
    own: frozenset[str] | None = None
    for key, value in frontmatter.items():
        folded = _fold_key(key)
        if folded in FULL_NAME_KEYS:
            own = own or _words(title)
            yield from (name for name in _texts(value) if own and own <= _words(name))
        elif folded in NICKNAME_KEYS:
            for name in (part for text in _texts(value) for part in _SEVERAL.split(text)):
                first = _ARTICLE.sub("", name)[:1]
                if first and not first.islower() and name.casefold() not in _NO_NAMES:
                    yield name


def gives_name(title: str, key: str, value: JSON) -> bool:
    """Say whether a property gives a name of its note's subject."""
    return any(other_names(title, {key: value}))


def told_properties(title: str, frontmatter: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return the properties that tell of a note's subject, but for those that give its names.

    A reader may not have met such a name yet.
    """
    told = join_properties(frontmatter, {})
    return {key: value for key, value in told.items() if not gives_name(title, key, value)}


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
    """Return the words of a name as in a slug: without case, accents and apostrophes."""
    if not name.isascii():
        decomposed = unicodedata.normalize("NFKD", name)
        name = "".join(each for each in decomposed if not unicodedata.combining(each))
    return frozenset(_WORDS.findall(_APOSTROPHES.sub("", name).casefold()))
