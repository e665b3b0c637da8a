"""Tests of names and types: they are read in the same way on both engines."""

from __future__ import annotations

import pytest

from ..databases import Databases


@pytest.fixture(scope="session")
def databases(sqlite_databases: Databases) -> Databases:
    """Return databases of one engine; that both answer alike is known by `test_equal_answers`."""
    return sqlite_databases
