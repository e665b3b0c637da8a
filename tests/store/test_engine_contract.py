"""Both engines of the product keep the contract that every engine keeps."""

from __future__ import annotations

import pytest

from writeros_entities.testing.engines import EngineContract


class TestEngine(EngineContract):
    @pytest.fixture
    def url(self, database: str) -> str:
        """Return the URL of a new database, on each engine."""
        return database
