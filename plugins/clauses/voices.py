"""Whom "I" means in what is said in a line: who says it, or who says who they are.

"Wim is my brother," said Ann.       Ann
"I'm Ann. This is my son, Wim."      Ann
"""

from __future__ import annotations

from collections.abc import Iterator

from writeros_entities import DecidedMention, Line, PageSentence, Words, spoken_spans

from .sides import PERSONAL, Mentions


def speaker_of(line: Line, prose: str, mentions: Mentions, words: Words) -> DecidedMention | None:
    """Return the only one who says who they are in a line, or else the only one who speaks there.

    `prose` is the text of the note.
    """
    spans = spoken_spans(prose[line.start : line.end])
    spoken = [(line.start + start, line.start + end) for start, end in spans]
    said: dict[bool, dict[str, DecidedMention]] = {True: {}, False: {}}
    for sentence in line.sentences if spoken else ():
        for is_told, one in _voices(sentence, mentions, words, spoken):
            said[is_told].setdefault(one.entity, one)
    told = said[True] or said[False]
    return next(iter(told.values())) if len(told) == 1 else None


def _voices(
    sentence: PageSentence, mentions: Mentions, words: Words, spoken: list[tuple[int, int]]
) -> Iterator[tuple[bool, DecidedMention]]:
    """Yield who says who they are, and who is the subject of a verb of saying beside a speech."""
    parsed = sentence.words
    for at, word in enumerate(parsed):
        is_quoted = any(start <= word.start < end for start, end in spoken)
        if word.kind not in ("verb", "auxiliary"):
            continue
        subjects = list(sentence.of(at, "subject"))
        if is_quoted and word.lemma in words.copulas and not sentence.asks:
            is_self = any(_is_first_person(sentence, one, words) for one in subjects)
            named = sentence.of(at, "complement") if is_self else ()
        elif not is_quoted and word.lemma in words.saying:
            named = iter(subjects)
        else:
            continue
        for one in named:
            name = parsed[one]
            for mention in mentions.within(sentence.start, sentence.end):
                if mention.type in PERSONAL and mention.start <= name.start < mention.end:
                    yield is_quoted, mention


def _is_first_person(sentence: PageSentence, at: int, words: Words) -> bool:
    """Say whether a subject is "I" or "my name"."""
    owners = [sentence.words[one].lemma for one in sentence.of(at, "possessor")]
    is_own = any(words.subjects.get(one) == "own" for one in owners)
    lemma = sentence.words[at].lemma
    return words.subjects.get(lemma) == "self" or (is_own and lemma in words.naming)
