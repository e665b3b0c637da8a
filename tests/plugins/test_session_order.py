from __future__ import annotations

from typing import Any

import pytest
from writeros_plugins.reading_orders.sessions import SessionOrder

from writeros_entities import OrderClaim


def key(path: str, frontmatter: dict[str, Any] | None = None) -> tuple[int, ...] | None:
    claim = SessionOrder().claim(path, frontmatter or {})
    return None if claim is None else claim.key or claim.day


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("Session 7.md", (7,)),
        ("Notes/Session 0.5.md", (0, 5)),
        ("Notes/Session 12 - The Plan.md", (12,)),
        ("Session 7 Notes.md", (7,)),
        ("Campaign/Saltmarch - Session 02.md", (2,)),
        ("Kampagne/Sitzung 3 - Nebel.md", (3,)),
        ("01 Sessions/2023/2023-12-21 Fog.md", (2023, 12, 21)),
        ("Session Notes/2024.03.20/index.md", (2024, 3, 20)),
        ("1-Session Journals/2026-05-31.md", (2026, 5, 31)),
        ("Sessions/3 Fog.md", (3,)),
        ("🪶 Sesiones/3 Niebla.md", (3,)),
        ("Sessions/S04 Fog.md", (4,)),
    ],
)
def test_a_session_is_placed_by_the_name_of_its_note(path: str, expected: tuple[int, ...]) -> None:
    assert key(path) == expected


@pytest.mark.parametrize(
    ("properties", "expected"),
    [
        ({"sessionNumber": 7}, (7,)),
        ({"session_number": "7", "date": "2024-03-20"}, (7,)),
        ({"type": "session", "date": "2024-03-20"}, (2024, 3, 20)),
        ({"tags": ["dnd/session-note"], "realWorldDate": "2024-03-20"}, (2024, 3, 20)),
        ({"type": "session"}, None),
        ({"date": "2024-03-20"}, None),
        ({"sessionNumber": None, "tags": ["session"]}, None),
    ],
)
def test_a_session_is_placed_by_its_properties(
    properties: dict[str, Any], expected: tuple[int, ...] | None
) -> None:
    assert key("Campaign/Fog.md", properties) == expected


def test_a_letter_and_a_number_count_where_the_note_says_that_it_is_a_session() -> None:
    assert key("Journal/S04 Fog.md") is None
    assert key("Journal/S04 Fog.md", {"tags": ["session"]}) == (4,)


@pytest.mark.parametrize(
    "path",
    [
        "Therapy Session 3.md",
        "Sessions/Overview.md",
        "Sessions/2024-05-30/Enemies/4 Goblins.md",
        "Journal/2024-05-30.md",
        "Characters/Odile.md",
    ],
)
def test_what_is_no_session_has_no_place(path: str) -> None:
    assert key(path) is None


def test_sessions_are_numbered_in_their_season() -> None:
    claim = SessionOrder().claim("Season 2/Session 1.md", {})
    assert claim == OrderClaim("sessions", (1,), book=(2,))
