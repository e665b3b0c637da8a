"""Find the chapter that a writer refers to: by link, path, or name with or without its number.

chapters = Chapters({"Book 1/01 - Fog.md": 1, "Book 2/01 - Fog.md": 9})
chapters.meant("[[Book 2/01 - Fog]]")     # {"Book 2/01 - Fog.md": 9}
chapters.meant("Fog")                     # both
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from writeros_entities.errors import FAULTS
from writeros_entities.names import fold_name
from writeros_entities.values.notes import note_name
from writeros_entities.vault.links import link_key, resolve_link

if TYPE_CHECKING:
    from writeros_entities.protocols import ReadingOrder

FOLDER_NOTE = "index.md"
"""The name of a note that stands for its folder."""

_WORDS_TO_A_NUMBER = 2
_SCENE_OF_A_CHAPTER = re.compile(
    r"\b(?:ch|chap|chapter|kap|kapitel|chapitre|cap|capítulo|capitulo|capitolo|hoofdstuk)\b"
    r".{0,100}\b(?:sc|scene|szene|scène|escena|cena|scena)\b",
    re.IGNORECASE,
)
"""Matches "Chapter 1, scene 2"; not "Act 1, scene 2", as the scenes of a play are its chapters."""
_DECIMAL = re.compile(r"\d+\.\d+")
_NUMBER = re.compile(r"^\d[\d.]*[\s\-–—_.:)]+")


class Chapters:
    """The notes of a manuscript, each with its reading position, by path."""

    def __init__(self, positions: Mapping[str, int]) -> None:
        self._positions = positions
        self._paths = {fold_name(path): path for path in positions}
        self._by_key: dict[str, list[str]] = defaultdict(list)
        for folded in self._paths:
            self._by_key[link_key(folded)].append(folded)

    def meant(self, written: str, source_path: str = "") -> dict[str, int]:
        """Return the chapters that a reference may mean, by path with their positions, best first.

        References are resolved like links (see `resolve_link`), from the note at `source_path`; the
        number before a chapter's name may be left out. Several results are equally good; no result
        means that there is no such chapter.
        """
        whole = fold_name(without_link(written))
        found = self._found(whole, source_path) or self._found(whole.partition("#")[0], source_path)
        paths = [self._paths[folded] for folded in found]
        return {path: self._positions[path] for path in paths}

    def _found(self, target: str, source_path: str) -> Sequence[str]:
        if not target:
            return ()
        candidates = self._by_key.get(link_key(target), ())
        found = resolve_link(target, fold_name(source_path), candidates).candidates
        return found or self._by_name.get(target.strip(), ())

    @cached_property
    def _by_name(self) -> Mapping[str, Sequence[str]]:
        """The folded paths of the chapters, by their names without the leading number."""
        found: dict[str, list[str]] = defaultdict(list)
        for folded in self._paths:
            found[_unnumbered(folded)].append(folded)
        return found


def without_link(written: str) -> str:
    """Return a link's target without brackets and displayed text; other text only stripped."""
    return written.strip().removeprefix("[[").removesuffix("]]").partition("|")[0].strip()


def place_of(written: str, orders: Iterable[ReadingOrder]) -> tuple[int, ...]:
    """Return the place in reading order by which a chapter is called; () for any other name.

    It is (7,) for "chapter 7", (7, 5) for "7.5", and (2, 3) for "Book 2, chapter 3": the place that
    a folder of that name gives to a note with no number of its own. A name that says more than its
    numbers, such as "Chapter 7: Fog", may be wrong about them, and "Chapter 1, scene 2" is a
    scene's.
    """
    name = without_link(written)
    if not name or "/" in name or _SCENE_OF_A_CHAPTER.search(name):
        return ()
    if _DECIMAL.fullmatch(name):
        name = f"chapter {name}"
    for order in orders:
        try:
            claim = order.claim(f"{name}/{FOLDER_NOTE}", {})
        except FAULTS:  # a sync reports it
            continue
        if claim is not None:
            place = (*claim.book, *claim.key)
            return place if len(name.split()) <= _WORDS_TO_A_NUMBER * len(place) else ()
    return ()


def _unnumbered(path: str) -> str:
    """Return a chapter's name without its leading number: `gloves` for `07 - gloves.md`."""
    return _NUMBER.sub("", note_name(path))
