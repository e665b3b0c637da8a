"""Find the headings of a note whose sections are each about one person, place or thing.

    Story Bible.md
    ## Character roster         lists people
    ### Main characters         groups names
    #### Nell Okonkwo, 34       a name, with or without a remark behind it
    ##### Appearance            part of what is told of her
    ## The Drowning             a name too, if another note links to it or uses it as one

    The Vale.md
    ## Blood Marks              a name, since the section begins with what it is:
    Blood Marks are signs…      by name, as "it is" or "these are", or as "a sign of…"
    ## Trina - God of Harvest   a name, with what it is behind it
    ## K4. Salt Cellar          a name behind its key on a map

    ## NPCs
    - Bodo Reef – keeps watch   an item that is told of: a name, without a section of its own

What stands in a list, which may be the whole note (`Characters.md`), is an entity however seldom
the chapters use its name; a single word must be used once, or have a remark behind it. In a note of
the story's world, so is what the note tells of. Of other headings that is so only if the rest of
the vault knows their names.

Find what the items of a list name, where the list says what they are.

## NPCs
- Bodo Reef – keeps the watch        a name, and what is told of it
- **Beed** the innkeeper             a name in bold
**Morrow:** sells maps               or as a label
- they are all afraid                no name
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from writeros_entities.sync.drafting.declarations import own_heading
from writeros_entities.sync.drafting.type_words import singulars_of
from writeros_entities.values import HEADING_SEPARATOR, HIDDEN, MARK, ProposedName
from writeros_entities.vault.headings import heading_paths
from writeros_entities.vault.links import section_span

if TYPE_CHECKING:
    from writeros_entities.language.words import Words
    from writeros_entities.sync.drafting.type_words import TypeWords
    from writeros_entities.values import Heading, Note, Span


_ITEM = re.compile(r"^[ \t>]*+([-+*]|\d{1,3}[.)])[ \t]++(?=[^\s\[])", re.MULTILINE)
_LABEL = re.compile(r"^[ \t>]*+(?=\*\*|__)", re.MULTILINE)
_LONGEST = 60
_BOLD = re.compile(rf"(\*\*|__)([^*_\n:]{{1,{_LONGEST}}}+)(?:(:)\1|\1(:| [-–—] )?)[ \t]*+(\S)?")
_PLAIN = re.compile(rf"([^*_\n:\[\](|]{{1,{_LONGEST}}}?)(?::| ?\(| [-–—] )[ \t]*+\S")


def described_items(text: str) -> Iterator[str]:
    """Yield what stands in front of each item that goes on to tell of it, in order."""
    for item in _ITEM.finditer(text):
        bold = _BOLD.match(text, item.end())
        if bold is not None:
            if bold[5]:
                yield bold[2].strip()
        elif plain := _PLAIN.match(text, item.end()):
            yield plain[1].strip()
    for label in _LABEL.finditer(text):
        bold = _BOLD.match(text, label.end())
        if bold is not None and bold[5] and (bold[3] or bold[4]):
            yield bold[2].strip()


LINKED = ""
"""Stands for the heading of a name by which a note links to a section of another note."""

_CONCEPT = "concept"
"""A list of concepts says little: the sections of a glossary tell of anything."""

_CONFIDENCE = 0.9
_SAID = 1.0
"""The confidence of what stands in a list that says what its items are."""
_BY_DEFAULT = 0.5
"""How sure it is that what a section is about is a concept, as nothing says more."""
_QUOTES = "\"'“”‘’«»„*_.,;:!?()"
_MARGIN = " \t>*_#-+•~"
_FEW = 6
_REFERRING = 3
"""Most words of a section that only refers to others, links aside."""
_MOST_WORDS = 5
_REMARK = re.compile(r"(?<!\s)\s*(?:[(\[,;:/|]|(?<=\s)[-–—=]+\s).*\Z", re.DOTALL)
_MARKS = re.compile(r"\A(?:[A-Z]?\d+[a-z]?[.):]\s+|[\W_])+|(?<![*_~=\s])[*_~=\s]+\Z")
_ORDER_MARK = re.compile(r"\A[\W\d_]+")
_WORD = re.compile(r"[^\W\d_][\w.'’-]*")


@dataclass(frozen=True)
class Headings:
    """Reads headings with the words of all languages."""

    languages: Collection[Words]

    @cached_property
    def _of_lists(self) -> frozenset[str]:
        return frozenset().union(*(one.list_titles for one in self.languages))

    @cached_property
    def _grouping(self) -> frozenset[str]:
        return frozenset().union(
            *(one.grouping_headings | one.vague_headings for one in self.languages)
        )

    @cached_property
    def _particles(self) -> frozenset[str]:
        return frozenset().union(*(one.particles | one.leading for one in self.languages))

    @cached_property
    def _pointing(self) -> frozenset[str]:
        return frozenset().union(*(one.pointing for one in self.languages))

    def propose(
        self,
        note: Note,
        types: TypeWords,
        needed: int,
        *,
        is_world: bool = False,
        own: str | None = None,
    ) -> Iterator[ProposedName]:
        """Yield the names of a note's sections, and those by which it links to such sections.

        In a note of the story's world (`is_world`), a section that says what its heading is makes
        it an entity. What is of the note's `own` type by its name alone is only part of it.

        One that is not in a list becomes an entity if other notes use its name as often as is
        `needed` for a name without a section. A link to it is enough for that.
        """
        repeated = Counter(heading.text.casefold() for heading in note.headings)
        listed: list[tuple[int, str]] = []
        titled = self.listed_type(note.title, types)
        about = 0
        title = own_heading(note)
        if titled is not None:
            yield from self._items(note, 0, titled, types)
        for heading, path in zip(note.headings, heading_paths(note.headings), strict=True):
            listed = [one for one in listed if one[0] < heading.level]
            if about and heading.level > about:
                continue  # tells of the name above
            about = 0
            of_list = self.listed_type(heading.text, types, is_heading=True)
            if of_list is not None:
                listed.append((heading.level, of_list))
            name = None if of_list else self.read_name(heading.text)
            if name is None and listed:
                yield from self._items(note, heading.end, listed[-1][1], types)
            if name is None or repeated[heading.text.casefold()] > 1 or heading.text == title:
                continue
            kind = listed[-1][1] if listed else titled
            shown = HEADING_SEPARATOR.join(path)
            told = None
            if is_world and kind in (None, _CONCEPT) and name != note.title:
                told = self._told(note, heading, name, types, own)
            if told is not None:
                sure = _SAID if told != _CONCEPT else _BY_DEFAULT
                yield ProposedName(name, told, 1, 1, _CONFIDENCE, shown, sure)
            elif kind in (None, _CONCEPT):
                said = types.by_description(_first_sentence(note, heading), (name,))
                sure = _BY_DEFAULT if said is None else _SAID
                yield ProposedName(name, said or kind, 0, needed, _CONFIDENCE, shown, sure)
            else:
                about = heading.level
                is_told = " " in name or len(heading.text.split()) > 1
                yield ProposedName(name, kind, 1, 1 if is_told else 2, _CONFIDENCE, shown)
        for link in note.links:
            name = self.read_name(link.heading.rpartition("#")[2]) if link.heading else None
            if name is not None and link.target and link.kind != "embed":
                yield ProposedName(name, None, 0, needed, _CONFIDENCE, LINKED)

    def _items(self, note: Note, start: int, kind: str, types: TypeWords) -> Iterator[ProposedName]:
        """Yield what the items of a list name, from `start` to the next heading.

        Where one is a label of a sheet, they all tell of one entity. A list of concepts says too
        little, and what is in capitals is a code.
        """
        end = next((one.start for one in note.headings if one.start >= start), len(note.text))
        items = list(described_items(note.text[start:end])) if kind != _CONCEPT else []
        if any(map(types.says_sort, items)):
            return
        for item in items:
            name = self.read_name(item)
            if name is not None and not name.isupper():
                yield ProposedName(name, kind, 1, 1, _SAID)

    def listed_type(self, title: str, types: TypeWords, *, is_heading: bool = False) -> str | None:
        """Return the type of what a title lists: "Characters", "List of places".

        A heading that is not the word for several of them only says of what a section tells:
        "Geography", "History".
        """
        cleaned = _ORDER_MARK.sub("", title).casefold()
        words = cleaned.split()
        telling = [word for word in words if word not in self._of_lists]
        listed = " ".join(telling) if telling else cleaned
        found = types.by_folder(listed)
        if found is None and types.is_personal(qualified := types.by_qualified_folder(listed)):
            found = qualified
        if len(telling) == 1 and len(words) > 1:
            several = types.by_word(listed) if singulars_of(listed)[1:] else None
            found = found or several or types.by_folder(f"{listed}s")
        is_told = is_heading and types.by_word(listed) is None and not types.is_personal(found)
        return None if is_told else found

    def _told(
        self, note: Note, heading: Heading, name: str, types: TypeWords, own: str | None
    ) -> str | None:
        """Return the type of what a heading names, if it or its section says what that is.

        It is a concept if nothing says more. A word for a sort of entity, or for a label of a
        sheet, only says what is told below.
        """
        text = _MARKS.sub("", heading.text)
        if types.says_sort(name) or text.startswith(":", len(name)):
            return None
        if _only_links(note, heading):
            return None
        named = name.split()
        of_name = types.by_word(named[-1]) if len(named) > 1 else None
        if of_name is not None and (of_name != own or own == _CONCEPT):
            return of_name
        remark = _MARKS.sub("", text[len(name) :])
        of_remark = types.by_noun_of(remark) if remark else None
        if of_remark is not None:
            return of_remark
        words = [word.strip(_QUOTES) for word in _first_sentence(note, heading).split()]
        if not any(words) or not self._says_what(words, name, types):
            return None
        first = words[0].casefold()
        described = " ".join(words[2:] if first in self._pointing else words)
        told = types.by_description(described, (name, name.removesuffix("s")))
        return told or types.of_name(name, None) or _CONCEPT

    def _says_what(self, words: Sequence[str], name: str, types: TypeWords) -> bool:
        """Say whether a sentence of these words begins with what a name stands for.

        "Blood Marks are signs", "a grimoire is a book"; "these are signs", "this game is played";
        or, of a name of several words, "a sign of the blood".
        """
        named = [_stem(word) for word in name.split() if word.casefold() not in self._particles]
        first = words[0].casefold()
        being = next((at for at, word in enumerate(words[:3]) if types.is_being(word)), 0)
        if first in self._pointing and being and words[1] not in self._grouping:
            repeated = (word for word in words[2:_FEW] if _stem(word) == named[-1].casefold())
            return next(repeated, None) is None
        is_one = types.is_article(first)
        said = words[1:] if first in self._particles else words
        is_named = [_stem(word) for word in said[: len(named)]] == named
        if is_one and [_stem(word) for word in said[: len(named)]] == [
            word.casefold() for word in named
        ]:
            is_named = len(said) > len(named) and types.is_being(said[len(named)])
        return is_named or (is_one and " " in name)

    def read_name(self, heading: str) -> str | None:
        """Return the name that a heading is; None if it only groups names, or is no name."""
        if "[[" in heading:
            return None
        name = _MARKS.sub("", _REMARK.sub("", _MARKS.sub("", heading)))
        words = name.split()
        if not 0 < len(words) <= _MOST_WORDS:
            return None
        if any(word.casefold() in self._grouping for word in words):
            return None
        is_name = all(
            _WORD.fullmatch(word) and (word[0].isupper() or word in self._particles)
            for word in words
        )
        return name if is_name and not words[-1].islower() else None


def _first_sentence(note: Note, heading: Heading) -> str:
    """Return the text with which a section begins, up to the end of a line; "" if a heading or a
    table does.
    """
    end = next((one.start for one in note.headings if one.start > heading.start), len(note.text))
    shown = note.prose[heading.end : end].replace(MARK, "").replace(HIDDEN, " ")
    lines = (line for one in shown.splitlines() if (line := one.strip(_MARGIN)))
    first = next(lines, "")
    return "" if first.startswith("|") else first


def _only_links(note: Note, heading: Heading) -> bool:
    """Say whether a section only refers to others, by a few words with a link: "See [[Fog]]"."""
    end = section_span(note, heading).end
    links = [link for link in note.links if heading.end <= link.start < end]
    shown = sum(len(_WORD.findall(note.prose, one.text_start, one.text_end)) for one in links)
    return bool(links) and len(_WORD.findall(note.prose, heading.end, end)) - shown <= _REFERRING


def _stem(word: str) -> str:
    """Return a word without a possessive or plural ending."""
    bare = word.removesuffix("'s").removesuffix("’s")
    return f"{bare[:-3]}y" if bare.endswith("ies") else bare.removesuffix("s")


def listed_sections(note: Note, proposals: Iterable[ProposedName]) -> Iterator[Span]:
    """Yield the spans of the sections that are each about an entity of a list."""
    listed = {one.heading for one in proposals if one.heading and one.count}
    if listed:
        for heading, path in zip(note.headings, heading_paths(note.headings), strict=True):
            if HEADING_SEPARATOR.join(path) in listed:
                yield section_span(note, heading)
