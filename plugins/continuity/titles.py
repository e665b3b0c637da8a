"""Find titles that one person cannot have at once: Captain here, Lieutenant there.

true:  "Captain Vane" many times, "Lieutenant Vane" once
false: "Sir John", and "King John", of whom the book speaks as well; a count who is called lord
false: a "Lieutenant Commander" who is called "Commander Vane", and "Lieutenant"
false: "Miss Lascelles", and after the wedding "Mrs. Wren"; a rank that is kept from then on
false: "Well, Admiral Vane," said Ann, laughing; "in those days she was still Lieutenant Vane"
false: Lord Ash, and Lady Ash; Captain Vane, and her father, General Vane, or old General Vane
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import dropwhile, takewhile
from typing import NamedTuple

from writeros_entities import Evidence, Finding, Gender, NamedSpan, Sentence, Story

from ..english import GENDER_OF_TITLE, TITLES_IN_FULL
from ..word_lists import word_set
from .people import KIN, People
from .years import is_told_back

_RANKS = {
    "ship, army and police": (
        "captain lieutenant admiral commodore commander colonel major sergeant corporal general "
        "ensign midshipman bosun boatswain private marshal constable inspector superintendent"
    ),
    "peerage": (
        "lord baron earl duke marquis marquess viscount count sir "
        "lady baroness duchess countess dame"
    ),
    "throne": "king prince emperor queen princess empress",
    "church": "brother father bishop abbot archbishop cardinal deacon prior sister abbess prioress",
    "learning": "professor doctor",
}
_RANK = {word: group for group, words in _RANKS.items() for word in words.split()}
_QUALIFIERS = word_set("chief detective first flag lance petty rear second staff vice")
"""Words before a rank, without which one may call the bearer: "Chief Inspector Doyle"."""
_BEFORE = re.compile(r"\b([A-Z][A-Za-z]+)\.? \Z")
_SHORT = {short.lower(): title.lower() for short, title in TITLES_IN_FULL.items()}
_AS_WELL = {
    "professor": "doctor",
    "lord": "baron earl marquis marquess viscount count",
    "lady": "baroness countess dame",
    "father": "abbot bishop prior brother",
    "sister": "prioress abbess",
    "captain": "commander commodore",
}
_BOTH = {frozenset((one, other)) for one, others in _AS_WELL.items() for other in others.split()}
"""Pairs of titles that one person may have at once, or by courtesy."""

_AT_ANOTHER_TIME = re.compile(
    r"\b(?:be|been|was|were|is|am|become|becomes|became|called|named"
    r"|(?:(?:him|her)self|known|disguised|posed|posing|served|serving) as)\s+(?:[\w'’]+\s+)?\Z"
    r"|\b(?:acting|brevet|elder|honorary|late|old|temporary|younger)\s+\Z"
    r"|\b(?:dream\w*|remember\w*|in those days|years (?:ago|before|earlier)|had been|had once)\b",
    re.IGNORECASE,
)
"""Matches before a title that somebody is said to have, or had: "when she was Lieutenant Vane"; and
before one that is not of full right, or of another Vane: "acting", "old".
"""

_KINSMAN = rf"(?:[\w-]+\s+){{0,2}}?(?:{KIN}|namesake)"
_BESIDE_KIN = re.compile(rf"(?:\b(?:his|her|their|my|our)|['’]s)\s+{_KINSMAN},?\s+\Z", re.I)
_BEHIND_KIN = re.compile(rf",\s+(?:his|her|their|my|our)\s+{_KINSMAN}\b", re.I)
"""Match beside the title and name of a namesake: "her father, General ", ", his cousin"."""

_CHANGE = re.compile(
    r"\b(?:promot\w+|demot\w+|knight(?:ed|hood)|ordain\w*|ordination|crown(?:ed|s)|coronation"
    r"|commission(?:ed)?|ennobled|appointed|elected|inherit\w*|succeeded|abdicat\w+)\b"
    rf"|\b(?:made|makes|broke|breaks|raised|reduced)\b[^.;!?]{{0,40}}\b(?:{'|'.join(_RANK)})\b"
)
"""Words by which somebody gets another title."""
_WEDDING = re.compile(r"\b(?:marri\w+|wedding|bride|widow)\b")
_BY_WEDDING = frozenset({"peerage", "throne"})

_OWN = frozenset({"name", "alias"})
_KEYS = frozenset({"title", "rank", "titles"})
_BEFORE_ALL = -1
"""The place of notes, before the manuscript, whose first position may be 0."""

RARE = 0.7


@dataclass(frozen=True, slots=True)
class _Use:
    """Where a title is used; `is_sure` if by the narrator, and of the time of the scene."""

    title: str
    evidence: Evidence
    order: tuple[int, int]
    is_sure: bool = True


def title_conflicts(story: Story, people: People) -> Iterator[Finding]:
    """Yield titles that conflict with the one that a person usually has.

    A title that replaces another for good is a promotion or the like, and no conflict; nor is one
    after words that tell of such a change, or one that a namesake has somewhere. Characters may
    joke, flatter or lie.
    """
    titles, changes = _Titles(story, people), _Changes(story)
    for (person, _), found in titles.uses.items():
        plain = [use for use in _without_plays(found) if use.title not in titles.together[person]]
        ordered = sorted(plain, key=lambda use: use.order)
        yield from _against(story, changes, person, ordered, titles.of_namesakes[person])


class _Titles:
    """The titles that a story gives to its people.

    `uses` has them by person and kind of rank, `together` those that a person has at once, and
    `of_namesakes` those that somebody else of the name has.
    """

    def __init__(self, story: Story, people: People) -> None:
        self.uses: dict[tuple[str, str], list[_Use]] = defaultdict(list)
        self.together: dict[str, set[str]] = defaultdict(set)
        self.of_namesakes: dict[str, set[str]] = defaultdict(set)
        self._people = people
        self._bearers = _bearers(people)
        for person in story.people:
            own = [form.form for form in person.names if form.kind in _OWN]
            sheet = _sheet_sentence(story, person.id)
            if sheet:
                for form in own:
                    self._add_own(person.id, form, sheet)
            for one in person.properties:
                if one.key in _KEYS:
                    self._add_own(person.id, one.value, one.evidence)
        for scene in (*story.sections, *story.scenes):
            if not is_told_back(scene):
                for sentence in scene.sentences:
                    for name in people.names_in(sentence):
                        if not name.rivals:
                            self._add_told(sentence, name)

    def _add_own(self, person: str, name: str, evidence: Evidence) -> None:
        title = _title_of(name, self.together[person])
        if title:
            self.uses[person, _RANK[title]].append(_Use(title, evidence, (_BEFORE_ALL, 0)))

    def _add_told(self, sentence: Sentence, name: NamedSpan) -> None:
        text, start = sentence.text, name.start
        person = self._bearers.get(name.entity, name.entity)
        title = _title_of(name.surface, self.together[person])
        before = _BEFORE.search(text, 0, start) if title is None else None
        if before:
            title, start = _title(before[1]), before.start()
        if title is None:
            return
        is_of_namesake = (
            _BESIDE_KIN.search(text, 0, start)
            or _BEHIND_KIN.match(text, name.end)
            or not _may_have(self._people.genders.get(person), title)
        )
        if is_of_namesake:
            self.of_namesakes[person].add(title)
        is_sure = not (name.is_spoken or _AT_ANOTHER_TIME.search(text, 0, start))
        place = _BEFORE_ALL if sentence.position is None else sentence.position
        use = _Use(title, sentence.evidence, (place, sentence.evidence.start), is_sure)
        self.uses[person, _RANK[title]].append(use)


def _bearers(people: People) -> dict[str, str]:
    """Map people without a note, named by a title and another person's name, to that person."""
    written = {
        name.form: person.id
        for person in people.by_id.values()
        if person.status == "noted"
        for name in person.names
        if name.kind in ("name", "alias")
    }
    found = {}
    for person in people.by_id.values():
        title, _, name = person.name.partition(" ")
        if person.status == "suggested" and _title(title) and name in written:
            found[person.id] = written[name]
    return found


def _without_plays(uses: list[_Use]) -> list[_Use]:
    """Leave out sentences that use two titles at once, as in "Lord Ben or Sir Ben"."""
    titles: dict[tuple[str, int], set[str]] = defaultdict(set)
    for use in uses:
        titles[use.evidence.path, use.evidence.start].add(use.title)
    return [use for use in uses if len(titles[use.evidence.path, use.evidence.start]) == 1]


def _against(
    story: Story, changes: _Changes, person: str, uses: list[_Use], of_namesakes: Collection[str]
) -> Iterator[Finding]:
    if not uses:
        return
    counts: dict[str, int] = defaultdict(int)
    for use in uses:
        counts[use.title] += 1
    usual = max(counts, key=lambda title: (counts[title], title))
    shown = [use for use in uses if use.title == usual]
    first = next((use for use in shown if usual in use.evidence.quote.casefold()), shown[0])
    for use in uses:
        agrees = use.title == usual or frozenset((use.title, usual)) in _BOTH
        is_hers = use.title not in of_namesakes and _may_have(GENDER_OF_TITLE.get(usual), use.title)
        if not use.is_sure or agrees or not is_hers:
            continue
        lasts = all(later.title == use.title for later in uses if later.order >= use.order)
        is_change = lasts and uses[0].title != use.title and counts[use.title] > 1
        if counts[use.title] * 2 > counts[usual] or is_change or changes.precede(use):
            continue
        name = story.entities[person].name
        message = f"{name}: {use.title}, but elsewhere {usual}."
        yield Finding("title", message, (first.evidence, use.evidence), RARE, (person,))


class _Change(NamedTuple):
    """A place where somebody gets another title, perhaps by a wedding."""

    order: tuple[int, int]
    is_wedding: bool


class _Changes:
    """The sentences of a story that tell of somebody who gets another title."""

    def __init__(self, story: Story) -> None:
        self._story = story
        self._positions = sorted({scene.position or 0 for scene in story.scenes})

    def precede(self, use: _Use) -> bool:
        """Say whether a change is told before a use, in its chapter or in the one before."""
        first = bisect_left(self._positions, use.order[0]) - 1
        since = (self._positions[max(first, 0)], 0) if self._positions else use.order
        is_by_wedding = _RANK[use.title] in _BY_WEDDING
        return any(
            since <= change.order < use.order and (is_by_wedding or not change.is_wedding)
            for change in self._told
        )

    @cached_property
    def _told(self) -> list[_Change]:
        found = []
        for scene in self._story.scenes:
            for sentence in scene.sentences:
                is_change = _CHANGE.search(sentence.text) is not None
                if is_change or _WEDDING.search(sentence.text):
                    order = (scene.position or 0, sentence.evidence.start)
                    found.append(_Change(order, is_wedding=not is_change))
        return found


def _may_have(gender: Gender | None, title: str) -> bool:
    """Say whether a person of a gender may have a title: "Lady Ash" is not Lord Ash."""
    return gender is None or GENDER_OF_TITLE.get(title, gender) == gender


def _title_of(name: str, together: set[str]) -> str | None:
    """Return the title before a name, the last of several; add all of several to `together`."""
    words = dropwhile(lambda word: word.casefold() in _QUALIFIERS, name.split())
    titles = list(takewhile(bool, map(_title, words)))
    if len(titles) > 1:
        together.update(filter(None, titles))
    return titles[-1] if titles else None


def _title(word: str) -> str | None:
    title = word.rstrip(".,").casefold()
    title = _SHORT.get(title, title)
    return title if title in _RANK else None


def _sheet_sentence(story: Story, person: str) -> Evidence | None:
    for section in story.sections:
        if section.subject == person and section.sentences:
            return section.sentences[0].evidence
    return None
