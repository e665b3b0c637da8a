"""What a clause is worth: whether it is said plainly that it holds."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import takewhile

from writeros_entities import PageSentence, WordRole, Words

_BESIDE = ("modifier", "determiner", "marker", "coordinator", "other")
"""Roles in which a word of doubt takes back what stands on the same word."""

_SIDES: tuple[WordRole, ...] = ("subject", "passive subject", "object", "oblique", "agent")
"""Roles of those whom a verb is about."""


def is_plain(sentence: PageSentence, at: int, words: Words, quoted: Collection[int] = ()) -> bool:
    """Say whether the clause of a word is stated plainly.

    Those who say the `quoted` words state them; what they say that others say, they do not.
    """
    return (
        not sentence.asks
        and is_real(sentence, at, words)
        and not _is_command(sentence, at)
        and not _is_of_nobody(sentence, at, words)
        and not any(
            _is_doubted(sentence, one, words)
            for one in takewhile(
                lambda one: at not in quoted or one in quoted, upwards(sentence, at)
            )
            if at not in quoted
            or sentence.words[one].role != "clause"
            or sentence.words[one].head in quoted
        )
    )


def is_real(sentence: PageSentence, at: int, words: Words) -> bool:
    """Say whether what a clause presupposes is about reality, not about a dream or a rumour."""
    return not any(_is_unreal(sentence, one, words) for one in upwards(sentence, at))


def upwards(sentence: PageSentence, at: int) -> Iterator[int]:
    """Yield a word, the word on which it depends, and so on up to the root."""
    seen: set[int] = set()
    while at not in seen:
        seen.add(at)
        yield at
        at = sentence.words[at].head


def _is_unreal(sentence: PageSentence, at: int, words: Words) -> bool:
    word = sentence.words[at]
    if word.kind == "verb" and word.lemma in words.dreamt:
        return True
    is_noun = word.kind != "verb" and word.role in ("subject", "root", "oblique")
    if is_noun and word.lemma in words.unreal_nouns:
        return True
    beside = (
        sentence.words[one]
        for one in sentence.of(at, "oblique")  # "in an attempt to flee" says only what for
        if not any(True for _ in sentence.of(one, "infinitive"))
    )
    return any(one.lemma in words.unreal_nouns or one.case in words.hearsay for one in beside)


def _is_command(sentence: PageSentence, at: int) -> bool:
    """Say whether a verb without a subject and a tense is all there is: "Marry Ben!"."""
    word = sentence.words[at]
    if word.role != "root" or word.kind != "verb" or word.form not in ("infinitive", ""):
        return False
    return not any(True for _ in sentence.of(at, "subject", "passive subject"))


def is_denied(sentence: PageSentence, at: int, words: Words) -> bool:
    """Say whether a word beside a noun takes it back: "no brother", "her alleged brother"."""
    beside = (sentence.words[one] for one in sentence.dependents[at])
    return any(
        one.role == "negation" or (one.role in _BESIDE and one.lemma in words.doubt)
        for one in beside
    )


def _is_to_come(sentence: PageSentence, at: int, words: Words) -> bool:
    """Say whether what a verb in the present says is to come, or happens again and again."""
    for one in sentence.of(at, "modifier", "oblique", "object"):
        word = sentence.words[one]
        beside = {sentence.words[place].lemma for place in (one, *sentence.dependents[one])}
        if word.kind != "name" and not words.recurring.isdisjoint(beside):
            return True
    return False


def _is_of_nobody(sentence: PageSentence, at: int, words: Words) -> bool:
    """Say whether a side of a verb is nobody: "Ann married nobody, least of all Ben"."""
    sides = list(sentence.of(at, *_SIDES))
    beside = [place for one in sides for place in sentence.of(one, "coordinator", "determiner")]
    return any(sentence.words[one].lemma in words.nobody for one in (*sides, *beside))


def _is_apart(sentence: PageSentence, at: int, words: Words) -> bool:
    """Say whether a clause stands only beside the next: "The Swan is Ben's boat, he sails it".

    Then the verb behind it does not tell of saying or thinking, and each has its own subject.
    """
    head = sentence.words[at].head
    verb = sentence.words[head].lemma
    is_said = verb in words.saying or verb in words.unreal or verb in words.hearing
    own, other = (list(sentence.of(one, "subject", "passive subject")) for one in (at, head))
    is_unreal = any(sentence.words[one].lemma in words.unreal_nouns for one in other)
    is_marked = any(True for _ in sentence.of(at, "marker"))
    return at < head and bool(own and other) and not (is_said or is_unreal or is_marked)


def _is_inverted(sentence: PageSentence, at: int) -> bool:
    """Say whether an auxiliary before the subject makes it a condition: "Had Ann died"."""
    first = next(sentence.of(at, "auxiliary"), None)
    subject = next(sentence.of(at, "subject", "passive subject"), None)
    return first == 0 and subject is not None and not sentence.asks


def _is_doubted(sentence: PageSentence, at: int, words: Words) -> bool:
    """Say whether a word, or how it depends on the next, takes back what is below it."""
    word = sentence.words[at]
    if word.form == "future" or (word.form == "present" and _is_to_come(sentence, at, words)):
        return True
    for one in sentence.dependents[at]:
        beside = sentence.words[one]
        if beside.role == "negation" or (beside.role in _BESIDE and beside.lemma in words.doubt):
            return True
        if beside.role == "auxiliary" and beside.lemma in words.modals:
            return True
        if beside.role == "marker" and beside.lemma in words.conditions:
            return True
        if (
            word.role == "adverbial clause"
            and beside.role == "marker"
            and beside.lemma in words.fictive
        ):
            return True
    if _is_inverted(sentence, at):
        return True
    head = sentence.words[word.head]
    if word.role == "clause":
        return head.lemma not in words.factive and not _is_apart(sentence, at, words)
    if word.role == "relative clause" and head.role == "complement":
        return head.lemma in words.unreal_nouns
    if word.role == "infinitive":
        return head.lemma not in words.achieved | words.ceasing
    is_bare = word.form == "infinitive" and word.role in ("adverbial clause", "relative clause")
    auxiliaries = (sentence.words[one] for one in sentence.of(at, "auxiliary"))
    return is_bare and all(one.form not in ("past", "present") for one in auxiliaries)
