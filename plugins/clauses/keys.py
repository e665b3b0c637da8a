"""What words beside a name say of it: labels, roles, and words that lead to a name.

keys.of_label("Current Ruler")                # of the names behind it
keys.before_name("Younger daughter of the")   # a fragment's own words, and then a name
keys.of_role("village mayor")                 # of the name that it stands beside
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from writeros_entities import Ontology, Reading, Words

from .nouns import LOCAL

_PLURAL = re.compile(r"(?:/e?s|\(e?s\))\Z", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_][\w'’-]*")

_HELD = frozenset({"place", "faction"})
"""Types of what a noun alone says to be in or of another: "A town in Verdthorne"."""

_HAS_MEMBER = Reading("member_of", is_inverse=True)

CONTAINED = frozenset({"part_of", "located_in"})
"""Kinds between a place and what is in it."""

MOST_IN_ROLE = 4
MOST_BEFORE = 2
"""How many words of which nothing is known may stand before a fragment's key: "second son of"."""


class Key(NamedTuple):
    """What some words say; `word` is the ontology's for it, `kinds` are those of a noun.

    `is_role` tells that they name what stands beside them, else they lead to it. `is_local` is set
    for a role with a preposition that says less than "of": "mayor in". `is_alone` tells that no
    word stands before it in its label.
    """

    said: str
    word: str = ""
    kinds: tuple[str, ...] = ()
    is_role: bool = False
    is_local: bool = False
    has_ended: bool = False
    is_alone: bool = False

    @property
    def is_nominal(self) -> bool:
        """Whether it says who somebody is: "daughter of", not "married to"."""
        return bool(self.kinds) or self.word.endswith((" of", " to"))


class Keys:
    """The keys that a language's words and the ontology have."""

    def __init__(self, words: Words, ontology: Ontology) -> None:
        self._words = words
        self._ontology = ontology
        self.cases = words.prepositions | words.of
        self.after_name = words.joining | self.cases
        self._clausal = words.function_words - words.leading - words.joining
        self._tables = words.labels, words.roles
        self._between = self.after_name | words.leading | words.relative_pronouns

    def read(self, key: Key, own_type: str, other_type: str) -> Reading | None:
        """Return what a key says of an entity in relation to another; None unless both fit it.

        A word beside a name is no act: whoever is a murderer or an inventor is not that of whatever
        the page is about.
        """
        for kind in key.kinds:
            reading = self._ontology.read_name(kind)
            is_typed = key.is_role or self._ontology.kind(kind).domain or own_type in _HELD
            fits = self._ontology.fits(reading, own_type, other_type, strictly=not key.is_role)
            if is_typed and fits:
                return reading
        if not key.word:
            return None
        read = self._ontology.read_role if key.is_role else self._ontology.read_key
        found = read(key.word, own_type, other_type)
        if found is None or (key.is_local and found.kind not in LOCAL):
            return None
        if key.is_alone and found == _HAS_MEMBER and other_type in ("person", "unknown"):
            return found  # what has members is a group, whatever it was taken for
        stated = self._ontology.kind(found.kind)
        if found.is_inverse and found.kind in CONTAINED:
            is_of_person = own_type == "person" or (found.kind, other_type) == ("part_of", "person")
            is_whole = not (is_of_person or key.is_role)
            return found if is_whole and self._ontology.fits(found, own_type, other_type) else None
        if key.is_role and (not stated.domain or stated.target_status):
            return None
        fits = self._ontology.fits(found, own_type, other_type, strictly=key.is_local)
        return found if fits else None

    def is_known(self, label: str) -> bool:
        """Say whether a label is a word that titles a section, or says what stands below it."""
        plain = plain_label(label)
        return (
            plain.lower() in self._words.vague_headings
            or self._ontology.knows_key(self._translated(plain))
            or self.is_role(self._translated(plain))
        )

    def only_points(self, heading: str) -> bool:
        """Say whether a heading has below it what only has to do with the note: "See also"."""
        words = [word.lower() for word in _WORD.findall(heading)]
        return " ".join(words) in self._words.pointing_headings

    def of_label(self, label: str) -> Key | None:
        """Return the key of a label without its first words that say nothing: "Current Ruler"."""
        words = plain_label(label).split()
        for at in range(len(words)):
            said = " ".join(words[at:])
            before = {one.lower() for one in words[:at]}
            if (
                not before.isdisjoint(self.cases | self._words.doubt | self._words.naming)
                or said.lower() in self._words.vague_headings
            ):
                return None
            has_ended = not before.isdisjoint(self._words.former)
            word = self._translated(said)
            if self._ontology.knows_key(word):
                return Key(said, word, has_ended=has_ended, is_alone=len(words) == 1)
        return None

    def of_role(self, words: Sequence[str]) -> Iterator[Key]:
        """Yield the keys of a role that a name has, from all of its words or the last alone."""
        said = [one.strip("'’").lower() for one in words]
        is_own = bool(said) and said[0] in self._words.pronouns
        if said and said[0] in self._words.leading:
            said = said[1:]
        case = next((at for at, one in enumerate(said) if one in self.cases), None)
        if case is not None and is_own:
            said = said[:case]
        signs = tuple(one for one in self._words.possessive if not one.isalpha())
        is_of_other = any(one.endswith(signs) for one in said)
        if (
            not said
            or len(said) > MOST_IN_ROLE
            or not self._between.isdisjoint(said)
            or is_of_other
        ):
            return
        has_ended = not self._words.former.isdisjoint(said)
        for role in dict.fromkeys((" ".join(said), said[-1])):
            word = self._translated(role)
            kinds = self._local_kinds(role)
            if kinds or self.is_role(word):
                yield Key(role, word if self.is_role(word) else "", kinds, True, False, has_ended)

    def before_name(self, lead: str) -> Key | None:
        """Return what words say that lead to a name: "Younger daughter of the", "works at"."""
        words = [one.strip("'’").lower() for one in _WORD.findall(lead)]
        is_of_other = bool(words) and words[0] in self._words.pronouns
        if is_of_other or not self._words.doubt.isdisjoint(words):
            return None
        words = self._without_noun(words)
        rest = list(words)
        while rest and rest[0] in self._words.being | self._words.articles | self._words.joining:
            rest.pop(0)
        return self._opening(words) or (self._opening(rest) if rest != words else None)

    def _without_noun(self, words: list[str]) -> list[str]:
        """Return words that lead to a name without what is named: "Owner of the tavern"."""
        small = self._words.leading | self._words.of | self.cases
        if len(words) < 3 or words[-2] not in small or not set(words[:-2]) - small:
            return words
        forms = (words[-1], *(words[-1].removesuffix(one) for one in self._words.possessive))
        is_noun = any(
            one in self._words.sorts or self.is_role(self._translated(one)) for one in forms
        )
        return words[:-1] if is_noun else words

    def before_genitive(self, lead: str) -> Key | None:
        """Return what a role says before a name that is declined: "Дочь Ивана", Ivan's daughter."""
        words = [one.lower() for one in _WORD.findall(lead)]
        if not self._words.declined or not words or len(words) > MOST_BEFORE + 1:
            return None
        is_told = self._clausal.isdisjoint(words) and self._words.doubt.isdisjoint(words)
        return self.role_of(words[-1]) if is_told else None

    def of_verb(self, said: str) -> Key | None:
        """Return what a verb with its preposition says: "liegt in"."""
        word = self._translated(said)
        return Key(said, word) if word != said and self._ontology.knows_key(word) else None

    def around_name(self, lead: str, behind: str) -> Key | None:
        """Return what a preposition says with a verb behind the name: "Wurde von Ann verraten"."""
        words = self._without_noun([one.lower() for one in _WORD.findall(lead)])
        while words and words[-1] in self._words.leading:
            words.pop()
        if words and words[0] in self._words.pronouns:
            words.pop(0)  # "Er wurde von Ann verraten"
        verb = next(iter(_WORD.findall(behind)[-1:]), "")
        if not verb or not words or not self._words.being.issuperset(words[:-1]):
            return None
        said = f"{verb} {words[-1]}"
        word = self._translated(said)
        return Key(said, word) if words[-1] in self.cases and word != said else None

    def _opening(self, words: Sequence[str]) -> Key | None:
        """Return the key with which words lead to a name, before and behind small ones.

        A noun for the place that is named says nothing: "born in the old city of".
        """
        words = list(words)
        if len(words) > 3 and words[-1] in self._words.of:
            cases = [at for at, word in enumerate(words[:-2]) if word in self.cases]
            is_sort = "located_in" in self._words.nouns.get(words[-2], ())
            if is_sort and cases and len(words) - cases[-1] <= MOST_IN_ROLE + 1:
                words = words[: cases[-1] + 1]
        while words:
            for at in range(min(len(words), MOST_BEFORE + 1)):
                if not self._clausal.isdisjoint(words[:at]):
                    break
                key = self._leading(words[at:], is_whole=at == 0)
                if key is not None:
                    has_ended = not self._words.former.isdisjoint(words[:at])
                    return key._replace(has_ended=has_ended)
            if words[-1] not in self._words.leading:
                return None
            words.pop()
        return None

    def parts_of_name(self, name: str) -> tuple[str, str] | None:
        """Return whose a name says that something is, and its role or "": "Ann's Brother".

        Behind an ending without a sign ("Anns Bruder"), or before "of", only a role tells.
        """
        words = name.split()
        owner, last = " ".join(words[:-1]), words[-1] if words else ""
        has_role = self.is_role(self._translated(last))
        for ending in sorted(self._words.possessive, key=len, reverse=True):
            if owner.endswith(ending) and (has_role or not ending.isalpha()):
                return owner.removesuffix(ending), last if has_role else ""
        for at, word in enumerate(words[1:-1], 1):
            role = " ".join(words[:at])
            if word.lower() in self._words.of and self.is_role(self._translated(role)):
                return " ".join(words[at + 1 :]), role
        return None

    def role_of(self, title: str) -> Key | None:
        """Return what a title says of a name in relation to what it is of: "Captain"."""
        role = self._translated(title.rstrip(".").lower())
        return Key(f"{title} of", f"{role} of") if self.is_role(role) else None

    def _leading(self, words: Sequence[str], *, is_whole: bool) -> Key | None:
        said, last = " ".join(words), words[-1]
        if len(words) == 1 and (last in self.cases or not is_whole):
            return None
        word = self._translated(said)
        if self._ontology.knows_key(word) and not self.is_role(word):
            return Key(said, word)
        if last not in self.cases:
            return None
        if len(words) > 3 and last in self._words.of and words[-2] in self._words.sides:
            return self._leading(words[:-2], is_whole=is_whole)
        role = self._translated(" ".join(words[:-1]))
        kinds = self._words.nouns.get(words[-2], ()) if len(words) == 2 else ()
        if self.is_role(role):
            return Key(said, f"{role} of", kinds, is_local=last not in self._words.of)
        return Key(said, kinds=kinds) if kinds else None

    def is_role(self, word: str) -> bool:
        """Say whether a word of the ontology is a role that somebody has in relation to another."""
        return self._ontology.read_role(word, "person", "person") is not None

    def may_lead(self, word: str) -> bool:
        """Say whether a word may stand before a name that is a value: "in", "the", "Captain"."""
        is_small = word in self._words.leading or word in self.cases
        return is_small or word in self._words.nouns or self.is_role(self._translated(word))

    def apart(self, words: Sequence[str]) -> Iterator[Sequence[str]]:
        """Yield the parts of some words that are joined by "and"."""
        begin = 0
        for at, word in enumerate((*words, "")):
            if not word or word.lower() in self._words.joining:
                yield words[begin:at]
                begin = at + 1

    def _local_kinds(self, noun: str) -> tuple[str, ...]:
        return tuple(one for one in self._words.nouns.get(noun, ()) if one in LOCAL)

    def _translated(self, said: str) -> str:
        """Return the words of the ontology for those of the page's language."""
        word = said.lower()
        whole = " ".join(self._words.contracted.get(one, one) for one in word.split())
        known = (table.get(one) for one in (word, whole) for table in self._tables)
        return next(filter(None, known), said)


def plain_label(label: str) -> str:
    """Return a label without signs around it, and without the mark of a plural: "Faction(s)"."""
    said = _PLURAL.sub("", label.strip(" *_:"))
    letters = [at for at, one in enumerate(said) if one.isalnum()]
    if not letters:
        return ""
    return " ".join(said[letters[0] : letters[-1] + 1].lstrip("0123456789 .)").split())
