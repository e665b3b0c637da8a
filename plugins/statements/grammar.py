"""From the words around two mentions to what they state.

Every form is read from lists of words, in one pass; no pattern is tried at more than one place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from writeros_entities import DecidedMention, Ontology

from .phrases import (
    ADJECTIVES,
    AS_A_ROLE,
    BE,
    FILLERS,
    GENDERS,
    LEARNED,
    NEED_TYPES,
    NO_LESSONS,
    OF_PLACES,
    OVER,
    PHRASES,
    TITLES,
    TWO_OBJECTS,
)
from .surroundings import BORDER, Surroundings, before

LONGEST_GAP = 90
"""Characters between two mentions of which a statement is read, at most."""

MOST_WORDS = 14

_WORD = re.compile(r"[^\W\d_][\w'’-]*|\S")
_POSSESSIVE = re.compile(r"\x01*['’]s?(?=[\s\x01])\x01*")
_ROLE_AFTER = re.compile(r"\x01*['’]s?\x01*\s+((?:[^\W\d_][\w-]*\s+){0,3}[^\W\d_][\w-]*)")
_PAIR_AFTER = re.compile(
    r"\x01*(?:\s+(?:are|were|had\s+been|have\s+been|became|remained)|:\x01*)"
    r"\s+((?:[\w-]+\s+){0,3}[\w-]+)"
)
_ROLE_BEFORE = re.compile(r"\b[Tt]he\s+((?:[\w-]+\s+){0,3})of\s+(?:the\s+)?\x01*\Z")
_TITLE_BEFORE = re.compile(r"(\w+)\s+\x01*\Z")
_FIRST = re.compile(r"[\s\x01]*(['’]|[^\W\d_][\w-]*|\S)")
_FIRST_WORDS = frozenset(
    {
        *(phrase.split()[0] for phrase in PHRASES),
        *(*BE, *FILLERS, *OVER),
        *(",", "(", "—", "–", "-", "'", "’", "and", "of", "who", "used", "passed", "at", ":"),
        *("the", "with", *(first for first, _ in (*LEARNED, *AS_A_ROLE))),
    }
)
_FIRST_OF_CLAUSE = frozenset(
    {
        *(phrase.removeprefix("be ").split()[0] for phrase in PHRASES),
        *(*BE, *FILLERS, *OVER, "used"),
        *(first for first, _ in LEARNED),
    }
)
_ROLE_OF = re.compile(r"\b(?:of|to)\b", re.IGNORECASE)
_PLURAL = frozenset({"are", "were", "have", "both"})
_JOINING = frozenset({",", "and", "of", "the"})
_OPENING = frozenset({",", "(", "—", "–", "-"})


@dataclass(frozen=True, slots=True)
class Claim:
    """What two mentions, or one, are said to be: read from the first, unless `is_inverse`.

    `start` and `end` span the words that say it; `rule` names the form they have.
    """

    kind: str
    is_inverse: bool
    rule: str
    start: int
    end: int
    has_ended: bool = False


def may_open(prose: str, end: int) -> bool:
    """Say whether the word behind a mention that ends here can be the first of a statement."""
    first = _FIRST.match(prose, end)
    return first is not None and first[1].lower() in _FIRST_WORDS


def read_gap(
    gap: str, one: DecidedMention, other: DecidedMention, prose: str, ontology: Ontology
) -> Claim | None:
    """Return what is stated between two mentions with these words between them."""
    words = _WORD.findall(gap)
    if not words or len(words) > MOST_WORDS:
        return None
    pair = _Pair(one, other, prose, ontology)
    if _POSSESSIVE.match(gap):
        return pair.read_possessive(_WORD.findall(gap[_POSSESSIVE.match(gap).end() :]))  # type: ignore[union-attr]  # it just did
    if words[0] == ":" and pair.is_label():
        return pair.read([",", *words[1:]]) or pair.read([",", "who", *words[1:]])
    return pair.read(words)


def as_clauses(words: str) -> Sequence[str]:
    """Return what stands behind a name for words without one: ", born in", ", who married".

    Nothing where they can be neither a role nor a phrase.
    """
    first = _FIRST.match(words)
    if first is None or not (first[1].lower() in _FIRST_OF_CLAUSE or _ROLE_OF.search(words)):
        return ()
    return f", {words}", f", who {words}"


@dataclass(frozen=True)
class _Pair(Surroundings):
    """Two mentions, and what is around them, with the kinds of relation."""

    ontology: Ontology

    def read(self, words: Sequence[str]) -> Claim | None:
        """Read whatever form the words between have, but for a possessive."""
        if _POSSESSIVE.match(self.prose, self.other.end):
            return self.read_role_behind(words)
        return (
            self.read_joined(words)
            or self.read_kin(words)
            or self.read_role(words)
            or self.read_phrase(words)
        )

    def read_possessive(self, words: Sequence[str]) -> Claim | None:
        """Read "Isolde's brother Aldous", "Isolde's brother is Aldous"."""
        if not words or _POSSESSIVE.match(self.prose, self.other.end):
            return None
        rest, has_ended = _plain(words)
        is_said = bool(rest) and (rest[-1] == "be" or rest[-1] in ("called", "named"))
        is_apart = bool(rest) and rest[-1] == ","
        if is_said or is_apart:
            rest = rest[:-1]
        if is_apart and not self.is_closed():
            return None
        return self._role(rest, self.other, self.one, "possessive", has_ended=has_ended)

    def read_role_behind(self, words: Sequence[str]) -> Claim | None:
        """Read "Isolde, Aldous's sister," and "Isolde is Aldous's sister"."""
        plain, has_ended = _plain(words)
        if plain not in (
            [","],
            ["be"],
            [
                "(",
            ],
            [",", "be"],
        ):
            return None
        if plain == ["be"] and self.follows_another():
            return None
        behind = _ROLE_AFTER.match(self.prose, self.other.end)
        if behind is None:
            return None
        for role, end in _shorter(behind):
            claim = self._role(role, self.one, self.other, "possessive", has_ended=has_ended)
            if claim is not None:
                is_closed = plain == ["be"] or BORDER.match(self.prose, end)
                return _until(claim, end) if is_closed else None
        return None

    def read_joined(self, words: Sequence[str]) -> Claim | None:
        """Read "Ann and Bob are cousins", "Captain Vane of the Brig", "the son of Ann is Bob"."""
        plain, has_ended = _plain(words)
        if plain == ["and"]:
            return self._pair_behind()
        if plain == ["of"]:
            return self._title()
        if plain in ([","], ["be"]):
            role_before = _ROLE_BEFORE.search(self.prose, *before(self.one))
            if role_before is None or (plain == [","] and not self.is_closed()):
                return None
            role, was = _plain(role_before[1].split())
            claim = self._role(
                role, self.other, self.one, "role before", has_ended=has_ended or was
            )
            return claim and _since(claim, role_before.start())
        return None

    def read_kin(self, words: Sequence[str]) -> Claim | None:
        """Read "Isolde and her brother Aldous", "Isolde, whose brother is Aldous".

        "Her" is the first of the two only where nobody else in the sentence so far could be meant.
        """
        lower = [word.lower() for word in words]
        if lower[:2] == [",", "whose"]:
            return self.read_possessive(words[2:])
        while lower and lower[0] in (",", "and", "with"):
            lower = lower[1:]
        gender = GENDERS.get(lower[0]) if 0 < len(lower) < len(words) else None
        if gender is None or not self.is_first_of(gender):
            return None
        return self.read_possessive(lower[1:])

    def read_role(self, words: Sequence[str]) -> Claim | None:
        """Read "Isolde, sister of Aldous" and "Isolde was the sister of Aldous"."""
        opening = words[0] in _OPENING
        if not opening and self.follows_another():
            return None
        lower = [word.lower() for word in words]
        ends = [at for at, word in enumerate(lower) if word in ("of", "to")]
        if not ends:
            return None
        plain, has_ended = _plain(words[: ends[0]])
        while plain and (plain[0] in _OPENING or plain[0] in ("who", "be")):
            opening = opening or plain[0] == "be"
            plain = plain[1:]
        if tuple(plain[:2]) in AS_A_ROLE:
            opening, plain = True, plain[2:]
        if not opening or not self._is_list(words[ends[0] + 1 :]):
            return None
        return self._role(plain, self.one, self.other, "role", has_ended=has_ended)

    def read_phrase(self, words: Sequence[str]) -> Claim | None:
        """Read "Søren was born in Vantry", "Hope, who married Toby", "Ann, born in Vantry".

        Also "Ann the baker was born in", "Ann and Bob were born in", "killed Bob and Carl", "killed
        his brother Carl", "learned the trade from".
        """
        words = _without_byname(self._without_companions(words))
        plain, has_ended = _plain(words)
        is_apposed = bool(plain) and plain[0] in _OPENING
        while plain and (plain[0] in _OPENING or plain[0] == "who"):
            plain = plain[1:]
        if plain[:2] == ["used", "to"]:
            plain, has_ended = plain[2:], True
        if is_apposed and words[1:2] != ["who"]:
            plain = ["be", *plain]
        if not is_apposed and self.follows_another():
            return None
        phrase = self._phrase(plain, words)
        if phrase is None:
            return None
        kind, is_over = PHRASES[phrase]
        if kind in OF_PLACES and self.one.type != "place":
            return None
        if phrase in TWO_OBJECTS and not self.has_lone_object():
            return None
        reading = self.ontology.read_name(kind)
        own, linked = self.one.type, self.other.type
        if not self.ontology.fits(reading, own, linked, strictly=phrase in NEED_TYPES):
            return None
        return Claim(
            *(reading.kind, reading.is_inverse, phrase, self.one.start, self.other.end),
            has_ended=has_ended or is_over,
        )

    def _phrase(self, plain: Sequence[str], words: Sequence[str]) -> str | None:
        """Return the phrase that the words are, or begin with where the rest changes nothing."""
        whole = " ".join(plain)
        if whole in PHRASES:
            return whole
        lesson = LEARNED.get((plain[0], plain[-1])) if len(plain) > 2 else None
        if lesson is not None and NO_LESSONS.isdisjoint(plain[1:-1]) and whole.islower():
            return lesson if len(plain) < 6 and "," not in plain else None
        for length in range(len(plain) - 1, 0, -1):
            phrase = " ".join(plain[:length])
            if phrase in PHRASES:
                rest = plain[length:]
                is_more = self._is_person(rest) or self._are_others(words)
                return phrase if is_more else None
        return None

    def _is_person(self, words: Sequence[str]) -> bool:
        """Say whether words only describe the person named next: "his elder brother"."""
        if self.other.type != "person" or any(word not in ADJECTIVES for word in words[:-1]):
            return False
        return self.ontology.read_role(words[-1], "person", "person") is not None

    def _are_others(self, words: Sequence[str]) -> bool:
        """Say whether the last words are a list of names that goes on with the other mention."""
        listed = list(words)
        while listed and not listed[0][0].isupper():
            listed = listed[1:]
        are_names = all(word in _JOINING or word[0].isupper() for word in listed)
        return bool(listed) and are_names and listed[-1] == "and" and self.is_closed()

    def _without_companions(self, words: Sequence[str]) -> Sequence[str]:
        """Leave out who does the same: "and Bob" of "Ann and Bob were born in Vantry"."""
        if words[0] not in (",", "and"):
            return words
        length = 0
        while length < len(words) and (words[length] in _JOINING or words[length][0].isupper()):
            length += 1
        rest = words[length:]
        if "and" not in words[:length] or not rest or not words[length - 1][0].isupper():
            return words
        is_plural = rest[0].lower() in _PLURAL or (
            rest[0].lower() not in BE and not rest[0].endswith("s") and self.begins_sentence()
        )
        return rest if is_plural else words

    def _role(
        self,
        words: Sequence[str],
        holder: DecidedMention,
        whose: DecidedMention,
        rule: str,
        *,
        has_ended: bool,
    ) -> Claim | None:
        """Read words that end in a role which `holder` has towards `whose`."""
        for length in (2, 1):
            if len(words) < length or any(word not in ADJECTIVES for word in words[:-length]):
                continue
            role = " ".join(words[-length:])
            reading = self.ontology.read_role(role, holder.type, whose.type)
            if reading is None or not self.ontology.fits(reading, holder.type, whose.type):
                continue
            is_inverse = reading.is_inverse != (holder is self.other)
            start, end = self.one.start, self.other.end
            return Claim(reading.kind, is_inverse, f"{rule}: {role}", start, end, has_ended)
        return None

    def _pair_behind(self) -> Claim | None:
        behind = _PAIR_AFTER.match(self.prose, self.other.end)
        if behind is None or self.follows_another():
            return None
        is_label = ":" in self.prose[self.other.end : behind.start(1)]
        for words, end in _shorter(behind):
            if is_label and not BORDER.match(self.prose, end):
                continue
            phrase = " ".join(["be", *words])
            for joining in (" to", " with"):
                found = PHRASES.get(phrase + joining)
                if found is not None:
                    reading = self.ontology.read_name(found[0])
                    if self.ontology.kind(reading.kind).symmetric:
                        return Claim(reading.kind, False, phrase, self.one.start, end)
            claim = self._role(words, self.one, self.other, "pair", has_ended=False)
            if claim is not None and self.ontology.kind(claim.kind).symmetric:
                return _until(claim, end)
        return None

    def _title(self) -> Claim | None:
        first, _, more = self.one.surface.partition(" ")
        alone = _TITLE_BEFORE.search(self.prose, *before(self.one))
        title = first if more else alone[1] if alone else ""
        role = TITLES.get(title.lower()) if title[:1].isupper() else None
        if role is None:
            return None
        return self._role([role], self.one, self.other, "title", has_ended=False)

    def _is_list(self, words: Sequence[str]) -> bool:
        """Say whether the words after "of" lead to the other mention: none, or others before it."""
        names = [word for word in words if word not in FILLERS]
        if not names:
            return True
        is_joined = names[-1] in ("and", ",") or (len(names) > 1 and names[-1] == "of")
        if not is_joined or not all(word in _JOINING or word[0].isupper() for word in names):
            return False
        return "of" in names or ("," not in names and self.is_closed())


def _plain(words: Sequence[str]) -> tuple[list[str], bool]:
    """Return words in small letters without fillers, forms of "to be" as `be`; and whether over."""
    lower = [word.lower() for word in words]
    has_ended = any(word in OVER for word in lower)
    if "longer" in lower and lower[lower.index("longer") - 1] == "no":
        has_ended = True
        lower = [word for word in lower if word not in ("no", "longer")]
    kept = ["be" if word in BE else word for word in lower if word not in FILLERS]
    return [word for word in kept if word not in OVER], has_ended


def _shorter(found: re.Match[str]) -> list[tuple[list[str], int]]:
    """Return the words that were matched, then ever fewer of them, each with where they end."""
    ends = [word.end() for word in re.finditer(r"[\w-]+", found[1])]
    start = found.start(1)
    return [(_plain(found[1][:end].split())[0], start + end) for end in reversed(ends)]


def _without_byname(words: Sequence[str]) -> Sequence[str]:
    """Leave out a byname: "the baker" of "Ann the baker was born in Vantry"."""
    is_byname = len(words) > 2 and words[0] == "the" and words[1].islower()
    return words[2:] if is_byname else words


def _until(claim: Claim, end: int) -> Claim:
    return Claim(claim.kind, claim.is_inverse, claim.rule, claim.start, end, claim.has_ended)


def _since(claim: Claim, start: int) -> Claim:
    return Claim(claim.kind, claim.is_inverse, claim.rule, start, claim.end, claim.has_ended)
