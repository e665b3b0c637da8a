"""Compare the spellings of names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from writeros_entities.values import KnownEntity

MAX_NAME = 300
"""The most characters in a name: longer texts name nothing, and no index could store them."""

_WORTH_COMPARING = 30
"""How many names with similar parts are compared as wholes."""

_PARTS = 0.8
"""The weight of the similarity of parts, relative to that of the whole."""

_APOSTROPHES = dict.fromkeys(map(ord, "’ʼ‘`´"), "'")
_HYPHENS = dict.fromkeys(map(ord, "‐‑"), "-")
_SAME = _APOSTROPHES | _HYPHENS
_SPACES = re.compile(r"\s+")


def fold_name(name: str) -> str:
    """Return the key by which a name is compared: equal for case, apostrophe and space variants."""
    if name.isascii():
        return " ".join(name.replace("`", "'").split()).lower()
    composed = unicodedata.normalize("NFC", name).translate(_SAME)
    return unicodedata.normalize("NFC", _SPACES.sub(" ", composed).strip().casefold())


def forms_of_known(entity: KnownEntity) -> dict[str, bool]:
    """Return each form of an entity of a knowledge base, and whether it matches only as written.

    So does its name, if that is not among the forms.
    """
    forms = dict.fromkeys(entity.forms, False) | dict.fromkeys(entity.exact_forms, True)
    is_form = fold_name(entity.name) in map(fold_name, forms)
    return forms if is_form else {entity.name: True, **forms}


_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff]"
)


def is_spaced_script(name: str) -> bool:
    """Say whether a name is written in a script that separates words by spaces.

    Thai, Lao, Burmese, Khmer, Japanese and Chinese are not.
    """
    return _UNSPACED.search(name) is None


def nearest_names(name: str, known: Iterable[str]) -> list[str]:
    """Return the three known names most similar to an unknown one, nearest first.

    Names are found by similar parts, and ranked by similarity of the whole as well: *The Kepper*
    shares *The* with many names, but is one letter away from *The Keeper*.
    """
    from rapidfuzz import fuzz, process
    from rapidfuzz.distance import OSA

    asked = fold_name(name)
    alike = process.extract(
        name,
        sorted(set(known)),
        scorer=fuzz.WRatio,
        processor=fold_name,
        limit=_WORTH_COMPARING,
        score_cutoff=60,
    )
    scores = {
        found: max(100 * OSA.normalized_similarity(asked, fold_name(found)), _PARTS * score)
        for found, score, _ in alike
    }
    return sorted(scores, key=lambda found: -scores[found])[:3]


def nearest_or_all(
    name: str, known: Iterable[str], usual: Iterable[str] | None = None
) -> list[str]:
    """Return the known names most similar to an unknown one.

    If none is similar, return the first ten of the `usual` names, or of all.
    """
    names = sorted(set(known))
    return nearest_names(name, names) or (names if usual is None else sorted(usual))[:10]


_LINK = re.compile(r"\s*!?\[\[([^\[\]|#]*)(?:#([^\[\]|]*))?(?:\|[^\[\]]*)?\]\]\s*")
_AROUND = re.compile(
    r"\A(?:[\W_]+|(?:the|an?)\s+)+|['’]s[\W_]*\Z|(?<![\W_])[\W_]+\Z", re.IGNORECASE
)


def split_link(name: str) -> tuple[str, str]:
    """Return what a wikilink leads to, and the place there: `[[Cast/Ann#Voice|her]]`.

    Any other name is returned as it is, with no place.
    """
    link = _LINK.fullmatch(name)
    return (name, "") if link is None else (link[1].strip(), (link[2] or "").strip())


def bare_name(name: str) -> str:
    """Return a name without what a text puts around it: *Ann*, "Ann's", the Ann."""
    return _AROUND.sub("", name)


_UNSTORABLE = re.compile("[\\0\\ud800-\\udfff]")


def storable(text: str) -> str:
    """Return text with NUL and lone surrogates replaced by U+FFFD, so that any database can store
    it.
    """
    return _UNSTORABLE.sub("\ufffd", text)
