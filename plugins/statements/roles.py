"""Read roles: "Isolde, sister of Aldous", "Ann has two sons, Bob and Carl"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from writeros_entities import DecidedMention, Ontology

from .asides import is_list, is_plural, plain_words, without_aside, without_companions
from .claims import Claim
from .employments import AS_A_ROLE, EMPLOYED, EMPLOYED_IN, EMPLOYMENTS, TITLES, TITLES_OF_NO_PLACE
from .genders import may_be_kin
from .phrases import PHRASES
from .pronouns import GENDERS
from .surroundings import BORDER, Surroundings, before
from .words import ADJECTIVES, BE, COUNTS, FILLERS, HAVE, JOINING, NAMED, OPENING

POSSESSIVE = re.compile(r"\x01*['’](?:s\b|(?=[\s\x01]))\x01*")

_ROLE_AFTER = re.compile(r"\x01*['’]s?\x01*\s+((?:[^\W\d_][\w-]*\s+){0,3}[^\W\d_][\w-]*)")
_PAIR_AFTER = re.compile(
    r"\x01*(?:\s+(?:are|were|had\s+been|have\s+been|became|become|remained|remain|got|get)|:\x01*)"
    r"\s+((?:[\w-]+\s+){0,3}[\w-]+)"
)
_KIN_BEHIND = re.compile(r"\x01*,?\s+(his|her|their)\s+((?:[\w-]+\s+){0,2}[\w-]+)")
_PAIR_MARRIED = re.compile(
    r"\x01*\s+(?:(?:had\s+|have\s+)?(?:married|wed)|marry)"
    r"(?=[.,;:!?)—–]|\s+(?:in|on|at|that|when|last|after|before|again|young|for\s+\w+)\b)"
)
_PAIR_NOW = re.compile(r"\x01*\s+(?:marry|become|remain|get)\b")
"""Matches a verb that is in the present tense if the pair begins a sentence, else an infinitive."""

_OF_ANOTHER = re.compile(r"\x01*(?:['’]s?)?\s+(?:of|to|with)\b|\x01*['’]s\b")
_PROMISED = re.compile(r"\x01*(?:['’]s?|\s+(?:for|of|that|at|on))\b")
_BROKEN = re.compile(
    r"\b(?:br(?:oke|oken|eak|eaks|eaking)|end|ends|ended|ending|dissolve[sd]?|call(?:s|ed)?"
    r")\b(?:\s+off)?(?:\s+the)?\s+\x01*\Z"
)
_BROKEN_AFTER = re.compile(
    r"\x01*\s+(?:is|was|has\s+been|had\s+been)\s+(?:now\s+)?(?:over|off|at\s+an\s+end|broken|ended"
    r"|dissolved|no)\b"
)
_ROLE_BEFORE = re.compile(r"\b[Tt]he\s+((?:[\w-]+\s+){0,3})of\s+(?:the\s+)?\x01*\Z")
_TITLE_BEFORE = re.compile(r"(?<!\w)(\w+)\s+\x01*\Z")


@dataclass(frozen=True)
class Roles(Surroundings):
    """Two mentions with their context, and the relation kinds."""

    ontology: Ontology

    def read_possessive(self, words: Sequence[str]) -> Claim | None:
        """Read "Isolde's brother Aldous", "Isolde's brother is Aldous", "Ann's sons, Al and B"."""
        if not words:
            return None
        if words[0] == "engagement":
            return self._engagement(words)
        if "," in words[1:-1]:
            comma = words.index(",")
            if not (is_list(words[comma + 1 :]) and is_plural(words[comma - 1])):
                return None
            words = words[: comma + 1]
        rest, has_ended = plain_words(words)
        if rest[-1:] in (["called"], ["named"]):
            rest = rest[:-1] if rest[-2:-1] == ["be"] else []
        is_said = rest[-1:] == ["be"]
        is_apart = bool(rest) and rest[-1] == ","
        if is_said or is_apart:
            rest = rest[:-1]
        if is_said and self.follows_another():
            return None
        if (is_said or is_apart) and POSSESSIVE.match(self.prose, self.other.end):
            return None
        if is_apart and not (self.is_closed() and rest):
            return None
        if is_apart and self.is_listed() and not is_plural(rest[-1]):
            return None
        claim = self._role(rest, self.other, self.one, "possessive", has_ended=has_ended)
        return claim and replace(claim, is_presupposed=not is_said, is_apart=is_apart)

    def read_one_of(self, words: Sequence[str]) -> Claim | None:
        """Read "Isolde, a friend of Aldous's," and "Isolde was a friend of Aldous's"."""
        own = POSSESSIVE.match(self.prose, self.other.end)
        is_one = words[-1] == "of" and not {"a", "an", "one"}.isdisjoint(words)
        if own is None or not is_one or BORDER.match(self.prose, own.end()) is None:
            return None
        return self.read_role(words)

    def read_role_behind(self, words: Sequence[str]) -> Claim | None:
        """Read "Isolde, Aldous's sister," and "Isolde is Aldous's sister", also of several."""
        plain, has_ended = plain_words(without_companions(words, self.begins_sentence))
        if plain not in ([","], ["be"], ["("], [",", "be"]):
            return None
        if plain == ["be"] and self.follows_another():
            return None
        behind = _ROLE_AFTER.match(self.prose, self.other.end)
        if behind is None:
            return None
        for role, end, _ in _shorter(behind):
            claim = self._role(role, self.one, self.other, "possessive", has_ended=has_ended)
            if claim is not None:
                is_closed = plain == ["be"] or BORDER.match(self.prose, end)
                is_own = POSSESSIVE.match(self.prose, end) is None
                return claim.until(end) if is_closed and is_own else None
        return None

    def read_joined(self, words: Sequence[str]) -> Claim | None:
        """Read "Ann and Bob are cousins", "Captain Vane of the Brig", "the son of Ann is Bob"."""
        plain, has_ended = plain_words(words)
        if plain in (["and"], [",", "and"], [",", "with"], ["with"]):
            return self._kin_behind() or (self._pair_behind() if plain == ["and"] else None)
        if plain == ["of"]:
            return self._title()
        if plain in ([","], ["be"]):
            role_before = _ROLE_BEFORE.search(self.prose, *before(self.one))
            if role_before is None or (plain == [","] and not self.is_closed()):
                return None
            role, was = plain_words(role_before[1].split())
            claim = self._role(
                role, self.other, self.one, "role before", has_ended=has_ended or was
            )
            is_apart = plain == [","]
            return claim and replace(claim, start=role_before.start(), is_apart=is_apart)
        return None

    def read_kin(self, words: Sequence[str]) -> Claim | None:
        """Read "Isolde and her brother Aldous", "Isolde, whose brother is Aldous".

        "Isolde, her brother, Aldous" are three people. "Her" refers to the first mention only if
        nobody else earlier in the sentence can be meant.
        """
        lower = [word.lower() for word in words]
        if lower[:2] == [",", "whose"]:
            return self.read_possessive(words[2:])
        if lower[0] == lower[-1] == ",":
            return None
        while lower and lower[0] in (",", "and", "with"):
            lower = lower[1:]
        gender = GENDERS.get(lower[0]) if 0 < len(lower) < len(words) else None
        if gender is None or not self.is_first_of(gender):
            return None
        return self.read_possessive(lower[1:])

    def read_role(self, words: Sequence[str]) -> Claim | None:
        """Read "Isolde, sister of Aldous", "Isolde was the sister of Aldous", "clerk in the Guild".

        Also "Al and Ben, sons of Ann", and after an aside: "Ann, a tall girl, sister of Al". But
        "Carl, unlike Ann, is the sister of Al" is not about Ann.
        """
        if words[0] == "," and words[1:2] and words[1].lower() in BE:
            return None
        words = without_aside(without_companions(words, self.begins_sentence), for_role=True)
        opening = words[0] in OPENING
        if not opening and self.follows_another():
            return None
        lower = [word.lower() for word in words]
        ends = [at for at, word in enumerate(lower) if word in ("of", "to") or word in EMPLOYED_IN]
        if not ends:
            return None
        plain, has_ended = plain_words(words[: ends[0]])
        while plain and (plain[0] in OPENING or plain[0] in ("who", "be")):
            opening = opening or plain[0] == "be"
            plain = plain[1:]
        if tuple(plain[:2]) in AS_A_ROLE:
            opening, plain = True, plain[2:]
        if not opening or not self._is_list(words[ends[0] + 1 :]):
            return None
        if lower[ends[0]] in EMPLOYED_IN:
            return self._employment(plain, has_ended=has_ended)
        role = self._role(plain, self.one, self.other, "role", has_ended=has_ended)
        if role is None and lower[ends[0]] == "of" and self.other.type == "faction":
            return self._employment(plain, has_ended=has_ended)
        return role

    def read_having(self, words: Sequence[str]) -> Claim | None:
        """Read "Ann had a brother named Bob" and "Ann has two sons, Bob and Carl"."""
        lower = [word.lower() for word in words]
        cuts = [at for at, word in enumerate(lower) if word in NAMED]
        if lower[0] not in HAVE or not cuts or self.follows_another():
            return None
        role, names = lower[1 : cuts[0]], words[cuts[0] + 1 :]
        while role and role[0] in COUNTS:
            role = role[1:]
        if not self.is_closed() or (names and not (is_list(names) and is_plural(role[-1]))):
            return None
        claim = self._role(role, self.other, self.one, "having", has_ended=False)
        return claim and replace(claim, is_apart=lower[cuts[0]] == ",")

    def _engagement(self, words: Sequence[str]) -> Claim | None:
        """Read "Isolde's engagement to Aldous", but not "engagement to Aldous for the evening"."""
        are_two = self.one.type == self.other.type == "person"
        if words[1:] not in (["to"], ["with"]) or not are_two:
            return None
        if _PROMISED.match(self.prose, self.other.end):
            return None
        has_ended = (
            _BROKEN.search(self.prose, *before(self.one)) is not None
            or _BROKEN_AFTER.match(self.prose, self.other.end) is not None
        )
        start, end = self.one.start, self.other.end
        claim = Claim("betrothed_to", "engagement", start, end, has_ended=has_ended)
        return replace(claim, is_presupposed=not has_ended)

    def _employment(self, words: Sequence[str], *, has_ended: bool) -> Claim | None:
        """Read an employment in a faction, at a place or on a ship: "clerk"."""
        kind = EMPLOYED.get(self.other.type)
        if kind is None or not words or words[-1] not in EMPLOYMENTS:
            return None
        if self.one.type != "person" or any(word not in ADJECTIVES for word in words[:-1]):
            return None
        rule = f"role: {words[-1]}"
        return Claim(kind, rule, self.one.start, self.other.end, has_ended=has_ended)

    def _role(
        self,
        words: Sequence[str],
        holder: DecidedMention,
        whose: DecidedMention,
        rule: str,
        *,
        has_ended: bool,
    ) -> Claim | None:
        """Read words that end in a role that `holder` has in relation to `whose`."""
        for length in (2, 1):
            if len(words) < length or any(word not in ADJECTIVES for word in words[:-length]):
                continue
            role = " ".join(words[-length:])
            if not may_be_kin(role, holder.surface):
                return None
            reading = self.ontology.read_role(role, holder.type, whose.type)
            if reading is None or not self.ontology.fits(reading, holder.type, whose.type):
                continue
            return Claim(
                reading.kind,
                f"{rule}: {role}",
                self.one.start,
                self.other.end,
                is_inverse=reading.is_inverse != (holder is self.other),
                has_ended=has_ended,
            )
        return None

    def _kin_behind(self) -> Claim | None:
        """Read "Isolde and Aldous, her brother,", like "Isolde and her brother Aldous"."""
        behind = _KIN_BEHIND.match(self.prose, self.other.end)
        if behind is None or not self.is_first_of(GENDERS[behind[1]]):
            return None
        end = behind.end()
        if not BORDER.match(self.prose, end) or POSSESSIVE.match(self.prose, end):
            return None
        role, has_ended = plain_words(behind[2].split())
        claim = self._role(role, self.other, self.one, "possessive", has_ended=has_ended)
        return claim and claim.until(end)

    def _pair_behind(self) -> Claim | None:
        """Read "Ann and Bob are cousins", "Ann and Bob married", "Ann and Bob marry"."""
        is_now = _PAIR_NOW.match(self.prose, self.other.end) is not None
        if self.follows_another() or (is_now and not self.begins_sentence()):
            return None
        claim = self._pair()
        return claim and replace(claim, is_happening=is_now)

    def _pair(self) -> Claim | None:
        behind = _PAIR_AFTER.match(self.prose, self.other.end)
        married = _PAIR_MARRIED.match(self.prose, self.other.end)
        if married is not None and self.one.type == self.other.type == "person":
            return Claim("spouse_of", "pair: married", self.one.start, married.end())
        if behind is None:
            return None
        is_label = ":" in self.prose[self.other.end : behind.start(1)]
        for words, end, has_ended in _shorter(behind):
            if _OF_ANOTHER.match(self.prose, end):
                return None
            if is_label and not BORDER.match(self.prose, end):
                continue
            phrase = " ".join(["be", *words])
            for joining in (" to", " with"):
                found = PHRASES.get(phrase + joining)
                if found is not None:
                    reading = self.ontology.read_name(found[0])
                    if self.ontology.kind(reading.kind).symmetric:
                        start = self.one.start
                        return Claim(reading.kind, phrase, start, end, has_ended=has_ended)
            claim = self._role(words, self.one, self.other, "pair", has_ended=has_ended)
            if claim is not None and self.ontology.kind(claim.kind).symmetric:
                return claim.until(end)
        return None

    def _title(self) -> Claim | None:
        first, _, more = self.one.surface.partition(" ")
        alone = _TITLE_BEFORE.search(self.prose, *before(self.one))
        title = first if more else alone[1] if alone else ""
        role = TITLES.get(title.lower()) if title[:1].isupper() else None
        if role is None or (self.other.type == "place" and title.lower() in TITLES_OF_NO_PLACE):
            return None
        return self._role([role], self.one, self.other, "title", has_ended=False)

    def _is_list(self, words: Sequence[str]) -> bool:
        """Say whether only other names of a list stand between "of" and the other mention."""
        names = [word for word in words if word not in FILLERS]
        if not names:
            return True
        is_joined = names[-1] in ("and", ",") or (len(names) > 1 and names[-1] == "of")
        if not is_joined or not all(word in JOINING or word[0].isupper() for word in names):
            return False
        return "of" in names or ("," not in names and self.is_closed())


def _shorter(found: re.Match[str]) -> Iterator[tuple[list[str], int, bool]]:
    """Yield ever shorter prefixes of the matched words: plain, their end, whether they are over."""
    start = found.start(1)
    for word in reversed(list(re.finditer(r"[\w-]+", found[1]))):
        plain, has_ended = plain_words(found[1][: word.end()].split())
        yield plain, start + word.end(), has_ended
