"""Decide whether a word that is also a name is used as a name.

"Will" begins many questions and "May" many wishes, so a capital is evidence only inside a sentence
that is not written in capitals as a whole.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from writeros_entities import HIDDEN, MARK, Gender, Note

from ..english import (
    ABBREVIATED_TITLES,
    ACTS,
    COMMON_WORDS,
    FINITE,
    GENDER_OF_TITLE,
    GIVEN_NAMES_AND_VERBS,
    GIVEN_NAMES_AND_WORDS,
    MODALS,
    NO_INFINITIVES,
    ORGANIZATION_NOUNS,
    PLACE_NOUNS,
    TITLES,
)
from ..word_lists import word_set

ACTING = "what only somebody does, right beside"

UNLIVING = frozenset({"place", "item", "event", "concept"})
"""Sorts that neither have a title nor do what only somebody does."""

_REACH = 80
_NO_NAMES = COMMON_WORDS | TITLES
_NAMED_AFTER = PLACE_NOUNS | ORGANIZATION_NOUNS
_ADDRESSES = word_set("eminence excellency grace highness holiness honor honour majesty worship")
_BEFORE_ADDRESS = re.compile(r"\b(?:[Yy]our|[Hh]is|[Tt]heir|Her)\s+\Z")
"""Does not match the "her" of "he told her Grace had left"."""

_OPENING = "\"'“„‚‘«‹([{¿¡*_"
_TITLE_REACH = max(map(len, TITLES)) + len(" .")
_CLOSING = "\"'”“’»›)]}*_"
_ENDING = (",", ".", "!", "?", "'", "’")
_AROUND = f" \t>{MARK}{HIDDEN}"
_SHORTEST_BROKEN = 50
"""The characters from which on a line may have been broken inside a sentence; a heading and the
lines of a list or a sheet are mostly shorter.
"""

_TERMINAL = ".!?…:。！？|>#•"
_LIST_MARK = re.compile(r"(?:^|\n)[ \t]*(?:[-+*>#|]+|\d+[.)]|\[.\])[ \t]*$")
_LIST_MARK_ENDS = "-+*>#|.)]"
_INITIAL = re.compile(r"(?:^|[\s.])[^\W\d_a-z]\.$")
_TITLE_BEFORE = re.compile(r"(?:^|[^\w])([^\W\d_]+)\.?\s+$")
_WORD_BEFORE = re.compile(
    r"(?<![^\W\d_])([^\W\d_]+|(?:[^\W\d_]|Benj|Chas|Edw|Geo|Jas|Jno|Jos|Robt|Saml|Thos|Wm)\.) $"
)
"""Does not match the "Tom. " of "saw Tom. Marrow ran", where a sentence ends."""

_NAME_BEHIND = re.compile(r" ([^\W\d_]+)(?<=[^\W\d_A-Z])(?![^\W\d_])")
_VERB_BEHIND_SPEECH = re.compile(r"[\"”’»“] ([^\W\d_]+) $")
_NEXT_WORD = re.compile(r"[ \t]+([^\W\d_]+(?:['’][^\W\d_]+)?)")
_MONTHS = frozenset({"april", "may", "june", "august", "march", "january", "july"})
_BEFORE_MONTH = re.compile(
    r"(?:\b(?:in|of|by|last|next|this|that|early|late|mid|since|until|till|during|through|from"
    r"|every|each|one|before|after|to)[\s-]+|\d(?:st|nd|rd|th)?(?:\s+of)?\s+)$",
    re.IGNORECASE,
)
_AFTER_MONTH = re.compile(r"[\s,]+\d")
_AFTER_VERB = word_set(
    "any anybody anyone be been everyone he her him his i it its me my no not nothing our she",
    "someone something that the their them there these they this those us we what you your",
)
"""Words that follow a verb at the start of a sentence, but not a name."""


def reads_as_verb(note: Note, start: int, end: int) -> bool:
    """Say whether a word opens a sentence as a verb: "Will you", "Mark my words"."""
    following = _NEXT_WORD.match(note.prose, end)
    return (
        following is not None
        and following[1].split("'")[0].split("’")[0].lower() in _AFTER_VERB
        and starts_sentence(note, start)
    )


def acts(note: Note, start: int, end: int) -> str | None:
    """Return `ACTING` if the next word is a verb that needs a human subject: "Hope nodded".

    So it is behind a speech: "Sit," said Hope. For a modal verb, a finite verb or the end of the
    clause is sufficient: "Will took it".
    """
    return ACTING if _speaks(note, start) or _acts(note, start, end) else None


def _speaks(note: Note, start: int) -> bool:
    before = _VERB_BEHIND_SPEECH.search(note.prose, max(0, start - _REACH), start)
    return before is not None and before[1] in ACTS


def _acts(note: Note, start: int, end: int) -> bool:
    following = _NEXT_WORD.match(note.prose, end)
    if following is not None and following[1] in ACTS:
        return True
    if note.prose[start:end].lower() not in MODALS:
        return False
    if following is None:
        return note.prose[end : end + 1] in _ENDING
    is_regular = following[1].endswith("ed") and len(following[1]) > len("need")
    return is_regular or following[1] in FINITE or following[1] in NO_INFINITIVES


def addresses(note: Note, start: int, end: int) -> bool:
    """Say whether a word is part of a form of address: "Your Grace", "Her Majesty"."""
    if note.prose[start:end].lower() not in _ADDRESSES:
        return False
    return _BEFORE_ADDRESS.search(note.prose[max(0, start - _REACH) : start]) is not None


def capital_reason(note: Note, start: int, end: int) -> str | None:
    """Return why the capital of `start:end` is evidence for a name, or None if it is not."""
    prose = note.prose
    before = prose[max(0, start - _REACH) : start].replace(MARK, "")
    word = prose[start:end].replace(MARK, "")
    if len(word) > 1 and word.isupper():
        return None
    title = _last_title(before, len(before.rstrip()) - _TITLE_REACH, len(before))
    if title:
        return f"after the title {title}"
    if starts_sentence(note, start) or _in_titlecase_heading(note, start):
        return None
    if word.lower() in _MONTHS and (_BEFORE_MONTH.search(before) or _AFTER_MONTH.match(prose, end)):
        return None
    return "capital inside a sentence"


def precedes_name(plain: str, end: int) -> bool:
    """Say whether another name directly follows, so that both form one longer name.

    "Mary" in "Mary Crane" is the given name of her only. Common words are not names here, except
    nouns of places and groups: "Crane Hall" and "Crane's Hall" are not Mary.
    """
    if plain.startswith("'s ", end):
        owned = _NAME_BEHIND.match(plain, end + 2)
        return owned is not None and owned[1] in _NAMED_AFTER
    if not (plain.startswith(" ", end) and plain[end + 1 : end + 2].isupper()):
        return False
    following = _NAME_BEHIND.match(plain, end)
    return following is not None and (
        following[1] in _NAMED_AFTER or following[1].lower() not in _NO_NAMES
    )


def follows_title(plain: str, start: int) -> bool:
    """Say whether a title precedes: "Cranes" in "the two Miss Cranes" is not the family."""
    return _last_title(plain, start - _TITLE_REACH - 1, start) is not None


def _last_title(text: str, start: int, end: int) -> str | None:
    """Return the last word of a span if it is a title, or None."""
    found = _TITLE_BEFORE.search(text, max(0, start), end)
    is_title = found is not None and found[1][0].isupper() and found[1].lower() in TITLES
    return found[1] if found is not None and is_title else None


def title_before(plain: str, start: int) -> int:
    """Return the length of the titles before a name, with spaces: "Lt. " before "Reyes"."""
    begin = start
    while begin > 1 and plain[begin - 1] == " ":
        word = plain.rfind(" ", 0, begin - 1) + 1
        while plain[word] in _OPENING:
            word += 1
        if not plain[word].isupper() or not _is_title(plain[word : begin - 1]):
            break
        begin = word
    return start - begin


def gender_of_titles(name: str) -> Gender | None:
    """Return the gender that titles imply, or those that a name begins with."""
    for word in name.split():
        if not _is_title(word):
            return None
        gender = GENDER_OF_TITLE.get(word.rstrip(".").lower())
        if gender:
            return gender
    return None


@lru_cache(maxsize=1 << 14)
def _is_title(word: str) -> bool:
    key = word.rstrip(".").lower()
    return key in TITLES and not word.isupper() and (word[-1] != "." or key in ABBREVIATED_TITLES)


def follows_name(plain: str, start: int) -> bool:
    """Say whether another name directly precedes, so that both form one longer name.

    "Marrow" in "Edmund Marrow" is the surname of Edmund only. Titles and common words are not names
    here, except those that are given names (see `_is_given`).
    """
    if start < 2 or plain[start - 1] != " ":
        return False
    token = plain.rfind(" ", 0, start - 1) + 1
    if plain[token:start].islower():
        return False
    reach = max(token, start - _REACH)
    before = plain[max(token, reach - 1) : start]
    return _ends_in_name(before, reach > token) or _is_given(
        before, plain[max(0, token - 2) : token]
    )


def _is_given(word: str, before: str) -> bool:
    """Say whether a common word is a given name before a surname: "with Frank Crane".

    Not if it may be a verb that opens the sentence: "May Crane live".
    """
    key = word.strip(" ").lower()
    if key not in GIVEN_NAMES_AND_WORDS:
        return False
    return key not in GIVEN_NAMES_AND_VERBS or before[:1].islower()


def word_before(plain: str, start: int) -> str:
    """Return the last word before an offset, without opening punctuation."""
    return plain[max(0, start - _REACH) : start].split()[-1].lstrip(_OPENING)


@lru_cache(maxsize=1 << 14)
def _ends_in_name(before: str, is_cut: bool) -> bool:
    """Say whether a text ends in a name and a space; if `is_cut`, ignore its first character."""
    found = _WORD_BEFORE.search(before, is_cut)
    if found is None:
        return False
    word = found[1].rstrip(".")
    is_shouted = len(word) > 1 and word.isupper()
    return word[0].isupper() and not is_shouted and word.lower() not in _NO_NAMES


def begins_line(note: Note, start: int) -> bool:
    """Say whether a line begins with a word, and the one before it is not merely broken there."""
    line = note.prose.rfind("\n", 0, start)
    return (
        line >= 0
        and not note.prose[line + 1 : start].strip(_AROUND)
        and (not _is_broken(note.prose, line) or _ends_heading(note, start))
    )


def ends_line(note: Note, end: int) -> bool:
    """Say whether a line ends with a word, and is not merely broken there."""
    line = note.prose.find("\n", end)
    is_last = line >= 0 and not note.prose[end:line].strip(_AROUND)
    return is_last and not _is_broken(note.prose, line)


def _is_broken(prose: str, end: int) -> bool:
    """Say whether the line that ends here is as long as those of a text with broken lines."""
    return end - prose.rfind("\n", 0, end) > _SHORTEST_BROKEN


def starts_sentence(note: Note, start: int) -> bool:
    """Say whether a word at `start` would be capitalised in any case, as a sentence starts there.

    The start of a line counts as that of a sentence, unless the previous line breaks off inside
    one.
    """
    prose = note.prose
    if start > 1 and prose[start - 1] == " " and prose[start - 2].islower():
        return False
    before = prose[max(0, start - _REACH) : start].replace(MARK, "")
    if not before or before[-1] in _OPENING or before[-1] == HIDDEN or _ends_list_mark(before):
        return True
    stripped = before.rstrip(" \t\r\n\u00a0")
    gap = before[len(stripped) :]
    if not stripped or gap.count("\n") > 1:
        return True
    if "\n" in gap and not (stripped[-1] in ",;" or stripped[-1].islower()):
        return True
    if "\n" in gap and _ends_heading(note, start):
        return True
    if gap:
        stripped = stripped.rstrip(_CLOSING)
    if not stripped or stripped[-1] == HIDDEN:
        return True
    return stripped[-1] in _TERMINAL and not _INITIAL.search(stripped)


def _ends_list_mark(before: str) -> bool:
    return before.rstrip(" \t\n")[-1:] in _LIST_MARK_ENDS and _LIST_MARK.search(before) is not None


def _ends_heading(note: Note, start: int) -> bool:
    index = bisect_right(note.headings, start, key=lambda heading: heading.start) - 1
    return index >= 0 and not note.prose[note.headings[index].end : start].strip(f" \r\n{MARK}")


def _in_titlecase_heading(note: Note, start: int) -> bool:
    index = bisect_right(note.headings, start, key=lambda heading: heading.start) - 1
    if index < 0 or note.headings[index].end <= start:
        return False
    words = re.findall(r"[^\W\d_]{4,}", note.headings[index].text)
    return all(word[0].isupper() for word in words)
