"""Fixtures for the tests of surfaces; they answer alike on both engines."""

from __future__ import annotations

import pytest

from ..databases import one_engine as databases
from .toys import FakeWorkspace

__all__ = ["databases"]


@pytest.fixture
def workspace() -> FakeWorkspace:
    return FakeWorkspace()


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
