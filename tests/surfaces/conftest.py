import pytest

from .toys import FakeWorkspace


@pytest.fixture
def workspace() -> FakeWorkspace:
    return FakeWorkspace()


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
