"""Which chapter a writer means: by a link, a path, or a name, with its number or without.

chapters = Chapters({"Book 1/01 - Fog.md": 1, "Book 2/01 - Fog.md": 9})
chapters.meant("[[Book 2/01 - Fog]]")     # {"Book 2/01 - Fog.md": 9}
chapters.meant("Fog")                     # both
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

from writeros_entities.names import fold_name
from writeros_entities.vault.links import link_key, resolve_link

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
        """Return the chapters that words in a note may mean, with their positions, best first.

        They are resolved as links are (see `resolve_link`): several are equally good, and none is
        no chapter. The number before a name may be left out.
        """
        target = fold_name(without_link(written).partition("#")[0])
        if not target:
            return {}
        candidates = self._by_key.get(link_key(target), ())
        found = resolve_link(target, fold_name(source_path), candidates).candidates
        found = found or tuple(path for path in self._paths if _unnumbered(path) == target)
        paths = [self._paths[folded] for folded in found]
        return {path: self._positions[path] for path in paths}


def without_link(written: str) -> str:
    """Return what stands between the brackets of a link, without the words that it shows."""
    return written.strip().removeprefix("[[").removesuffix("]]").partition("|")[0].strip()


def _unnumbered(path: str) -> str:
    """Return a chapter's name without the number before it: `07 - gloves.md` is `gloves`."""
    return _NUMBER.sub("", path.rpartition("/")[2].removesuffix(".md"))
