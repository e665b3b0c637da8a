"""The kinds of relation that a vault may state, and the words by which its writer states them.

    ontology.read_key("mother", "person", "person")   # Reading("parent_of", is_inverse=True)
    ontology.read_key("court", "person", "place")     # Reading("court"): a kind of its own
    ontology.read_key("tags", "person", "place")      # None: no relation

A key is in the note of one entity and links to another. A noun for a person names the linked entity
(`mother:: [[Ann]]`: Ann is the mother); followed by "of" or "to" it names the note's own (`mother
of:: [[Ben]]`). If several kinds share a word, it means the first whose domain and range fit the
types of the two entities, or else the first.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from writeros_entities.names import fold_name
from writeros_entities.values import RelationKind

if TYPE_CHECKING:
    from collections.abc import Sequence

NO_RELATION = frozenset(
    [
        "alias",
        "aliases",
        "appearance",
        "appearances",
        "appears_in",
        "arc",
        "banner",
        "book",
        "books",
        "cast",
        "category",
        "chapter",
        "chapters",
        "character",
        "characters",
        "class",
        "codex",
        "connection",
        "connections",
        "context",
        "cover",
        "cssclass",
        "cssclasses",
        "down",
        "first_appearance",
        "icon",
        "id",
        "image",
        "images",
        "index",
        "inspiration",
        "introduced_in",
        "kind",
        "last_appearance",
        "link",
        "links",
        "map",
        "mentions",
        "moc",
        "name",
        "next",
        "note",
        "notes",
        "permalink",
        "plot",
        "plot_threads",
        "portrait",
        "pov",
        "prev",
        "previous",
        "publish",
        "quests",
        "reference",
        "references",
        "related",
        "related_notes",
        "related_to",
        "relation",
        "relations",
        "relationship",
        "relationships",
        "same",
        "scene",
        "scenes",
        "see",
        "see_also",
        "series",
        "sessions",
        "source",
        "sources",
        "status",
        "story",
        "tag",
        "tags",
        "target",
        "theme",
        "themes",
        "thread",
        "thumbnail",
        "type",
        "up",
        "visible_from",
        "who",
        "with",
    ]
)
"""Keys that say how to read or find a note, or that it is connected without saying how."""

UNTYPED = frozenset({"concept", "unknown"})
"""Types of entities about which nothing is known: they fit any domain and range."""

NONE = "none"
"""The value by which a setting says that a key states no relation."""

WHO_KEYS = frozenset(
    {
        *("name", "person", "character", "npc", "who", "with", "to", "target"),
        *("group", "org", "organisation", "organization"),
    }
)
"""Keys of a mapping whose value is a name, and which say less than a word beside it."""

_NO_RELATION_BEFORE = ("related_", "linked_", "name_")
"""Beginnings of keys that state no relation: `related_notes`, `linkedItems`, `name_origin`."""

_BREAKS = re.compile(r"[\s_-]+")
_NO_WORD = re.compile(r"[^\w]+")
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ID = re.compile(r"_ids?\Z")
_LEADING = re.compile(r"(?:is|are|was|were|has|the|a|an|his|her|their|my)_")


class Reading(NamedTuple):
    """A kind of relation, read from its source, or from its target where `is_inverse`."""

    kind: str
    is_inverse: bool = False


class Ontology:
    """Kinds of relation by name, and by the writer's words.

    `keys` are the writer's own words: each maps to another key or kind with the same meaning, or to
    `none`. `translated` are those of other languages, as far as they are no word of a kind.
    """

    def __init__(
        self,
        kinds: Iterable[RelationKind],
        keys: Mapping[str, str] | None = None,
        translated: Mapping[str, str] | None = None,
    ) -> None:
        self.kinds: Mapping[str, RelationKind] = {kind.name: kind for kind in kinds}
        self._types = {one for kind in self.kinds.values() for one in (*kind.domain, *kind.range)}
        self._words: dict[str, list[Reading]] = defaultdict(list)
        self._verbs: dict[str, list[Reading]] = defaultdict(list)
        self._roles: dict[str, list[Reading]] = defaultdict(list)
        for kind in self.kinds.values():
            self._add(self._words, [kind.name, *kind.keys], Reading(kind.name))
            inverse = [kind.inverse] if kind.inverse else []
            self._add(self._words, [*inverse, *kind.inverse_keys], Reading(kind.name, True))
        self._verbs |= {word: list(readings) for word, readings in self._words.items()}
        for kind in self.kinds.values():
            self._add_roles(kind.roles, Reading(kind.name))
            self._add_roles(kind.inverse_roles, Reading(kind.name, True))
        self._names = {kind.name: Reading(kind.name) for kind in self.kinds.values()}
        for kind in self.kinds.values():
            if kind.inverse:
                self._names.setdefault(kind.inverse, Reading(kind.name, True))
        self._joined = {word.replace("_", ""): word for word in self._words if "_" in word}
        self._own = {
            key: _fold(meaning)
            for label, meaning in (translated or {}).items()
            if (key := _fold(label)) not in self._words and key not in NO_RELATION
        }
        self._own |= {_fold(key): _fold(meaning) for key, meaning in (keys or {}).items()}

    def kind(self, name: str) -> RelationKind:
        """Return the kind of this name; an unknown kind has no inverse."""
        return self.kinds.get(name) or RelationKind(name, text=name.replace("_", " "))

    def read_key(self, key: str, own_type: str, linked_type: str) -> Reading | None:
        """Return what a key in an entity's note says of its relation to the linked entity.

        Returns None for a key that states no relation.
        """
        word = self._word(key)
        if not word:
            return None
        return self._find(self._words, word, own_type, linked_type) or Reading(word)

    def read_label(self, label: str, own_type: str, other_type: str) -> Reading | None:
        """Return what the label of an arrow between two entities says, as `read_key` does.

        Other than a key, it is a verb if it can be one: an arrow *mentors* goes from the mentor,
        but `mentors:` lists those whom the note's own entity has.
        """
        reading = self._find(self._verbs, self._word(label), own_type, other_type)
        return reading or self.read_key(label, own_type, other_type)

    def knows_key(self, key: str) -> bool:
        """Say whether a key states a known kind of relation."""
        return self._word(key) in self._words

    def knows_word(self, word: str) -> bool:
        """Say whether a word beside a link, or a name, may state a relation; see `read_item`."""
        return any(self.knows_key(said) for said in (word, f"{word} of"))

    def read_item(self, key: str, word: str, own_type: str, linked_type: str) -> Reading | None:
        """Return what a word beside a link says of it: `{person: "[[Ann]]", type: sister}`.

        It describes the linked entity or, if only that fits the types, the note's own: `{group:
        "[[Lanterns]]", role: captain}`. Returns None if it names no known kind, or if the link's
        own key does (`ally`), unless that only says who or what is linked.
        """
        key_says = self._find(self._words, self._word(key), own_type, linked_type)
        if key_says is not None and key.casefold() not in WHO_KEYS:
            return None
        for said in (word, f"{word} of"):
            reading = self._find(self._words, self._word(said), own_type, linked_type)
            if reading is not None and self.fits(reading, own_type, linked_type):
                return reading
        return None

    def read_role(self, role: str, own_type: str, other_type: str) -> Reading | None:
        """Return what "ROLE of" says of an entity ("mother", "captain"); None if it is no role."""
        return self._find(self._roles, _fold(role), own_type, other_type)

    def read_name(self, name: str) -> Reading:
        """Return the reading of a kind's or inverse's name; others are kinds of their own."""
        return self._names.get(name) or Reading(name)

    def names_of(self, word: str) -> list[str]:
        """Return the names of kinds that a word may mean: `parent_of`, `child_of` for "mother"."""
        said = _fold(word)
        readings = [*self._roles.get(said, ()), *self._words.get(said, ())]
        names = (self.name_from(one.kind, is_inverse=one.is_inverse) for one in readings)
        return list(dict.fromkeys(names))

    def fits(
        self, reading: Reading, own_type: str, other_type: str, *, strictly: bool = False
    ) -> bool:
        """Say whether the types of two entities fit the domain and range of a kind.

        Entities about which nothing is known fit everywhere, unless `strictly`, and so do those of
        a type that no kind of relation knows.
        """
        kind = self.kind(reading.kind)
        source, target = (other_type, own_type) if reading.is_inverse else (own_type, other_type)

        def is_in(entity_type: str, types: Sequence[str]) -> bool:
            is_unknown = entity_type in UNTYPED or entity_type not in self._types
            return not types or entity_type in types or (is_unknown and not strictly)

        if kind.symmetric and is_in(target, kind.domain):
            return is_in(source, kind.range)
        return is_in(source, kind.domain) and is_in(target, kind.range)

    def describe(self, name: str, *, is_inverse: bool = False) -> str:
        """Return the words for a kind in a sentence, from one of its ends: "is the mother of"."""
        kind = self.kind(name)
        if not is_inverse or kind.symmetric:
            return kind.text or name.replace("_", " ")
        return kind.inverse_text or self.name_from(name, is_inverse=True).replace("_", " ")

    def name_from(self, name: str, *, is_inverse: bool) -> str:
        """Return the name of a kind as read from one of its ends: `child_of` for `parent_of`.

        For unknown kinds the inverse is `is_court_of` for `court`, and `has_shield` for
        `shield_of`.
        """
        kind = self.kind(name)
        if not is_inverse or kind.symmetric:
            return name
        if kind.inverse:
            return kind.inverse
        role = name.removesuffix("_of").removesuffix("_to")
        return f"is_{name}_of" if role == name else f"has_{role}"

    def _word(self, key: str) -> str:
        """Return the word of a key; "" if it states no relation.

        A word before a noun says nothing: `current_home` is a home.
        """
        written = _fold(key)
        if written not in self._own and written not in self._words:
            written = self._joined.get(written.replace("_", "")) or _fold_parts(key)
        if written in self._own:
            return "" if self._own[written] == NONE else self._own[written]
        if written in NO_RELATION or written == NONE or written.startswith(_NO_RELATION_BEFORE):
            return ""
        noun = written.partition("_")[2]
        return noun if written not in self._words and noun in self._roles else written

    def _add(self, words: dict[str, list[Reading]], found: Iterable[str], reading: Reading) -> None:
        for word in found:
            for form in _forms(_fold(word)):
                if reading not in words[form]:
                    words[form].append(reading)

    def _add_roles(self, roles: Sequence[str], reading: Reading) -> None:
        """Add roles: as a role, the word names the entity at that end; as a key, the linked one."""
        linked = Reading(reading.kind, not reading.is_inverse)
        self._add(self._roles, roles, reading)
        self._add(self._words, roles, linked)
        self._prefer_nouns(roles, linked)
        of = [f"{role} {word}" for role in roles for word in ("of", "to")]
        self._add(self._words, of, reading)

    def _prefer_nouns(self, roles: Sequence[str], linked: Reading) -> None:
        """Let a key such as `mentors` be the plural of a noun, if it can be a verb as well."""
        for plural in (form for role in roles for form in _forms(_fold(role))[1:]):
            readings = self._words[plural]
            verb = Reading(linked.kind, not linked.is_inverse)
            if verb in readings:
                readings.remove(linked)
                readings.insert(readings.index(verb), linked)

    def _find(
        self, words: Mapping[str, list[Reading]], word: str, own_type: str, other_type: str
    ) -> Reading | None:
        readings = words.get(word)
        while readings is None and (leading := _LEADING.match(word)):
            word = word[leading.end() :]
            readings = words.get(word)
        if not readings:
            return None
        for strictly in (True, False) if len(readings) > 1 else ():
            for reading in readings:
                if self.fits(reading, own_type, other_type, strictly=strictly):
                    return reading
        return readings[0]


@lru_cache(maxsize=1 << 12)
def _fold(word: str) -> str:
    return _NO_WORD.sub("", _BREAKS.sub("_", fold_name(word))).strip("_")


@lru_cache(maxsize=1 << 12)
def _fold_parts(key: str) -> str:
    """Return a key in camel case as one with breaks: `located_in` for `locatedIn`.

    A key that only says that its value identifies something is that without `Id`: `homeId`.
    """
    if _CAPITAL.search(key) is None:
        return _fold(key)
    return _ID.sub("", _fold(_CAPITAL.sub(" ", key)))


def _forms(word: str) -> list[str]:
    """Return a word and its plural; of several words, the last has it, unless it ends with `s`."""
    if word.endswith("s") and not word.endswith("ss"):
        return [word]
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return [word, word[:-1] + "ies"]
    return [word, word + ("es" if word.endswith(("x", "ch", "sh", "ss")) else "s")]
