"""Find titles that one person cannot have at once: Captain here, Lieutenant there.

true:  "Captain Vane" many times, "Lieutenant Vane" once
false: "Sir John", and "King John", of whom the book speaks as well; a count who is called lord
false: a "Lieutenant Commander" who is called "Commander Vane", and "Lieutenant"
false: "Miss Lascelles", and after the wedding "Mrs. Wren"; a rank that is kept from then on
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from writeros_entities import Evidence, Finding, Story

from .people import People

_RANKS = {
    "ship and army": (
        "captain lieutenant admiral commodore commander colonel major sergeant corporal general "
        "ensign midshipman bosun boatswain private marshal"
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
_BEFORE = re.compile(r"\b([A-Z][a-z]+)\.? \Z")
_SHORT = {
    "adm": "admiral",
    "br": "brother",
    "capt": "captain",
    "cmdr": "commander",
    "col": "colonel",
    "cpl": "corporal",
    "dr": "doctor",
    "fr": "father",
    "gen": "general",
    "lt": "lieutenant",
    "maj": "major",
    "prof": "professor",
    "pvt": "private",
    "sgt": "sergeant",
}
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

_OWN = frozenset({"name", "alias"})
_KEYS = frozenset({"title", "rank", "titles"})
_BEFORE_ALL = -1
"""The place of notes, before the manuscript, whose first position may be 0."""

RARE = 0.7


@dataclass(frozen=True, slots=True)
class _Use:
    title: str
    evidence: Evidence
    order: tuple[int, int]


def title_conflicts(story: Story, people: People) -> Iterator[Finding]:
    """Yield titles that conflict with the one that a person usually has.

    A title that replaces another for good is a promotion or the like, and no conflict.
    """
    uses: dict[tuple[str, str], list[_Use]] = defaultdict(list)
    together: dict[str, set[str]] = defaultdict(set)
    for person in story.people:
        for form in person.names:
            title = _title_of(form.form, together[person.id]) if form.kind in _OWN else None
            proof = _sheet_sentence(story, person.id) if title else None
            if title and proof:
                uses[person.id, _RANK[title]].append(_Use(title, proof, (_BEFORE_ALL, 0)))
        for one in person.properties:
            title = _title_of(one.value, together[person.id]) if one.key in _KEYS else None
            if title:
                uses[person.id, _RANK[title]].append(_Use(title, one.evidence, (_BEFORE_ALL, 0)))
    bearers = _bearers(people)
    for scene in (*story.sections, *story.scenes):
        for sentence in scene.sentences:
            for name in people.names_in(sentence):
                if name.rivals:
                    continue
                person_id = bearers.get(name.entity, name.entity)
                title = _title_of(name.surface, together[person_id])
                before = _BEFORE.search(sentence.text[: name.start])
                title = title or (_title(before[1]) if before else None)
                if title:
                    place = _BEFORE_ALL if sentence.position is None else sentence.position
                    order = (place, sentence.evidence.start)
                    uses[person_id, _RANK[title]].append(_Use(title, sentence.evidence, order))
    for (person_id, _), found in uses.items():
        plain = [use for use in _without_plays(found) if use.title not in together[person_id]]
        yield from _against(story, person_id, sorted(plain, key=lambda use: use.order))


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


def _against(story: Story, person: str, uses: list[_Use]) -> Iterator[Finding]:
    if not uses:
        return
    counts: dict[str, int] = defaultdict(int)
    for use in uses:
        counts[use.title] += 1
    usual = max(counts, key=lambda title: (counts[title], title))
    first = next(use for use in uses if use.title == usual)
    for use in uses:
        lasts = all(later.title == use.title for later in uses if later.order >= use.order)
        is_change = lasts and uses[0].title != use.title and counts[use.title] > 1
        if use.title == usual or frozenset((use.title, usual)) in _BOTH:
            continue
        if counts[use.title] * 2 > counts[usual] or is_change:
            continue
        name = story.entities[person].name
        message = f"{name}: {use.title}, but elsewhere {usual}."
        yield Finding("title", message, (first.evidence, use.evidence), RARE, (person,))


def _title_of(name: str, together: set[str]) -> str | None:
    """Return the title before a name, the last of several; add all of several to `together`."""
    titles = list(takewhile(bool, map(_title, name.split())))
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
