"""What the layout of a page states, and whom its lines are about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from writeros_entities import (
    HIDDEN,
    MARK,
    DecidedMention,
    Frame,
    InferredRelation,
    Lexicon,
    Line,
    Note,
    Ontology,
    Page,
    PageSentence,
    ToldEvent,
    Words,
)

from ..discovery.uses import is_word
from ..english import COMMON_WORDS
from .events import EventReader
from .genders import genders_of
from .grammar import SPOKEN, UNTYPED, Grammar
from .happening import happening, told_in
from .keys import CONTAINED, Key, Keys, plain_label
from .pairs import PairReader
from .sentences import read_sentence
from .sides import PERSONAL, Context, Mentions, Side, Sides
from .voices import speaker_of

LABELLED = 0.85
LISTED = 0.8
BESIDE = 0.75
"""The confidence in a label's value, in an item under a heading, in the word beside a name."""

_APART = re.compile(r"[,;/&+|、，；]|\s[–—-]\s")
_SIGN = re.compile(r"\s*(?:::?|[–—：（→]|[=-]+>|-{1,2}|=|,|\()\s*")
_MORE_OF_NAME = re.compile(r"(?:\s+[^\W\d_a-z][\w'’-]*){0,2}(?=\s)")
"""Matches words behind a name that may be a part of it, with capitals: a surname."""
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_STATE = re.compile(r"†|[^\W\d_][\w'’-]*|\d+")
_LIVED = re.compile(r" ?\(\*? ?(\d{3,4}) ?[–—-] ?†? ?(\d{3,4})\)")
"""Matches years behind a name from somebody's birth to a death: "Ann (1871–1919)"."""
_NEAR = 80
"""How many characters before a name say what has become of its bearer."""
_LABEL_SIGNS = " .:：("
_PARTS = re.compile(r"[,;:/&+|()、，；：（）→]|\.\s|\s[–—-]\s")
_ROLES = re.compile(r"[,;/&+|()、，；（）]|\.\s|\s[–—-]\s")
_WITH_DICTIONARY = frozenset({"en", ""})
"""Languages in which a word that `is_word` does not know may be a name."""

_SORT_KEYS = frozenset({"type", "kind", "category"})
"""Properties that say what a note's entity is: "the city" is that one there."""

_WITH_PARTS = frozenset({"place", "faction"})
"""Types of entities that a note of another may tell of under a heading."""

_OF = {("person", "faction"): "member_of", ("person", "place"): "comes_from"}
"""What a name is in relation to another behind "of", if a line is no more than that."""

_UNTYPED = "unknown"
_GUESSED = frozenset({"linked", "suggested"})


def with_known_types(
    mentions: Sequence[DecidedMention], lexicon: Lexicon
) -> Sequence[DecidedMention]:
    """Return mentions whose types are those that the writer gave; a guessed type says nothing."""
    return [
        replace(one, type=_UNTYPED)
        if (entity := lexicon.entities.get(one.entity)) is None or entity.status in _GUESSED
        else one
        for one in mentions
    ]


@dataclass(frozen=True, slots=True)
class _Heading:
    """A heading above a line; `named` is the entity that it names, if any."""

    depth: int
    title: str
    named: DecidedMention | None
    is_about_another: bool


@dataclass(frozen=True, slots=True)
class _Item:
    """A list item around a line; `label` is what it says of the items in it."""

    depth: int
    named: DecidedMention | None
    label: str
    is_about_another: bool


@dataclass(slots=True)
class _Around:
    """What stands around a line: headings above, items around, the title of its row."""

    headings: list[_Heading] = field(default_factory=list)
    items: list[_Item] = field(default_factory=list)
    row_title: str = ""


class _Standing(NamedTuple):
    """What a line is about, the name that it begins with, its label, and that of its list."""

    about: DecidedMention | None
    caption: DecidedMention | None
    label: str
    list_heading: str


def _has_subject(sentence: PageSentence, is_captioned: bool) -> bool:
    """Say whether a sentence has a subject of its own, and needs none from around it."""
    words = sentence.words
    return not (sentence.is_fragment or is_captioned) and any(
        word.role in ("subject", "passive subject") and words[word.head].role == "root"
        for word in words
    )


class PageReader:
    """Reads the lines of one page."""

    def __init__(
        self,
        note: Note,
        page: Page,
        words: Words | None,
        mentions: Sequence[DecidedMention],
        subject: DecidedMention | None,
        ontology: Ontology,
        called: Mapping[str, str],
    ) -> None:
        self._called = called
        self._note = note
        self._page = page
        self._words = words or Words()
        self._keys = Keys(self._words, ontology)
        self._all = mentions
        self._mentions = Mentions(mentions)
        self._subject = subject
        self._ontology = ontology
        self._title = frozenset(word.lower() for word in _WORD.findall(note.title))
        self._sorts = {
            word.lower()
            for key, value in note.frontmatter.items()
            if key.casefold() in _SORT_KEYS
            for word in _WORD.findall(str(value))
        }
        self._fields = [(one.start, one.end) for one in note.fields]
        self._pairs = PairReader(
            self._keys, self._words, self._visible, lambda entity: called.get(entity, "")
        )

    @cached_property
    def _genders(self) -> Mapping[str, str]:
        return genders_of(self._page, self._mentions, self._words)

    def read(self) -> Iterator[InferredRelation]:
        """Yield what the page states."""
        around = _Around()
        for one in self._note.property_texts if self._subject is not None else ():
            yield from self._state(one.path, one.value, self._subject, one.start, one.end)
        for at, line in enumerate(self._page.lines):
            if line.kind == "heading":
                yield from self._heading(line, around)
            elif line.kind == "cell":
                yield from self._cell(line, at, around)
            else:
                yield from self._line(line, around)
        yield from self._names()

    def tell(self) -> Iterator[ToldEvent]:
        """Yield what happens by the page's sentences."""
        around, tense = _Around(), told_in(self._page)
        starts = happening(self._page, self._note.prose, self._words)
        for line in self._page.lines:
            if line.kind == "heading":
                _, about = self._enter(line, around)
            elif line.kind != "cell":
                here = self._stand(line, around)
                about = here.caption or here.about
            if line.kind == "cell" or (line.kind == "heading" and about is None):
                continue
            for sentence, sides in self._sentences(line, about):
                if sides is not None and not sentence.is_speech:
                    grammar = Grammar(sides, self._ontology, self._words)
                    yield from EventReader(sides, grammar, self._words, tense, starts).read()

    def _enter(
        self, line: Line, around: _Around
    ) -> tuple[DecidedMention | None, DecidedMention | None]:
        """Go on below a heading; return what the text above it is about, and what it names."""
        while around.headings and around.headings[-1].depth >= line.depth:
            around.headings.pop()
        around.items = []
        outer, named = self._about(around), self._caption(line)
        title = self._seen(line.start, line.end)
        is_another = named is not None or self._is_of_another(line, title)
        around.headings.append(_Heading(line.depth, title, named, is_another))
        return outer, named

    def _heading(self, line: Line, around: _Around) -> Iterator[InferredRelation]:
        outer, named = self._enter(line, around)
        if named is not None:
            key = self._keys.of_label(self._title_above(around))
            if key is not None and outer is not None:
                for told in self._told(key, outer, named, line.start, line.end, LISTED):
                    if outer.type in PERSONAL or told.kind in CONTAINED:
                        yield told
            yield from self._said(line, named, outer)

    def _stand(self, line: Line, around: _Around) -> _Standing:
        """Go on to a line that is no heading, and return where it stands."""
        while around.items and (line.kind != "item" or around.items[-1].depth >= line.depth):
            around.items.pop()
        about, caption = self._about(around), self._caption(line)
        label = "" if line.value is None or caption is not None else line.label
        here = _Standing(about, caption, label, self._list_heading(around))
        if line.kind == "item":
            around.items.append(self._item(line, caption, label))
        return here

    def _line(self, line: Line, around: _Around) -> Iterator[InferredRelation]:
        about, caption, label, heading = self._stand(line, around)
        key = self._keys.of_label(label)
        yield from self._fated(line)
        if key is not None and about is not None and line.value is not None:
            yield from self._keyed(key, line.value.start, line.value.end, line.start, about)
        if line.value is not None and about is not None:
            value = self._seen(line.value.start, line.value.end)
            yield from self._state(label, value, about, line.start, line.end)
        if caption is not None:
            yield from self._marked(caption, line.end)
        if heading and not label and about is not None and caption is not None:
            yield from self._listed(line, heading, caption, about)
        is_told = key is not None or (label and not self._keys.is_known(label))
        yield from self._said(line, caption or about, about, is_whole=not is_told)

    def _item(self, line: Line, caption: DecidedMention | None, label: str) -> _Item:
        """Return a list item as what stands around the items in it: "- Parents"."""
        text = self._seen(line.start, line.end)
        if line.value is not None and line.value.end > line.value.start:
            below = ""
        else:
            below = label or (text if self._keys.of_label(text) else "")
        is_another = caption is not None or (not label and self._may_be_name(text[:40]))
        return _Item(line.depth, caption, below, is_another)

    @cached_property
    def _rows(self) -> Mapping[int, DecidedMention]:
        """The name that each row of a table is about, by the index of its first cell's line.

        It begins the first cell, or else it is all that stands in one other cell and in no more.
        """
        found: dict[int, DecidedMention] = {}
        alone: dict[int, list[DecidedMention]] = {}
        for at, line in enumerate(self._page.lines):
            named = self._caption(line) if line.kind == "cell" else None
            if named is not None and line.first == -1:
                found[at] = named
            elif named is not None and not self._visible(named.end, line.end).strip():
                alone.setdefault(line.first, []).append(named)
        return {at: names[0] for at, names in alone.items() if len(names) == 1} | found

    def _cell(self, line: Line, at: int, around: _Around) -> Iterator[InferredRelation]:
        about, text = self._about(around), self._seen(line.start, line.end)
        row = self._rows.get(at if line.first == -1 else line.first)
        is_first = line.first == -1
        if is_first:
            around.row_title = text
        if row is None:
            key = None if is_first else self._keys.of_label(around.row_title)
            if key is not None and about is not None:
                yield from self._keyed(key, line.start, line.end, line.start, about)
        elif not line.start <= row.start < line.end:
            key = self._keys.of_label(line.header)
            if key is not None:
                yield from self._keyed(key, line.start, line.end, line.start, row)
            else:
                yield from self._fragments(line.start, line.end, row)
                if about is not None:
                    for part in _ROLES.split(text):
                        yield from self._role(part, row, about, line.end)
        if is_first or about is None or about.type not in PERSONAL:
            return
        yield from self._state(around.row_title, text, about, line.start, line.end)

    # -- Whom a line is about ----------------------------------------------------------------------

    def _about(self, around: _Around) -> DecidedMention | None:
        above: list[_Item | _Heading] = [*around.headings, *around.items]
        for over in reversed(above):
            if over.named is not None or over.is_about_another:
                return over.named
        return self._subject

    def _caption(self, line: Line) -> DecidedMention | None:
        """Return the name with which a line begins, if a sign or nothing follows it.

        One of which nothing is known is a label if another name is its value.
        """
        begin, end = line.start, line.end
        while begin < end and self._note.prose[begin] in f"{MARK}{HIDDEN} [":
            begin += 1
        names = self._mentions.within(begin, end)
        lead = self._visible(begin, names[0].start).split() if names else []
        if not self._words.leading.issuperset(word.lower() for word in lead):
            return None
        named = [one for one in names if one.start == names[0].start]
        if not named:
            return None
        rest = self._visible(named[0].end, end)
        if line.value is not None and named[0].type == _UNTYPED:
            values = self._mentions.within(line.value.start, end)
            if any(one.start == line.value.start for one in values):
                return None
        return named[0] if not rest.strip() or _SIGN.match(rest) else None

    def _is_of_another(self, line: Line, title: str) -> bool:
        """Say whether a heading that names nobody we know may be about somebody else.

        The only title of the highest level is that of the note; and of one word that no dictionary
        here knows, few are names in a note that is about somebody.
        """
        is_title = line.depth == 1 and self._titles == 1
        is_foreign = self._page.language not in _WITH_DICTIONARY and " " not in title
        is_part = self._subject is not None and (is_title or is_foreign)
        if self._keys.only_points(title):
            return True
        return not is_part and self._may_be_name(line.label or title)

    def _may_be_name(self, title: str) -> bool:
        """Say whether a heading or an item may begin with a name: then it is about another.

        That is one with a word that is none of the language's; and what has an article, or is a
        noun for a place or a group, may be one: "The Rusty Anchor", "Black Tower".
        """
        words = _WORD.findall(title)
        own = [word for word in words if word[0].isupper()]
        if not own or self._keys.is_known(title):
            return False
        has_article = words[0].lower() in self._words.leading and len(own) > 2
        is_place = self._words.sorts.get(own[-1].lower()) in _WITH_PARTS and len(own) > 1
        is_plain = all(word.lower() in COMMON_WORDS or self._keys.is_known(word) for word in own)
        return has_article or (is_place and not is_plain) or not all(map(self._is_common, own))

    def _is_common(self, word: str) -> bool:
        low, sorts = word.lower(), self._words.sorts
        is_noun = low in sorts or plain_label(low) in sorts
        return is_noun or low in COMMON_WORDS or self._keys.is_known(word) or is_word(low)

    @cached_property
    def _titles(self) -> int:
        """How many headings of the highest level the page has."""
        return sum(line.kind == "heading" and line.depth == 1 for line in self._page.lines)

    # -- Names -------------------------------------------------------------------------------------

    def _names(self) -> Iterator[InferredRelation]:
        """Yield what names say of those whose they are: "Ann's Brother", "Ann's Sword"."""
        known = [*self._all, *([self._subject] if self._subject is not None else [])]
        by_entity = {one.entity: one for one in reversed(known)}
        for one in by_entity.values():
            parts = self._keys.parts_of_name(one.surface or self._called[one.entity])
            if parts is None:
                continue
            owner, role = parts
            owners = [
                other
                for other in by_entity.values()
                if other.entity != one.entity
                and other.type in (*PERSONAL, _UNTYPED)
                and f"{self._called[other.entity]} ".startswith(f"{owner} ")
            ]
            if len(owners) != 1:
                continue
            named = owners[0] if one.start == one.end else one
            if role:
                said = self._role(role, one, owners[0], named.end)
                yield from (replace(told, start=named.start) for told in said)
            elif one.type == "item":
                yield InferredRelation(
                    owners[0], "owns", one, named.start, named.end, BESIDE, "words: name"
                )

    # -- Labels and lists --------------------------------------------------------------------------

    def _keyed(
        self, key: Key, begin: int, end: int, start: int, about: DecidedMention
    ) -> Iterator[InferredRelation]:
        """Yield what a label says of the names with which its value, or a part of it, begins."""
        if self._is_field(start, end):
            return
        names = self._mentions.within(begin, end)
        for other in names:
            if self._begins_part(begin, other, names):
                yield from self._marked(other, end)
                yield from self._told(key, about, other, start, max(end, other.end), LABELLED)

    def _state(
        self, label: str, value: str, about: DecidedMention | None, start: int, end: int
    ) -> Iterator[InferredRelation]:
        """Yield the status that a label, or its value, says that somebody has: "Status: dead"."""
        said = [word.lower() for word in _STATE.findall(value)[:2]]
        words, name = self._words, plain_label(label).lower()
        if about is None or not said or not words.doubt.isdisjoint(said):
            return
        status = words.status_labels.get(name) if words.void_values.isdisjoint(said) else None
        if status is None and name in words.state_labels:
            status = next(filter(None, map(self._status_of, said)), None)
        if status is not None and about.type in (*PERSONAL, *UNTYPED):
            yield InferredRelation(about, status, None, start, end, LABELLED, f"words: {name}")

    def _fated(self, line: Line) -> Iterator[InferredRelation]:
        """Yield what a line that no parser reads says has become of somebody.

        Words before a name may presuppose it ("tomb of Ann"), and the last word may say it of the
        only one, whose name is the first ("Ann by the gate killed", as German has it).
        """
        words, named = self._words, self._mentions.within(line.start, line.end)
        said = [one.lower() for one in _WORD.findall(self._visible(line.start, line.end))]
        if self._page.has_clauses or not named or not words.doubt.isdisjoint(said):
            return
        is_alone = len({one.entity for one in named}) == 1
        for one in named:
            near = max(line.start, one.start - _NEAR)
            before = _WORD.findall(self._visible(near, one.start).lower())
            phrases = (" ".join(before[-length:]) for length in (2, 3) if len(before) >= length)
            status = next(filter(None, map(words.status_nouns.get, phrases)), None)
            if status is None and is_alone and not before:
                status = self._status_of(said[-1]) if said and line.value is None else None
            if status is not None and one.type in (*PERSONAL, *UNTYPED):
                yield InferredRelation(
                    one, status, None, one.start, one.end, BESIDE, "words: status"
                )

    def _status_of(self, word: str) -> str | None:
        known = self._words.statuses.get(Frame(word), ())
        return self._words.status_words.get(word) or next(iter(known), None)

    def _marked(self, named: DecidedMention, end: int) -> Iterator[InferredRelation]:
        """Yield the status that a word behind a name says that it has: "[[Ann]] (deceased)"."""
        rest = self._visible(named.end, end)
        years = _LIVED.match(rest)
        if years is not None and int(years[1]) < int(years[2]) and named.type in PERSONAL:
            yield InferredRelation(named, "dead", None, named.start, end, BESIDE, "words: years")
        more = _MORE_OF_NAME.match(rest)
        sign = _SIGN.match(rest, more.end() if more is not None else 0)
        word = _STATE.match(rest, sign.end()) if sign is not None else None
        status = self._status_of(word[0].lower()) if word is not None else None
        if status is not None and named.type in (*PERSONAL, *UNTYPED):
            yield InferredRelation(named, status, None, named.start, end, BESIDE, "words: status")

    def _listed(
        self, line: Line, heading: str, named: DecidedMention, about: DecidedMention
    ) -> Iterator[InferredRelation]:
        key = self._keys.of_label(heading)
        if key is not None and not self._is_field(line.start, line.end):
            yield from self._told(key, about, named, line.start, line.end, LISTED)

    def _is_field(self, start: int, end: int) -> bool:
        """Say whether an inline field stands there: what it states is read as a property's."""
        return any(begin < end and start < stop for begin, stop in self._fields)

    def _told(
        self,
        key: Key,
        about: DecidedMention,
        other: DecidedMention,
        start: int,
        end: int,
        confidence: float,
    ) -> Iterator[InferredRelation]:
        """Yield what a key says of an entity in relation to another: it is the key's subject.

        Of one of which nothing is known it says nothing in relation to what may be anything.
        """
        types = {about.type, other.type}
        reading = self._keys.read(key, about.type, other.type)
        if reading is None or other.entity == about.entity:
            return
        kind = self._ontology.kind(reading.kind)
        is_sure = confidence >= LISTED and kind.domain and kind.range
        if is_sure or _UNTYPED not in types or not types <= UNTYPED:
            source, target = (other, about) if reading.is_inverse else (about, other)
            rule = f"words: {key.said}"
            yield InferredRelation(
                source, reading.kind, target, start, end, confidence, rule, key.has_ended
            )

    def _begins_part(
        self, begin: int, other: DecidedMention, names: Sequence[DecidedMention]
    ) -> bool:
        """Say whether a name begins a part of a value, behind a title or another's at most."""
        at = max((one.end for one in names if one.end <= other.start), default=begin)
        before = self._visible(at, other.start)
        parts = _APART.split(before)
        words = [word.lower().rstrip(".") for word in _WORD.findall(parts[-1])]
        while words and self._keys.may_lead(words[-1]):
            words.pop()
        is_new = at == begin or len(parts) > 1 or not before.strip()
        return (is_new and not words) or (bool(words) and words[-1] in self._words.joining)

    def _list_heading(self, around: _Around) -> str:
        for item in reversed(around.items):
            if item.label or item.is_about_another:
                return item.label
        if not around.headings or around.headings[-1].named is None:
            return around.headings[-1].title if around.headings else ""
        title = self._title_above(around)
        key = self._keys.of_label(title)
        reading = key and self._keys.read(key, "place", "place")
        return title if reading and reading.kind in CONTAINED else ""

    def _title_above(self, around: _Around) -> str:
        """Return the heading above those that name something: "Districts" above "The Docks"."""
        unnamed = (one.title for one in reversed(around.headings) if one.named is None)
        return next(unnamed, "")

    # -- Sentences and fragments -------------------------------------------------------------------

    def _said(
        self,
        line: Line,
        about: DecidedMention | None,
        whose: DecidedMention | None,
        *,
        is_whole: bool = True,
    ) -> Iterator[InferredRelation]:
        """Yield what a line's sentences state, and the words beside the name that it begins with.

        `is_whole` says whether they may be about whom the line is about.
        """
        for sentence, sides in self._sentences(line, about):
            if sides is not None:
                sureness = SPOKEN if sentence.is_speech else 1.0
                for stated in read_sentence(sides, self._ontology, self._words):
                    yield replace(stated, confidence=stated.confidence * sureness)
            is_here = about is not None and line.start <= about.start < line.end
            is_said = sentence.asks or sentence.is_speech or _has_subject(sentence, is_here)
            if about is not None and is_whole and not is_said:
                is_item = line.kind in ("item", "heading") or not self._page.has_clauses
                yield from self._fragments(sentence.start, sentence.end, about, is_item=is_item)
            if not (self._page.has_clauses or sentence.asks or sentence.is_speech):
                names = self._mentions.within(sentence.start, sentence.end)
                for key, one, other in self._pairs.read(sentence.start, names):
                    start, end = min(one.start, other.start), max(one.end, other.end)
                    yield from self._told(key, one, other, start, end, BESIDE)
        yield from self._titled(line)
        if about is not None and line.start <= about.start < line.end:
            yield from self._owned(line, about)
        if about is not None and whose is not None and about.entity != whose.entity:
            yield from self._beside(line, about, whose)

    def _sentences(
        self, line: Line, about: DecidedMention | None
    ) -> Iterator[tuple[PageSentence, Sides | None]]:
        """Yield the sentences of a line, each with whom its words mean if a parser has read it."""
        topic: Sequence[Side] = () if about is None else (Side(about, 0.85),)
        others: frozenset[str] = frozenset()
        things: Sequence[Side] = ()
        whose: Mapping[str, Sequence[Side]] = {}
        is_own = (
            about is not None and self._subject is not None and about.entity == self._subject.entity
        )
        title = self._title if is_own else frozenset()
        speaker = speaker_of(line, self._note.prose, self._mentions, self._words)
        for sentence in line.sentences:
            if not self._page.has_clauses:
                yield sentence, None
                continue
            sorts = frozenset(self._sorts if is_own else ())
            context = Context(
                *(about, topic, title, sorts, others, things, self._subject, self._genders),
                *(whose, speaker),
            )
            sides = Sides(sentence, self._mentions, context, self._words, self._note.prose)
            yield sentence, sides
            subject = sides.subject()
            others = sides.unnamed() | (others if subject is None else frozenset())
            topic = topic if subject is None else subject
            things, whose = sides.things(), sides.whose()
            if is_own and about is not None:
                self._sorts |= sides.what_is(about.entity)

    def _titled(self, line: Line) -> Iterator[InferredRelation]:
        """Yield the roles that names have in their titles: "[[Captain Vane]] of the [[Heron]]".

        Only who rules is so of a place; any other is from there.
        """
        names = self._mentions.within(line.start, line.end)
        for one, other in pairwise(names):
            between = self._visible(one.end, other.start)
            if one.entity == other.entity or not self._is_of(between):
                continue
            title, _, rest = one.surface.partition(" ")
            role = self._keys.role_of(title) if rest else None
            if role is not None:
                for told in self._told(role, one, other, one.start, other.end, BESIDE):
                    if other.type != "place" or told.kind == "rules":
                        yield told
                continue
            kind = _OF.get((one.type, other.type))
            is_all = not self._visible(line.start, one.start).strip(_LABEL_SIGNS)
            is_from = between.lower().split()[0] in self._words.particles
            if kind is not None and is_from and is_all and other.end == line.end:
                yield InferredRelation(one, kind, other, one.start, other.end, BESIDE, "words: of")

    def _is_of(self, between: str) -> bool:
        words = between.lower().split()
        is_of = bool(words) and words[0] in self._words.of
        return is_of and self._words.leading.issuperset(words[1:])

    def _fragments(
        self, begin: int, end: int, about: DecidedMention, *, is_item: bool = False
    ) -> Iterator[InferredRelation]:
        """Yield what words that lead to names say of whom they are about: "Daughter of Ruth".

        That goes on from name to name, up to the first whose words say nothing. An item may begin
        with whom it is about: "[[Ann]] serves [[Ben]]".
        """
        key: Key | None = None
        at = begin
        before: DecidedMention | None = None
        for other in self._mentions.within(begin, end):
            if other.surface.lower() in self._words.sides:
                continue
            lead = self._visible(at, other.start)
            if at == begin and is_item and not lead.strip(" (["):
                rest = self._visible(other.end, end)
                if rest.startswith(tuple(self._words.possessive)):
                    role = _WORD.findall(_PARTS.split(rest)[0])[1:]
                    yield from self._role(" ".join(role), about, other, end)
                about, at = other, other.end
                continue
            said = _WORD.findall(lead)
            if key is None or not self._joins(said):
                part = _PARTS.split(lead.rstrip(_LABEL_SIGNS))[-1]
                is_label = lead.rstrip().endswith((":", "：", "("))
                key = (self._keys.of_label if is_label else self._keys.before_name)(part)
                if key is None and self._is_declined(other):
                    key = self._keys.before_genitive(part)
                is_of_other = before is not None and before.type in (*PERSONAL, _UNTYPED)
                behind = _PARTS.split(self._visible(other.end, end))[0]
                around = None if key is not None else self._keys.around_name(part, behind)
                if around is not None:
                    yield from self._told(around, about, other, begin, other.end, BESIDE)
                    return
                if key is None or (is_of_other and key.is_nominal and ";" not in lead):
                    return
            if not self._ends(other.end, end):
                return
            yield from self._told(key, about, other, begin, other.end, BESIDE)
            at, before = other.end, other

    def _is_declined(self, mention: DecidedMention) -> bool:
        """Say whether a name stands in another case than that in which its bearer is called."""
        name = self._called.get(mention.entity, "")
        return any(mention.surface in self._words.cases(one) for one in (name, *name.split()))

    def _joins(self, said: Sequence[str]) -> bool:
        between = {word.lower() for word in said}
        return between <= self._words.joining | self._words.leading

    def _ends(self, at: int, end: int) -> bool:
        """Say whether a name stands at the end of what is said, and is no part of something."""
        rest = self._visible(at, end).lstrip()
        word = _WORD.match(rest)
        if word is None:
            return rest[:1] not in "?'’" or not rest
        return (
            word[0].lower()
            in self._words.joining | self._keys.cases | self._words.relative_pronouns
        )

    def _beside(
        self, line: Line, about: DecidedMention, whose: DecidedMention
    ) -> Iterator[InferredRelation]:
        """Yield the roles that the words beside a name give it: `- Ruth (mother)`."""
        rest = self._visible(about.end, line.end)
        sign = _SIGN.match(rest)
        if sign is None:
            return
        for part in _ROLES.split(rest[sign.end() :]):
            yield from self._role(part, about, whose, line.end)

    def _owned(self, line: Line, about: DecidedMention) -> Iterator[InferredRelation]:
        """Yield the roles that a caption has in relation to names behind it: "Ann – Ben's son"."""
        for other in self._mentions.within(about.end, line.end):
            rest = self._visible(other.end, line.end)
            before = self._visible(about.end, other.start)
            if (
                rest.startswith(tuple(self._words.possessive))
                and not _PARTS.split(before)[-1].strip()
            ):
                said = _WORD.findall(_PARTS.split(rest)[0])[1:]
                yield from self._role(" ".join(said), about, other, line.end)

    def _role(
        self, said: str, about: DecidedMention, whose: DecidedMention, end: int
    ) -> Iterator[InferredRelation]:
        """Yield what words beside a name say that it is, in relation to another entity."""
        for words in self._keys.apart(_WORD.findall(said)):
            for key in self._keys.of_role(words):
                told = list(self._told(key, about, whose, about.start, end, BESIDE))
                yield from told
                if told:
                    break

    def _visible(self, start: int, end: int) -> str:
        return self._note.prose[start:end].replace(MARK, "").replace(HIDDEN, "")

    def _seen(self, start: int, end: int) -> str:
        return " ".join(self._visible(start, end).split())
