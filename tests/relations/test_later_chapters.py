"""A later chapter changes nothing of what was stated, and of who has changed, before it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from writeros_entities.session import Session


@pytest.mark.parametrize("told", ["status:: dead", "**Status**: dead", "Ann killed Ben Dow."])
def test_a_section_tells_of_the_sheets_own_entity_from_where_it_may_be_read(
    write_vault: Callable[[dict[str, str]], Path], open_vault: Callable[..., Session], told: str
) -> None:
    end = f"## The end\n\nvisible_from:: 2\n\n{told}\n"
    sheet = f"---\ntype: person\nvisible_from: always\n---\n# Ben Dow\n\nA carter.\n\n{end}"
    session = open_vault(
        write_vault(
            {
                "Ben Dow.md": sheet,
                "Ann.md": "---\ntype: person\nvisible_from: always\n---\n",
                "Manuscript/1.md": "Ben Dow and Ann met.",
                "Manuscript/2.md": "It rained.",
            }
        )
    )
    session.call("sync", {})
    for as_of, known in ((1, "alive"), (2, "dead")):
        asked = {"entity": "Ben Dow", "as_of": as_of}
        answer = session.call("analyze_entity_evolution", asked).model_dump()
        assert (answer["status"] or "alive", as_of) == (known, as_of)
