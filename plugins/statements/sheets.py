"""Read what a sheet says about its own subject without naming it.

    Master of the Lantern Guild. Born in Vantry.     a sentence that omits its subject
    Servants: Perrin and Ann                         a role, and who has it, as in - Home:: Vantry
    | Home | Vantry |                                likewise
    She married Tobias.                              a pronoun, if all that precedes is about one

A sheet is the note of an entity whose type is known. It is about its subject before its second
heading, and in sections with a usual heading ("History") instead of a name.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter

from writeros_entities import MARK, Block, DecidedMention, Note, Ontology

from ..word_lists import word_set
from .claims import Claim
from .employments import EMPLOYMENTS
from .grammar import as_clauses, read_gap
from .objects import acts
from .phrases import PHRASES
from .pronouns import GENDERS, NOUNS_OF_GENDER
from .roles import POSSESSIVE
from .sentences import (
    LONGEST_LEAD,
    PARAGRAPH,
    WORD,
    begin_of_sentence,
    begins_of_sentences,
    is_doubtful,
    says,
)
from .surroundings import BORDER
from .table_rows import LISTED, read_row_of_sheet
from .words import PREPOSITIONS

UNKNOWN_TYPES = frozenset({"concept", "unknown"})
"""Entity types whose notes may be about anything."""

_SECTIONS = frozenset(
    [
        "about",
        "background",
        "backstory",
        "basics",
        "biography",
        "career",
        "childhood",
        "connections",
        "death",
        "description",
        "early life",
        "facts",
        "family",
        "fate",
        "history",
        "home",
        "in brief",
        "later life",
        "life",
        "notes",
        "origin",
        "origins",
        "overview",
        "past",
        "profile",
        "relations",
        "relationships",
        "role",
        "story",
        "summary",
        "who he is",
        "who she is",
        "who they are",
        "youth",
    ]
)
"""Headings, in lower case, of sections in which a sheet is about its subject."""

_SUBJECTLESS_VERBS = word_set(
    *(phrase.removeprefix("be ").split()[0] for phrase in PHRASES),
    "arrived arrives became began begins came escaped escapes finds fled flees found gets got had",
    "has is keeps kept loses lost meets met moved moves ran returned returns rises rose saw sees",
    "spends spent started starts traveled travelled travels turns wanted wants was wins won",
)
"""Verbs that begin a sentence of a sheet that omits its subject."""

_BLOCKS = frozenset({"paragraph", "list", "callout", "table"})
_NAME = re.compile(r"(?<![\w'’-])(?!I\b)[^\W\d_a-z][\w'’-]*")
_LABEL = re.compile(r"([^\W\d_][\w-]*(?: [\w-]+){0,2}) ?::? +")
_TAIL = re.compile(r"(?:, and then|, and|, then|,| and then| and) (?=[^\W\d_])")
_PRONOUN = re.compile(r"\b(she|he|they) (?=[^\W\d_])", re.IGNORECASE)
_POSSESSIVES = frozenset({"his", "her", "their"})
_SENTENCE_END = re.compile(r"[\x01 ]*(?:[.;!)\x00]|\n|\Z)")
_FRAGMENT_END = re.compile(
    rf"{BORDER.pattern}|\x01*\s+(?:for|since|until|till|from|in|at|by|under|during|before|after|when)\b"
)
_LAST_WORD = re.compile(r"(?<![^\W\d_])([^\W\d_]+) (?:the )?\Z")


@dataclass(frozen=True)
class Sheet:
    """A note, and the entity whose note it is."""

    note: Note
    subject: DecidedMention
    ontology: Ontology

    def read(self, other: DecidedMention) -> Claim | None:
        """Return the claim of the sentence up to a mention about the subject and that mention."""
        kind = self._kind_of_own_block(other.start)
        if kind == "table":
            return read_row_of_sheet(self.note, self.subject, other, self.ontology)
        if kind is None:
            return None
        prose = self.note.prose
        start = begin_of_sentence(prose, other.start, LONGEST_LEAD)
        if start is None or self._kind_of_own_block(start) in (None, "table"):
            return None
        lead = _plain(prose[start : other.start])
        unnamed = replace(self.subject, start=start, end=start)
        claim = self._label(lead, unnamed, other) or self._label_of_line(start, other)
        if claim is not None:
            return claim
        closed = _closing(lead)
        for gap in self._gaps(lead, start):
            claim = read_gap(gap, unnamed, other, prose, self.ontology)
            if claim is not None:
                return claim if closed is None or closed.match(prose, claim.end) else None
        return None

    def _label(self, lead: str, one: DecidedMention, other: DecidedMention) -> Claim | None:
        """Read "Servants: Perrin": a role, and a list of those who have it."""
        found = _LABEL.match(lead)
        if found is None or not LISTED.fullmatch(lead, found.end()):
            return None
        if POSSESSIVE.match(self.note.prose, other.end) or acts(self.note.prose, other.end):
            return None
        reading = self.ontology.read_key(found[1], one.type, other.type)
        if reading is None or reading.kind not in self.ontology.kinds:
            return None
        if not self.ontology.fits(reading, one.type, other.type, strictly=True):
            return None
        rule = f"label: {found[1].lower()}"
        return Claim(reading.kind, rule, one.start, other.end, is_inverse=reading.is_inverse)

    def _label_of_line(self, start: int, other: DecidedMention) -> Claim | None:
        """Read a label at the start of a later line of a paragraph."""
        line = self.note.prose.rfind("\n", start, other.start) + 1
        if not self.note.prose[line : line + 1].isupper() or not line:
            return None
        lead = _plain(self.note.prose[line : other.start])
        return self._label(lead, replace(self.subject, start=line, end=line), other)

    def _gaps(self, lead: str, start: int) -> Iterator[str]:
        """Yield the words of a sentence as they would follow the name of its subject."""
        first = WORD.match(lead)
        if first is None:
            yield from () if lead else (", ",)
            return
        word = first[0].lower()
        goes_on = word in _SUBJECTLESS_VERBS and self._goes_on(start)
        if word not in GENDERS and (lead[0].isupper() or goes_on):
            yield from as_clauses(lead)
            if word in _SUBJECTLESS_VERBS and not _NAME.search(lead, first.end()):
                for tail in _TAIL.finditer(lead):
                    if is_doubtful(lead[: tail.start()]):
                        break
                    yield from as_clauses(lead[tail.end() :])
        if word in _POSSESSIVES and self._is_theme(GENDERS[word], start):
            yield "’s" + lead[first.end() :]
        yield from self._behind_pronoun(lead, start)

    def _goes_on(self, start: int) -> bool:
        """Say whether a clause continues a sentence that omits its subject."""
        prose = self.note.prose
        if prose[:start].rstrip()[-1:] != ";":
            return False
        begin = begin_of_sentence(prose, prose.rindex(";", 0, start), LONGEST_LEAD)
        first = None if begin is None else WORD.match(prose, begin)
        return first is not None and self._is_fragment(first)

    def _is_fragment(self, first: re.Match[str]) -> bool:
        """Say whether a sentence says what the subject is or did, without naming it."""
        word = first[0].lower()
        if not first[0][0].isupper() or word in _SUBJECTLESS_VERBS:
            return first[0][0].isupper()
        return word in EMPLOYMENTS or self.ontology.read_role(word, "person", "any") is not None

    def _behind_pronoun(self, lead: str, start: int) -> Iterator[str]:
        """Yield what follows the last pronoun of a sentence, if that can only mean the subject.

        A name before it in the sentence makes it uncertain, unless after a preposition.
        """
        pronouns = list(_PRONOUN.finditer(lead))
        if not pronouns:
            return
        found = pronouns[-1]
        gender = GENDERS[found[1].lower()]
        before = lead[: found.start()]
        words = {word.lower() for word in WORD.findall(before)}
        is_alone = words.isdisjoint(NOUNS_OF_GENDER[gender]) and all(
            _is_oblique(before, name) for name in _NAME.finditer(before, 1)
        )
        is_plain = not is_doubtful(before) and not says(before)
        if is_alone and is_plain and self._is_theme(gender, start):
            yield from as_clauses(lead[found.end() :])

    def _is_theme(self, gender: str, start: int) -> bool:
        """Say whether each sentence of the paragraph up to this one is about the subject.

        Each must begin with the subject's name or a pronoun of the same gender; and none may
        mention another person whom the pronoun could mean.
        """
        prose = self.note.prose
        blank = prose.rfind("\n\n", 0, start)
        paragraph = max(blank + 2 if blank != -1 else 0, start - PARAGRAPH)
        told = WORD.findall(prose, paragraph, start)
        if not NOUNS_OF_GENDER[gender].isdisjoint(map(str.lower, told)):
            return False
        called = {word.lower() for word in WORD.findall(self.note.title)}
        for begin in (*begins_of_sentences(prose, paragraph, start), start):
            first = WORD.match(prose, begin)
            word = "" if first is None else first[0].lower()
            if word in called or GENDERS.get(word) == gender:
                continue
            if first is None or not (self._is_fragment(first) and self._names_nobody(first)):
                return False
        return True

    def _names_nobody(self, first: re.Match[str]) -> bool:
        """Say whether all names in the sentence with this first word follow prepositions."""
        prose = self.note.prose
        rest = " ".join(prose[first.start() : first.start() + LONGEST_LEAD].split())
        sentence = re.split(r"[.!?;]", rest.replace(MARK, ""), maxsplit=1)[0]
        return all(_is_oblique(sentence, name) for name in _NAME.finditer(sentence, 1))

    def _kind_of_own_block(self, start: int) -> str | None:
        """Return the kind of the block here, or None if it is not about the subject."""
        place = bisect_right(self._own_blocks, start, key=attrgetter("start")) - 1
        block = self._own_blocks[place] if place >= 0 else None
        return block.kind if block is not None and start < block.end else None

    @cached_property
    def _own_blocks(self) -> tuple[Block, ...]:
        """The blocks of text that are about the subject."""
        headings = self.note.headings
        blocks: list[Block] = []
        heading = 0
        for block in self.note.blocks:
            while heading < len(headings) and headings[heading].start <= block.start:
                heading += 1
            is_own = heading <= 1 or headings[heading - 1].text.lower() in _SECTIONS
            if is_own and block.kind in _BLOCKS:
                blocks.append(block)
        return tuple(blocks)


def _plain(prose: str) -> str:
    """Return the words before a name, in one line and without formatting marks."""
    words = " ".join(prose.replace(MARK, "").split())
    return f"{words} " if words else ""


def _closing(lead: str) -> re.Pattern[str] | None:
    """Return a pattern that must follow, so that a fragment is not the start of a longer sentence.

    "The captain of the Heron" may be the subject of a sentence; "Captain of the Heron" is not.
    """
    first = lead.partition(" ")[0].lower()
    if first in ("", "a", "an", "the"):
        return _SENTENCE_END
    return None if first in _SUBJECTLESS_VERBS or first in GENDERS else _FRAGMENT_END


def _is_oblique(text: str, name: re.Match[str]) -> bool:
    """Say whether a name follows a preposition: "gave it to Tobias Wren"."""
    start = name.start()
    for earlier in _NAME.finditer(text, 0, start):
        if text[earlier.end() : start] == " ":
            return _is_oblique(text, earlier)
    found = _LAST_WORD.search(text, 0, start)
    return found is not None and found[1].lower() in PREPOSITIONS
