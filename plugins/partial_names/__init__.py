"""Derives the shorter names that prose uses: "Elizabeth" and "Miss Bennet" from "Elizabeth Bennet".

A derived name is weaker than a full one, and two entities may share it: what stands around a
mention decides, not this plugin. But "Mrs. Vane" is no name of somebody who is "he" by the note or
by an own title.

`persons` takes a name apart, `derivation` makes shorter ones of its parts, `spellings` writes them
in other ways.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from writeros_entities import DerivedName, Gender, hookimpl

__version__ = "7"


@hookimpl
def derive_names(
    name: str, aliases: Sequence[str], entity_type: str, gender: Gender | None
) -> Iterable[DerivedName]:
    """Return shorter names: by parts for persons, without article or suffix for all."""
    from .derivation import derive

    return derive(name, aliases, entity_type, gender)
