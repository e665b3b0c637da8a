"""The words by which a vault tells types and other names: those of types, of folders, of languages.

types = TypeWords(plugins.entity_types.values(), plugins.words)
types.by_word("tavern")              # place
types.of_folder("🕯️ PNJ")            # person
[*types.called("Odile Fenn, also known as the Heron", ["Odile Fenn"])]      # Heron
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from writeros_entities.language.sentences import part_ends
from writeros_entities.names import fold_name
from writeros_entities.values import HIDDEN, MARK
from writeros_entities.vault.titles import other_names, without_page_id

if TYPE_CHECKING:
    from writeros_entities.language.words import Words
    from writeros_entities.values import JSON, EntityType

PERSON, PLACE, FACTION = "person", "place", "faction"
CONCEPT, CREATURE, EVENT = "concept", "creature", "event"

OF_A_WORK = frozenset({"book", "lore", "setting", "world"})
"""Types that, as a tag or folder, more often say which work a note is of: `#book/2`, `World`."""

_LONGEST_DESCRIPTION = 10
"""Most words up to the noun that says what something is."""

_STOPS = tuple(".,;:!?")
_MARKS = "".join(_STOPS) + '()*_[]"“”'

_BEFORE_NAME = 6
"""Most characters before the name that a sentence is about: an article, marks."""

_SHORTEST_FIRST, _SHORTEST_LAST = 3, 4
"""Fewest letters of the first part of a compound noun, and of the last."""

_BEHIND = re.compile(r"\S \(([^()]+)\)\Z")
_NUMBER = re.compile(r"[IVX]+|[A-Z]|\d+")
_BESIDE = re.compile(r"[*_\]]*(?:,| [-–—]) ([^.,;:!?()]+)")
_MOST_BESIDE = 4
"""Most words of what stands beside a name, up to what adds to it."""
_WORD_BREAKS = re.compile(r"[\s_-]+")
_ORDER_MARK = re.compile(r"\A(?:[\W\d_]|z+_)+(?=[^\W\d_])")
"""A prefix that only sorts a folder among others: "02 - ", "_", "z_", an emoji."""
_ORNAMENTS = "~*=+-–—_ "

_REACH, _MOST_CALLED = 120, 4
"""Characters of a sentence before and behind what gives a name, and the most words of that name."""

_QUOTES = "\"'“”‘’«»„*_"
_BETWEEN = f"{_QUOTES},()-–—"
_LONGEST_CALLING = 3
_SAID = re.compile(r"\S+")
_ENDS_NAME = re.compile(r"[,;:!?()\n\"“”«»\x00]|[.'’](?![^\W\d_])")


class TypeWords:
    """Lookup of entity types by word and by folder name, and by the nouns of languages.

    The name and plural of a type take precedence over synonyms of other types: a plugin's type
    `vessel` is found even though `item` has the synonym "vessel".
    """

    def __init__(self, types: Collection[EntityType], languages: Collection[Words] = ()) -> None:
        self._languages = languages
        self._words: dict[str, str] = {}
        self._folders: dict[str, str] = {}
        self._personal = {kind.name for kind in types if kind.personal}
        for kind in types:
            for word in (kind.name, kind.plural):
                self._words.setdefault(_squeeze(word), kind.name)
            self._folders.setdefault(fold_word(kind.plural), kind.name)
        for kind in types:
            for word in kind.synonyms:
                self._words.setdefault(_squeeze(word), kind.name)
            for folder in kind.folders:
                self._folders.setdefault(fold_word(folder), kind.name)

    def is_personal(self, name: str | None) -> bool:
        """Say whether the entities of a type are people."""
        return name in self._personal

    def by_word(self, word: str) -> str | None:
        """Return the type that a word stands for, in the singular or plural and however joined."""
        return next(filter(None, map(self._words.get, singulars_of(word))), None)

    def by_noun(self, phrase: str) -> str | None:
        """Return the type of what a phrase names: by all of it, or by the noun at its head."""
        words = phrase.split()
        nouns = [phrase, words[-1]] if len(words) > 1 else [phrase]
        singulars = (one for noun in nouns for one in singulars_of(noun))
        known = next(filter(None, map(self.by_word, nouns)), None)
        return known or next(filter(None, map(self._sort, singulars)), None)

    def by_description(self, sentence: str, names: Iterable[str]) -> str | None:
        """Return the type that a sentence tells: "Fenwick is a fishing village on the coast".

        It is that of the noun before anything that only adds to it. A sentence without one of
        the `names` must begin with an indefinite article: "A fishing village on the coast." What
        stands beside the name tells it too: "Fenwick, fishing village on the coast".
        """
        said = sentence.casefold()
        if beside := self._beside(said, names):
            return beside
        words = self._described(said, names)
        articles = self._articles if words == said.split() else self._articles | self._definite
        if words and len(words) < len(sentence.split()):
            nouns = (self._sorts_without_articles.get(word.strip(_MARKS)) for word in words[:3])
            told = next(filter(None, nouns), None)
            if told is not None:
                return told
        if not words or words[0] not in articles:
            return None
        head: list[str] = []
        for word in words[1:_LONGEST_DESCRIPTION]:
            bare = word.strip(_MARKS)
            if bare in self._adding and head:
                break
            head.append(bare)
            if word.endswith(_STOPS):
                break
        return self.by_noun(" ".join(head[-2:])) if head else None

    def _described(self, sentence: str, names: Iterable[str]) -> list[str]:
        """Return the words behind "is" if a sentence begins with a name, else all of them."""
        for name in names:
            _, found, rest = sentence.partition(name.casefold())
            if found and len(sentence) - len(found) - len(rest) <= _BEFORE_NAME:
                words = rest.strip(" *_]").split()
                return words[1:] if words and words[0] in self._being else []
        return sentence.split()

    def _beside(self, sentence: str, names: Iterable[str]) -> str | None:
        """Return the type of the noun beside a name with which a sentence begins."""
        for name in names:
            _, found, rest = sentence.partition(name.casefold())
            if found and len(sentence) - len(found) - len(rest) <= _BEFORE_NAME:
                beside = _BESIDE.match(rest)
                words = beside[1].split() if beside else []
                if words and (words[0] in self._articles or words[0] in self._definite):
                    words = words[1:]
                end = next((at for at, one in enumerate(words) if one in self._adding), len(words))
                is_short = 0 < end <= _MOST_BESIDE and self._being.isdisjoint(words[:end])
                return self.by_noun(" ".join(words[:end])) if is_short else None
        return None

    def is_being(self, word: str) -> bool:
        """Say whether a word stands between somebody and what he is: "is", "were"."""
        return word in self._being

    def is_article(self, word: str) -> bool:
        """Say whether a word is an indefinite article."""
        return word in self._articles

    def by_noun_of(self, phrase: str) -> str | None:
        """Return the type of the noun at the head of a phrase: "God of the Harvest"."""
        words = phrase.split()
        of = next((at for at, word in enumerate(words) if word in self._of), len(words))
        return self.by_noun(" ".join(words[:of])) if of else None

    def says_sort(self, phrase: str) -> bool:
        """Say whether a phrase is a word for a sort of entity, or for what sheets tell of one."""
        folded = fold_name(phrase)
        return (
            folded in self.sheet_labels
            or self.by_word(phrase) is not None
            or self.by_folder(phrase) is not None
        )

    def of_name(self, name: str, told: str | None) -> str | None:
        """Return the type that a name of several words tells: "Temple of Iron", "Lumen Region".

        Where its uses told that it is somebody's, it needs a word for a type, as many surnames are
        nouns too. A noun in the plural names several, "Halden Instruments" is none, but for parts
        of a land: "Thal Ruins". A single word tells one only by what it is a compound of.
        """
        words = name.split()
        of = next(
            (at for at, word in enumerate(words) if word.casefold() in self._behind), len(words)
        )
        if of == 0:
            return told
        head = words[of - 1].casefold()
        if len(words) < 2:
            return told or self._by_ending(head)
        found = self.by_word(head)
        if found is None and told != PERSON:
            found = self._sort(_squeeze(head))
            if found is None and PLACE in map(self._sort, singulars_of(head)):
                found = PLACE
        return told if found in (None, PERSON) else found

    def of_mark(self, name: str) -> str | None:
        """Return the type that brackets behind a name tell, or what a number counts: "Ann Hale
        (Sheriff)", "Team 2".
        """
        if behind := _BEHIND.search(name):
            return self.by_noun(behind[1])
        first, _, rest = name.partition(" ")
        found = self.by_noun(first) if _NUMBER.fullmatch(rest) else None
        return None if found == CONCEPT else found

    def of_front(self, name: str) -> str | None:
        """Return the type that a title, or a word for a place or a group, tells in front of a name
        that no noun ends: "King Aldo", "Castle Marrow".
        """
        first, *rest = name.split()
        if not rest or rest[0].casefold() in self._behind or not rest[-1][:1].isupper():
            return None
        if self.by_noun(rest[-1]) is not None:
            return None
        first = first.casefold().rstrip(".")
        if first in self._personal_titles:
            return PERSON
        found = self.by_word(first) or self._sort(first)
        return found if found in (PLACE, FACTION) else None

    def _sort(self, noun: str) -> str | None:
        return self._sorts.get(noun) or self._by_ending(noun)

    def _by_ending(self, noun: str) -> str | None:
        """Return the sort of a compound noun, by what it ends in: "Schattenwesen"."""
        ends = (noun[at:] for at in range(_SHORTEST_FIRST, len(noun) - _SHORTEST_LAST + 1))
        return next(filter(None, (self._sorts.get(f"-{end}") for end in ends)), None)

    @cached_property
    def _personal_titles(self) -> frozenset[str]:
        return self._all("people") | self._all("short_titles")

    @cached_property
    def _behind(self) -> frozenset[str]:
        return self._of | self._all("prepositions")

    @cached_property
    def _sorts(self) -> Mapping[str, str]:
        return {noun: sort for one in self._languages for noun, sort in _sorts(one).items()}

    @cached_property
    def _sorts_without_articles(self) -> Mapping[str, str]:
        """The sorts that the nouns of languages without articles tell."""
        without = [one for one in self._languages if not one.articles]
        return {noun: sort for one in without for noun, sort in one.sorts.items()}

    @cached_property
    def sheet_labels(self) -> Mapping[str, str]:
        """The types of which labels tell, by label."""
        return {word: sort for one in self._languages for word, sort in one.sheet_labels.items()}

    @cached_property
    def game_labels(self) -> frozenset[str]:
        """The labels of the figures that a game's rules give to things and creatures."""
        return frozenset().union(*(one.game_labels for one in self._languages))

    def own_names(self, name: str, said: Mapping[str, JSON]) -> Iterator[str]:
        """Yield what properties or labels, in any language, call whom a note is about."""
        for label, value in said.items():
            folded = fold_name(label)
            is_full = folded in self._full_name_labels
            key = "full name" if is_full else "other names"
            is_known = is_full or folded in self._other_name_labels
            yield from other_names(name, {key if is_known else label: value})

    def called(self, prose: str, names: Iterable[str]) -> Iterator[str]:
        """Yield what else prose says that the bearer of these names is called.

        Only in a sentence that begins so: "Odile Fenn, also known as the Heron".
        """
        low = prose.lower()
        for own in map(str.lower, filter(None, names)) if len(low) == len(prose) else ():
            found = low.find(own)
            while found >= 0:
                end = found + len(own)
                if not low[end : end + 1].isalnum():
                    called = list(self._called_behind(prose[end : end + _REACH].replace(MARK, "")))
                    before = prose[max(0, found - _REACH) : found] if called else ""
                    if called and self._definite.issuperset(_last_sentence(before)):
                        yield from called
                found = low.find(own, end)

    def _called_behind(self, text: str) -> Iterator[str]:
        """Yield the other name that stands behind a name, if only what gives it is between them."""
        words: list[str] = []
        for one in _SAID.finditer(text.partition("\n")[0]):
            if " ".join(words) in self._calling:
                yield from self._name_at(text[one.start() :])
            word = one[0].strip(_BETWEEN).casefold()
            if words or word not in self._saying:
                words.append(word)
            if len(words) > _LONGEST_CALLING or (words and words[0] not in self._first_calling):
                return

    def _name_at(self, text: str) -> Iterator[str]:
        """Yield the name with which a text begins: its words with capitals, and what joins them."""
        named = _ENDS_NAME.split(text.lstrip(f"{_QUOTES} "), maxsplit=1)[0].split()
        if named and named[0] in self._definite:
            named = named[1:]
        kept = next(
            (at for at, word in enumerate(named) if not (word[0].isupper() or word in self._of)),
            len(named),
        )
        while kept and not named[kept - 1][0].isupper():
            kept -= 1
        name = " ".join(named[:kept]).strip(_QUOTES)
        is_noun = kept == 1 and self.by_noun(name) in (PERSON, PLACE)
        if 0 < kept <= _MOST_CALLED and len(name) > 1 and not is_noun:
            yield name

    @cached_property
    def _calling(self) -> frozenset[str]:
        return self._all("calling")

    @cached_property
    def _first_calling(self) -> frozenset[str]:
        return frozenset(phrase.partition(" ")[0] for phrase in self._calling)

    @cached_property
    def _definite(self) -> frozenset[str]:
        return self._all("definite")

    @cached_property
    def _saying(self) -> frozenset[str]:
        return self._being | self._all("relative_pronouns") | self._all("also") | {""}

    @cached_property
    def _full_name_labels(self) -> frozenset[str]:
        return self._all("full_name_labels")

    @cached_property
    def _other_name_labels(self) -> frozenset[str]:
        return self._all("other_name_labels")

    @cached_property
    def _of(self) -> frozenset[str]:
        return self._all("of")

    @cached_property
    def _articles(self) -> frozenset[str]:
        return self._all("articles")

    @cached_property
    def _being(self) -> frozenset[str]:
        return self._all("being")

    @cached_property
    def _joining(self) -> frozenset[str]:
        return self._all("joining")

    @cached_property
    def _adding(self) -> frozenset[str]:
        return self._all("prepositions") | self._all("relative_pronouns") | self._all("joining")

    def _all(self, name: str) -> frozenset[str]:
        return frozenset().union(*(getattr(one, name) for one in self._languages))

    def by_folder(self, folder: str) -> str | None:
        """Return the type of what a folder or list of this name holds."""
        return self._folders.get(fold_word(folder)) or self._folders.get(_fold_folder(folder))

    def by_qualified_folder(self, folder: str) -> str | None:
        """Return that, also by the noun that others qualify: "Important People", "Dieux perdus";
        and of several sorts, if they are one: "Towns & Cities".
        """
        whole, words = self.by_folder(folder), _fold_folder(folder).split("_")
        if whole is not None or len(words) < 2:
            return whole
        if any(map(self._joins, words)):
            kinds = self.of_joined(folder)
            return kinds[0] if len(kinds) == 1 else None
        if not all(map(str.isalnum, words)):
            return None
        agree = len(words) == 2 and words[0].endswith("s") and words[1].endswith("s")
        heads = (words[-1], words[0]) if agree else words[-1:]
        head = next((one for one in heads if one in self._folders), "")
        found = self._folders.get(head)
        is_vague = found == CONCEPT or (found == EVENT and self.by_word(head) != EVENT)
        return None if is_vague else found

    def of_joined(self, folder: str) -> tuple[str, ...]:
        """Return the types of what a folder holds whose name joins words for them, if all are
        known: ("creature", "person") for "Monsters & NPCs".
        """
        parts: list[list[str]] = [[]]
        for word in _fold_folder(folder).split("_"):
            if self._joins(word):
                parts.append([])
            else:
                parts[-1].append(word)
        names = [" ".join(part) for part in parts if part]
        kinds = [self.by_folder(name) or self.by_word(name) for name in names]
        known = tuple(sorted({kind for kind in kinds if kind is not None}))
        return known if len(names) > 1 and None not in kinds else ()

    def _joins(self, word: str) -> bool:
        return word in self._joining or not any(map(str.isalnum, word))

    def of_folder(self, folder: str) -> str | None:
        """Return the type of the notes in a folder: also by a word in the singular: "City".

        Only people, places and creatures are so filed: what lies in "Idea" is not an idea each.
        An abbreviation tells it whatever follows: "NPC sheets by town".
        """
        found, word = self.by_qualified_folder(folder), _fold_folder(folder)
        first = next(iter(_ORDER_MARK.sub("", folder).split()), "").removesuffix("s")
        if first.isupper() and not folder.isupper() and self.is_personal(self.by_word(first)):
            return self.by_word(first)
        if found is not None or word in OF_A_WORK:
            return found
        found = self.by_word(word)
        return found if found in (PLACE, CREATURE) or self.is_personal(found) else None

    def holds_entities(self, folder: str) -> bool:
        """Say whether a folder holds notes on entities, of one type or of several."""
        return self.of_folder(folder) is not None or bool(self.of_joined(folder))


def _last_sentence(text: str) -> list[str]:
    """Return the words of the sentence that a text breaks off, folded, without marks."""
    line = text.rpartition("\n")[2]
    last = line[max(part_ends(line), default=0) :].replace(MARK, "").replace(HIDDEN, " ")
    words = (word.strip(f"{_BETWEEN}>#") for word in last.casefold().split())
    return [word for word in words if word]


@lru_cache(maxsize=1 << 10)
def _fold_folder(folder: str) -> str:
    return fold_word(_ORDER_MARK.sub("", without_page_id(folder)).rstrip(_ORNAMENTS))


@lru_cache(maxsize=32)
def _sorts(words: Words) -> Mapping[str, str]:
    """Return the sorts that the nouns of a language tell, by noun without separators."""
    return {
        f"{noun[: noun.startswith('-')]}{_squeeze(noun.removeprefix('-'))}": sort
        for noun, sort in words.sorts.items()
    }


@lru_cache(maxsize=1 << 12)
def fold_word(word: str) -> str:
    """Return a word in lower case, its parts joined by "_"."""
    return _WORD_BREAKS.sub("_", fold_name(word).strip("#/ "))


@lru_cache(maxsize=1 << 12)
def _squeeze(word: str) -> str:
    return fold_word(word).replace("_", "")


@lru_cache(maxsize=1 << 12)
def singulars_of(word: str) -> tuple[str, ...]:
    """Return a word without separators and, if it may be a plural, what its singular may be."""
    own = _squeeze(word)
    if not own.endswith("s"):
        return (own,)
    if own.endswith("ies"):
        return own, own[:-3] + "y"
    return (own, own[:-1], own[:-2]) if own.endswith("es") else (own, own[:-1])
