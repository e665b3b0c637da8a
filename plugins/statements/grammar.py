"""From the words around two mentions to what they state.

Every form is read from lists of words, in one pass; no pattern is tried at more than one place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from writeros_plugins.statements.phrases import (
    ADJECTIVES,
    BE,
    FILLERS,
    NEED_TYPES,
    OF_PLACES,
    OVER,
    PHRASES,
    TITLES,
    TWO_OBJECTS,
)

from writeros_entities import DecidedMention, Ontology

LONGEST_GAP = 90
"""Characters between two mentions of which a statement is read, at most."""

MOST_WORDS = 14

_WORD = re.compile(r"[^\W\d_][\w'’-]*|\S")
_POSSESSIVE = re.compile(r"\x01*['’]s?(?=[\s\x01])\x01*")
_ROLE_AFTER = re.compile(r"\x01*['’]s?\x01*\s+((?:[^\W\d_][\w-]*\s+){0,3}[^\W\d_][\w-]*)")
_PAIR_AFTER = re.compile(
    r"\x01*\s+(?:are|were|had\s+been|have\s+been|became|remained)\s+((?:[\w-]+\s+){0,3}[\w-]+)"
)
_ROLE_BEFORE = re.compile(r"\b[Tt]he\s+((?:[\w-]+\s+){0,3})of\s+(?:the\s+)?\x01*\Z")
_TITLE_BEFORE = re.compile(r"(\w+)\s+\x01*\Z")
_LINK_BEFORE = re.compile(
    r"\b(?:of|to|with|for|from|by|than|like|about|against)\s+(?:the\s+)?\x01*\Z"
)
_BORDER = re.compile(
    r"\x01*(?:[.,;:!?…)(\"”»—–]|\s[—–-]\s|\s*\Z|\s*\n\s*\n|\s+(?:and|who|which)\b)"
)
_LONE_OBJECT = re.compile(
    r"\x01*(?:[^\w\s'’-]|\s*\Z|\s+(?:since|for|as|and|who|until|faithfully|all|in|at|with|well|when"
    r"|from|because|but|to|had|has|long|through|during|by|on|before|after|loyally|now|still)\b)"
)
_STATUS = re.compile(
    r"""\x01*(?:,\s+who)?\s+(?:(?:had|has)\s+)?(?:(?:now|then|finally|at\ last)\s+)?(?:
    (?P<dead>died|perished|drowned|passed\ away
        |(?:is|was|been|lay|lies)\s+(?:now\s+|already\s+|found\s+|long\s+)?
         (?:dead|drowned|killed|slain|murdered|hanged|executed|beheaded|assassinated))
    |(?P<exiled>(?:is|was|been)\s+(?:exiled|banished|outlawed))
    |(?P<missing>went\s+missing|(?:is|was)\s+(?:still\s+)?missing)
    |(?P<imprisoned>(?:is|was|been)\s+(?:imprisoned|arrested|jailed|thrown\ into\ prison))
    |(?P<free>(?:is|was|been)\s+(?:freed|released|set\ free))
    |(?P<wounded>(?:is|was|been)\s+(?:badly\s+|gravely\s+)?wounded)
    |(?P<crowned>(?:is|was|been)\s+crowned)
    )(?=\x01*(?:[.,;:!?…)"”]|\s*\Z|\s+(?:in|on|at|by|before|after|of|when|and|that|from|during|for
    |with|here|there|last|yesterday|now|long|without|under|near|as|while|within|upon|again|only
    |this|twenty|ten|many|some|years)\b))""",
    re.VERBOSE,
)
_FIRST = re.compile(r"[\s\x01]*(['’]|[^\W\d_][\w-]*|\S)")
_FIRST_WORDS = frozenset(
    {
        *(phrase.split()[0] for phrase in PHRASES),
        *(*BE, *FILLERS, *OVER),
        *(",", "(", "—", "–", "-", "'", "’", "and", "of", "who", "used", "passed", "at"),
    }
)
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


def read_status(prose: str, one: DecidedMention) -> Claim | None:
    """Return what became of somebody, if the words behind the name say so."""
    found = _STATUS.match(prose, one.end)
    if found is None or found.lastgroup is None or _LINK_BEFORE.search(prose, *_before(one)):
        return None
    return Claim(found.lastgroup, False, "status", one.start, found.end())


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
    if _POSSESSIVE.match(prose, other.end):
        return pair.read_role_behind(words)
    return pair.read_joined(words) or pair.read_role(words) or pair.read_phrase(words)


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two mentions, and what is around them."""

    one: DecidedMention
    other: DecidedMention
    prose: str
    ontology: Ontology

    def read_possessive(self, words: Sequence[str]) -> Claim | None:
        """Read "Isolde's brother Aldous", "Isolde's brother is Aldous"."""
        if not words or _POSSESSIVE.match(self.prose, self.other.end):
            return None
        rest, has_ended = _plain(words)
        is_said = bool(rest) and (rest[-1] == "be" or rest[-1] in ("called", "named"))
        is_apart = bool(rest) and rest[-1] == ","
        if is_said or is_apart:
            rest = rest[:-1]
        if is_apart and not self._is_closed():
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
        if plain == ["be"] and self._follows_another():
            return None
        behind = _ROLE_AFTER.match(self.prose, self.other.end)
        if behind is None:
            return None
        for role, end in _shorter(behind):
            claim = self._role(role, self.one, self.other, "possessive", has_ended=has_ended)
            if claim is not None:
                is_closed = plain == ["be"] or _BORDER.match(self.prose, end)
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
            before = _ROLE_BEFORE.search(self.prose, *_before(self.one))
            if before is None or (plain == [","] and not self._is_closed()):
                return None
            role, was = _plain(before[1].split())
            claim = self._role(
                role, self.other, self.one, "role before", has_ended=has_ended or was
            )
            return claim and _since(claim, before.start())
        return None

    def read_role(self, words: Sequence[str]) -> Claim | None:
        """Read "Isolde, sister of Aldous" and "Isolde was the sister of Aldous"."""
        opening = words[0] in _OPENING
        if not opening and self._follows_another():
            return None
        lower = [word.lower() for word in words]
        ends = [at for at, word in enumerate(lower) if word in ("of", "to")]
        if not ends:
            return None
        plain, has_ended = _plain(words[: ends[0]])
        while plain and (plain[0] in _OPENING or plain[0] in ("who", "be")):
            opening = opening or plain[0] == "be"
            plain = plain[1:]
        if not opening or not self._is_list(words[ends[0] + 1 :]):
            return None
        return self._role(plain, self.one, self.other, "role", has_ended=has_ended)

    def read_phrase(self, words: Sequence[str]) -> Claim | None:
        """Read "Søren was born in Vantry", "Hope, who married Toby", "Ann, born in Vantry"."""
        plain, has_ended = _plain(words)
        is_apposed = bool(plain) and plain[0] in _OPENING
        while plain and (plain[0] in _OPENING or plain[0] == "who"):
            plain = plain[1:]
        if plain[:2] == ["used", "to"]:
            plain, has_ended = plain[2:], True
        if is_apposed and words[1:2] != ["who"]:
            plain = ["be", *plain]
        phrase = " ".join(plain)
        found = PHRASES.get(phrase)
        if found is None or (not is_apposed and self._follows_another()):
            return None
        if found[0] in OF_PLACES and self.one.type != "place":
            return None
        if phrase in TWO_OBJECTS and not _LONE_OBJECT.match(self.prose, self.other.end):
            return None
        kind, is_over = found
        reading = self.ontology.read_name(kind)
        own, linked = self.one.type, self.other.type
        if not self.ontology.fits(reading, own, linked, strictly=phrase in NEED_TYPES):
            return None
        return Claim(
            *(reading.kind, reading.is_inverse, phrase, self.one.start, self.other.end),
            has_ended=has_ended or is_over,
        )

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
        if behind is None or self._follows_another():
            return None
        for words, end in _shorter(behind):
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
        before = _TITLE_BEFORE.search(self.prose, *_before(self.one))
        title = first if more else before[1] if before else ""
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
        return "of" in names or ("," not in names and self._is_closed())

    def _is_closed(self) -> bool:
        """Say whether the phrase ends with the other mention."""
        return _BORDER.match(self.prose, self.other.end) is not None

    def _follows_another(self) -> bool:
        """Say whether the first mention belongs to what stands before it: "the son of Ann"."""
        return _LINK_BEFORE.search(self.prose, *_before(self.one)) is not None


def _before(mention: DecidedMention) -> tuple[int, int]:
    return max(0, mention.start - 60), mention.start


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


def _until(claim: Claim, end: int) -> Claim:
    return Claim(claim.kind, claim.is_inverse, claim.rule, claim.start, end, claim.has_ended)


def _since(claim: Claim, start: int) -> Claim:
    return Claim(claim.kind, claim.is_inverse, claim.rule, start, claim.end, claim.has_ended)
