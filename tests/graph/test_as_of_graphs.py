"""A chapter written later changes no byte of what the graph answers as of an earlier one."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from writeros_entities.errors import WriterosError
from writeros_entities.session import Session

NAMES = ("Ansel", "Berit", "Corvin", "Dagny", "Elmstead")
SENTENCES = (
    "{0} met {1}.",
    "{0}, sister of {1}, slept.",
    "{0} killed {1}.",
    "{0} and {1} walked to {2}.",
    "***",
    "# {0}",
    "The Warden saw {0}.",
)

sentences = st.builds(
    lambda form, names: form.format(*names),
    st.sampled_from(SENTENCES),
    st.permutations(NAMES),
)
chapters = st.lists(st.lists(sentences, min_size=1, max_size=5), min_size=2, max_size=4)


def answers(session: Session, position: int) -> Iterator[str]:
    """Yield what each capability of the graph answers as of a chapter, as JSON."""
    as_of = {"as_of": position}
    requests: list[tuple[str, dict[str, Any]]] = [
        ("get_entity_graph", {"min_relation_score": 0, "evidence": 2, "include_counts": True}),
        *(("get_entity_graph", {"format": form}) for form in ("mermaid", "canvas", "graphml")),
        ("find_communities", {"min_size": 1}),
        *(("get_relationship_timeline", {"entity": name}) for name in NAMES),
    ]
    for one in NAMES:
        for other in NAMES:
            if one < other:
                requests += [
                    ("find_paths", {"entities": [one, other]}),
                    ("get_relationship_timeline", {"entity": one, "other": other}),
                    ("reason_over_entities", {"query": f"{one} and {other}"}),
                ]
    for name, arguments in requests:
        try:
            yield session.call(name, {**arguments, **as_of}).model_dump_json()
        except WriterosError as error:
            yield str(error)


@given(chapters)
@settings(max_examples=8, phases=[Phase.reuse, Phase.generate])
def test_a_later_chapter_changes_no_byte_of_an_earlier_answer(texts: list[list[str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "vault"
        (root / ".obsidian").mkdir(parents=True)
        (root / "Cast").mkdir()
        (root / "Story").mkdir()
        for name in NAMES:
            (root / "Cast" / f"{name}.md").write_text(
                "---\ntype: person\naliases: [the Warden]\n---\n"
            )
        with Session.open(root, database=f"sqlite:///{folder}/index.sqlite3") as session:
            known: list[list[str]] = []
            for number, lines in enumerate(texts, 1):
                (root / "Story" / f"{number:02}.md").write_text("\n\n".join(lines) + "\n")
                session.call("sync", {})
                known.append(list(answers(session, number)))
            for position, before in enumerate(known[:-1], 1):
                assert list(answers(session, position)) == before
