"""The installed engines, each found by the scheme of a database's URL.

A distribution names its engine in the entry point group `writeros_entities.engines`:

    [project.entry-points."writeros_entities.engines"]
    traced = "writeros_sqlite_traced:TracedEngine"

`traced://…`, and `traced+driver://…` unless that has an entry point too, then lead to it. The
product's own engines, the packages in this folder, are found no other way.
"""

from __future__ import annotations

import re
from contextlib import suppress
from importlib import metadata
from typing import TYPE_CHECKING

from writeros_entities.errors import FAULTS, StoreError, describe_error

if TYPE_CHECKING:
    from writeros_entities.store.engine import Engine

ENTRY_POINT_GROUP = "writeros_entities.engines"

_SCHEME = re.compile(r"([a-z][a-z\d+.-]*)://", re.IGNORECASE)


def find_engine(url: str) -> Engine | None:
    """Return the engine of a URL, or None if the text has no scheme.

    Raises StoreError, with the known schemes, for one that no engine has; and if two distributions
    have it, or the engine cannot be imported.
    """
    match = _SCHEME.match(url)
    if match is None:
        return None
    scheme = match[1].lower()
    installed = metadata.entry_points(group=ENTRY_POINT_GROUP)
    for name in (scheme, scheme.partition("+")[0]):
        if name in installed.names:
            return _load([point for point in installed if point.name == name])
    known = ", ".join(f"{name}://" for name in sorted(installed.names))
    raise StoreError(f"No engine is installed for {scheme}:// databases. Known: {known}.")


def example_urls() -> list[str]:
    """Return a few URLs of the installed engines, as one writes them."""
    examples: dict[str, None] = {}
    for point in metadata.entry_points(group=ENTRY_POINT_GROUP):
        with suppress(StoreError):  # it is told to those who use that engine
            examples |= dict.fromkeys(_load([point]).examples)
    return list(examples)


def _load(points: list[metadata.EntryPoint]) -> Engine:
    """Return the engine of an entry point, which several copies of a distribution may have."""
    owners = _owners(points) if len(points) > 1 else []
    if len(owners) > 1:
        raise StoreError(
            f"Several distributions, {', '.join(owners)}, offer an engine for "
            f"{points[0].name}:// databases. Uninstall all but one."
        )
    try:
        engine: Engine = points[0].load()()
    except FAULTS as error:
        raise StoreError(
            f"The engine for {points[0].name}:// databases, of {_owners(points)[0]}, cannot be "
            f"loaded: {describe_error(error)}"
        ) from error
    return engine


def _owners(points: list[metadata.EntryPoint]) -> list[str]:
    return sorted({point.dist.name if point.dist else "unknown" for point in points})
