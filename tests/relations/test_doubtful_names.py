"""Nothing is stated of somebody who is hardly likelier to be meant than another of the name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.session import Session

pytestmark = pytest.mark.usefixtures("closely")

OpenVault = Callable[..., Session]
WriteVault = Callable[[dict[str, str]], Path]

CAST = {
    "Cast/Tom Wren (elder).md": "---\ntype: person\naliases: [Tom Wren, Old Tom]\n---\n",
    "Cast/Tom Wren (younger).md": "---\ntype: person\naliases: [Tom Wren, Tommy]\n---\n",
}
DEATH = "So Tom Wren died on the night of the flood."


@pytest.fixture
def deaths(write_vault: WriteVault, open_vault: OpenVault) -> Callable[..., list[tuple[str, Any]]]:
    """Return a function that gives who of those named dies in a vault, and from when on."""

    def read(
        chapters: dict[str, str], *, names: tuple[str, ...] = ("Old Tom", "Tommy"), **request: Any
    ) -> list[tuple[str, Any]]:
        session = open_vault(write_vault(CAST | chapters))
        session.call("sync", {})
        found: list[tuple[str, Any]] = []
        for name in names:
            asked = {"entity": name, "kinds": ["status_changed"], **request}
            answer: Any = session.call("get_entity_history", asked)
            found += [(name, change.since) for change in answer.changes]
        return found

    return read


def test_the_only_one_near_is_meant(deaths: Callable[..., Any]) -> None:
    assert deaths({"01.md": f"---\nchapter: 1\n---\nTommy slept. {DEATH}\n"}) == [("Tommy", 1)]


@pytest.mark.parametrize("sentences", [0, 24])
def test_of_two_of_whom_one_is_hardly_nearer_nobody_dies(
    deaths: Callable[..., Any], sentences: int
) -> None:
    both = 'characters: ["[[Tom Wren (elder)]]", "[[Tom Wren (younger)]]"]'
    rain = "The rain fell on the sea. " * sentences
    text = f"---\nchapter: 1\n{both}\n---\nOld Tom woke. {rain}Tommy slept. {DEATH}\n"
    assert deaths({"01.md": text}) == []


def test_a_namesake_whom_the_reader_meets_later_makes_nothing_doubtful_before(
    deaths: Callable[..., Any],
) -> None:
    first = f"---\nchapter: 1\n---\nTommy slept. {DEATH}\n"
    later = "---\nchapter: 2\n---\nOld Tom woke.\n"
    chapters = {"01.md": first, "02.md": later}
    assert deaths(chapters, names=("Tommy",), as_of=1) == [("Tommy", 1)]
