"""Which notes are about an entity, and so no part of the story."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..conftest import OpenVault

WriteVault = Callable[[dict[str, str]], Path]


@pytest.mark.parametrize(
    ("path", "properties", "is_told"),
    [
        ("People/Ann.md", "type: person\norder: 2", False),
        ("People/Ann.md", "type: person\nchapter: 3", False),
        ("Ann.md", "type: person\nchapter: 3", True),
        ("People/Ann.md", "type: scene\nchapter: 3", True),
        ("People/Ann.md", "chapter: 3", False),
    ],
)
def test_a_sheet_among_sheets_is_no_chapter_whatever_its_order(
    write_vault: WriteVault,
    open_vault: OpenVault,
    path: str,
    properties: str,
    is_told: bool,
) -> None:
    session = open_vault(write_vault({path: f"---\n{properties}\n---\nThe sea.\n"}))
    session.call("sync", {})
    answer: Any = session.call("search", {"query": "sea"})
    assert [one.position is not None for one in answer.passages] == [is_told]
