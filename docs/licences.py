"""The licences of all that is installed with the product, as the distributions state them."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from tables import table

PROJECT = tomllib.loads(
    (Path(__file__).resolve().parent.parent / "pyproject.toml").read_text("utf-8")
)["project"]
ALWAYS = "always"
_FOR_DEVELOPERS = "test"

_LONGEST_NAME = 60
"""A field with more characters is the text of a licence, not its name."""

_NAMES = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "Apache 2.0 License": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "ISC License": "ISC",
}
"""The short names of licences that distributions call otherwise."""


def licences() -> str:
    """Return a table of the distributions that are installed, those of the core first."""
    extras = {ALWAYS: PROJECT["dependencies"], **PROJECT["optional-dependencies"]}
    needed_by: dict[str, list[str]] = defaultdict(list)
    for extra, requirements in extras.items():
        if extra != _FOR_DEVELOPERS:
            for name in sorted(_installed_by(requirements)):
                needed_by[name].append(extra)
    rows = [
        (f"`{name}`", licence_of(name), ALWAYS if ALWAYS in by else ", ".join(by))
        for name, by in needed_by.items()
    ]
    rows.sort(key=lambda row: (row[2] != ALWAYS, row[0]))
    return f"\n{table(('distribution', 'licence', 'installed with'), rows)}\n\n"


def licence_of(name: str) -> str:
    """Return what an installed distribution says of its licence."""
    told = metadata.metadata(name)
    classifiers = [one for one in told.get_all("Classifier") or () if one.startswith("License")]
    field = told["License"] or ""
    stated = told["License-Expression"] or (field if len(field) <= _LONGEST_NAME else "")
    if not stated:
        stated = classifiers[0] if classifiers else "not stated"
    stated = stated.rpartition(" :: ")[2]
    return _NAMES.get(stated, stated)


def _installed_by(requirements: Iterable[str]) -> set[str]:
    """Return the names of all that some requirements install here, and what these require."""
    found: set[str] = set()
    read: set[tuple[str, frozenset[str]]] = set()
    left = [Requirement(one) for one in requirements]
    while left:
        one = left.pop()
        name, extras = canonicalize_name(one.name), frozenset(one.extras)
        if (name, extras) in read:
            continue
        read.add((name, extras))
        if name == PROJECT["name"]:
            for extra in extras:
                left += map(Requirement, PROJECT["optional-dependencies"][extra])
            continue
        found.add(name)
        for further in map(Requirement, metadata.requires(name) or ()):
            marker = further.marker
            if marker is None or any(marker.evaluate({"extra": each}) for each in {"", *extras}):
                left.append(further)
    return found
