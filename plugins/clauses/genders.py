"""Which pronouns a note has for the names in it: by titles ("Queen Eve"), and by what follows them.

A name counts as it is written, so that what a later chapter reveals of it changes nothing here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from writeros_entities import Page, PageSentence, Words

from .sides import PERSONAL, Mentions

_KNOWN = frozenset({"f", "m"})


def genders_of(page: Page, mentions: Mentions, words: Words) -> Mapping[str, str]:
    """Return the gender of each name, as it is written, that has more pronouns of one than another.

    A pronoun counts for the only person who is named before it in its sentence.
    """
    told: dict[str, Counter[str]] = defaultdict(Counter)
    for line in page.lines:
        for sentence in line.sentences:
            for surface, gender in _told(sentence, mentions, words):
                told[surface][gender] += 1
    found = {}
    for surface, genders in told.items():
        (gender, most), *others = genders.most_common()
        if all(count < most for _, count in others):
            found[surface] = gender
    return found


def _told(sentence: PageSentence, mentions: Mentions, words: Words) -> list[tuple[str, str]]:
    persons = [one for one in mentions.within(sentence.start, sentence.end) if one.type in PERSONAL]
    told = []
    for one in persons:
        title = words.people.get(one.surface.partition(" ")[0].rstrip(".").lower())
        if title is not None:
            told.append((one.surface, title))
    if len({one.entity for one in persons}) == 1:
        first = persons[0]
        behind = (word for word in sentence.words if word.start >= first.end)
        for word in behind:
            if word.kind == "noun" and word.lemma in words.people:
                break
            gender = words.pronouns.get(word.lemma) if word.kind == "pronoun" else None
            if gender in _KNOWN:
                told.append((first.surface, gender or ""))
                break
    return told
