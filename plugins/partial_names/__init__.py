"""Derives the shorter names that prose uses: "Elizabeth" and "Miss Bennet" from "Elizabeth Bennet".

A derived name is weaker than a full one, and two entities may share it: the context of a mention
decides, not this plugin. But "Mrs. Vane" is not derived for a person who is male by the note or by
a title.

`titles_of_notes` reads a name as prose has it; `persons` parses it and `derivation` makes shorter
ones of its parts, or `things` does for places, groups and ships; `spellings` adds variants.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from writeros_entities import DerivedName, Gender, hookimpl

__version__ = "12"


@hookimpl
def derive_names(
    name: str, aliases: Sequence[str], entity_type: str, gender: Gender | None
) -> Iterable[DerivedName]:
    """Return shorter names: from parts for people, without article or suffix for all."""
    from .derivation import derive

    return derive(name, aliases, entity_type, gender)
