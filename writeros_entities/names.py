"""How two spellings of a name are known to be the same one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

MAX_NAME = 300
"""Characters of the longest name: a longer text names nothing, and no index could hold it."""

_WORTH_COMPARING = 30
"""Names alike in a part that are compared as a whole."""

_PARTS = 0.8
"""What likeness of parts counts beside likeness of the whole."""

_APOSTROPHES = dict.fromkeys(map(ord, "’ʼ‘`´"), "'")
_HYPHENS = dict.fromkeys(map(ord, "‐‑"), "-")
_SAME = _APOSTROPHES | _HYPHENS
_SPACES = re.compile(r"\s+")


def fold_name(name: str) -> str:
    """Return the key under which a name is compared: case, apostrophes and spacing made equal."""
    if name.isascii():
        return " ".join(name.replace("`", "'").split()).lower()
    composed = unicodedata.normalize("NFC", name).translate(_SAME)
    return unicodedata.normalize("NFC", _SPACES.sub(" ", composed).strip().casefold())


_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff]"
)


def is_spaced_script(name: str) -> bool:
    """Say whether a name is written in a script that separates words by spaces.

    Thai, Lao, Burmese, Khmer, Japanese and Chinese are not.
    """
    return _UNSPACED.search(name) is None


def nearest_names(name: str, known: Iterable[str], limit: int = 3) -> list[str]:
    """Return the known names that look most like one that nobody knows, nearest first.

    Parts of names find them, and as a whole they are compared: *The Kepper* has *The* in common
    with many names, and is one letter away from *The Keeper*.
    """
    from rapidfuzz import fuzz, process
    from rapidfuzz.distance import OSA

    asked = fold_name(name)
    alike = process.extract(
        name,
        sorted(set(known)),
        scorer=fuzz.WRatio,
        processor=fold_name,
        limit=max(limit, _WORTH_COMPARING),
        score_cutoff=60,
    )
    scores = {
        found: max(100 * OSA.normalized_similarity(asked, fold_name(found)), _PARTS * score)
        for found, score, _ in alike
    }
    return sorted(scores, key=lambda found: -scores[found])[:limit]


def nearest_or_all(
    name: str, known: Iterable[str], usual: Iterable[str] | None = None
) -> list[str]:
    """Return the known names that look most like an unknown one; where none does, the first ten of
    the `usual` ones, or of all.
    """
    names = sorted(set(known))
    return nearest_names(name, names) or (names if usual is None else sorted(usual))[:10]


_UNSTORABLE = re.compile("[\\0\\ud800-\\udfff]")


def storable(text: str) -> str:
    """Return text that was written with escapes as any database can hold it.

    NUL and halves of characters become U+FFFD.
    """
    return _UNSTORABLE.sub("\ufffd", text)
