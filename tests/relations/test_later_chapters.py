"""A later chapter changes nothing of what was stated, and of who has changed, before it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from writeros_entities.errors import WriterosError
from writeros_entities.session import Session

SENTENCES = (
    "Ann, sister of Bob, rose.",
    "Bob was killed by the Heron.",
    "[[Dora|Heron]] came in. Heron married Bob.",
    "The Grey Guild is allied with House Marlow.",
    "House Marlow is the enemy of the Grey Guild.",
    "Ann left the Grey Guild. Dora died.",
    "“Dora is the daughter of Ann,” said Bob.",
    "[[Carl]] serves House Marlow.",
    "Carl, brother of Ann, was born in Mill.",
    "[[Ann|Lady Marlow]] rules Mill. Lady Marlow is Bob's wife.",
    "[[House Marlow|Marlow]] owns Mill. Marlow serves Ann.",
    "Perrin Holt loves Ann. Perrin Holt waved at Perrin Holt.",
)
NOTES = {
    "Ann.md": "---\ntype: person\nsiblings: ['[[Bob]]']\n---\n",
    "Bob.md": "---\ntype: person\nvisible_from: 2\nally: '[[Dora]]'\n---\nstatus:: ill\n",
    "Dora.md": "---\ntype: person\n---\n## Secret\n\nvisible_from:: [[3]]\n\nmother:: [[Ann]]\n",
    "House Marlow.md": "---\ntype: faction\nvisible_from: always\nseat: '[[Mill]]'\n---\n",
    "Grey Guild.md": "---\ntype: faction\nleader: '[[Carl]]'\n---\n",
    "Mill.md": "---\ntype: place\nowner: '[[Ann]]'\n---\n",
}
PEOPLE = ("Ann", "Bob", "Dora", "Carl", "House Marlow", "Grey Guild", "Mill", "Heron")

chapters = st.lists(
    st.lists(st.sampled_from(SENTENCES), max_size=4).map("\n\n".join), min_size=2, max_size=4
)


def ask(root: Path, folder: Path, name: str, position: int) -> list[Any]:
    """Return every answer about stated relations and changes as of each position up to one."""
    answers: list[Any] = []
    with Session.open(root, database=f"sqlite:///{folder / name}.sqlite3", workers=0) as session:
        session.call("sync", {})
        for as_of in range(position + 1):
            for entity in PEOPLE:
                for question in ("get_entity", "get_entity_history", "analyze_entity_evolution"):
                    arguments = {"entity": entity, "as_of": as_of}
                    try:
                        answer = session.call(question, arguments).model_dump()
                    except WriterosError as error:
                        answer = {"error": str(error)}
                    answers.append((question, arguments, answer))
    return answers


@settings(
    max_examples=12,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(texts=chapters)
def test_a_last_chapter_changes_no_earlier_answer(texts: list[str]) -> None:
    with tempfile.TemporaryDirectory(prefix="vault-") as made:
        folder = Path(made)
        root = folder / "vault"
        (root / ".obsidian").mkdir(parents=True)
        for path, text in NOTES.items():
            (root / path).write_text(text, "utf-8")
        for number, text in enumerate(texts[:-1], 1):
            (root / f"{number}.md").write_text(f"---\nchapter: {number}\n---\n{text}", "utf-8")
        before = ask(root, folder, "before", len(texts) - 1)
        last = f"---\nchapter: {len(texts)}\n---\n{texts[-1]}"
        (root / f"{len(texts)}.md").write_text(last, "utf-8")
        after = ask(root, folder, "after", len(texts) - 1)
    for earlier, later in zip(before, after, strict=True):
        assert later == earlier


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
