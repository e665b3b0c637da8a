"""However much a vault holds, an answer that is not asked for more stays short."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.capabilities import BUILT_IN
from writeros_entities.errors import WriterosError
from writeros_entities.session import Session

from ..asking import Words, questions
from ..databases import Databases

MANY = 105
LONGEST = 100
"""No list is longer unless asked for, and the vault has more than this of everything."""

LONGEST_MESSAGE = 1_000
LISTS = frozenset({"limit", "top_k", "max_nodes", "max_members", "max_paths"})
CHANGING = frozenset({"sync", "rebuild", "migrate"})
BOUNDED_OTHERWISE = {
    "build_context": {".chunks"},
    "context_for_text": {".context.chunks"},
    "extract_entities": {".entities", ".by_type.place"},
}
"""Chunks are bounded by a context's tokens; of a text, 200 entities are listed."""


def crowded() -> dict[str, str]:
    """Return a vault with many of everything: names, namesakes, relations, chapters, troubles."""
    aliases = "".join(f"  - Ann{number}\n" for number in range(MANY))
    knows = "".join(f'  - "[[Person {number}]]"\n' for number in range(MANY))
    fields = "".join(f"field{number}: {number}\n" for number in range(MANY))
    vault = {
        "Ann Reed.md": f"---\ntype: person\naliases:\n{aliases}knows:\n{knows}{fields}---\nAnn.\n",
        "Cast.md": "".join(f"Ann Reed met Person {number} at the quay. " for number in range(MANY)),
    }
    for number in range(MANY):
        vault |= {
            f"People/Person {number}.md": "---\ntype: person\n---\nSomebody.\n",
            f"Logs/{number}/Log.md": f"---\ntype: place\ntags: [tag{number}]\n---\nA log.\n",
            f"Bad/{number}.md": "---\nbad: [\n---\nA note.\n",
            f"Manuscript/{number:03} - Chapter.md": (
                f"# Heading {number}\n\nAnn Reed married Person {number}. Ann{number} fell. "
                f"“Ann Reed,” said Person {number}, “died.”\n"
            ),
        }
    vault["Manuscript/000 - Chapter.md"] += "It was at Log.\n"
    for chapter, colour in (("001", "green"), ("002", "brown")):
        eyes = "".join(f"Person {number} had {colour} eyes. " for number in range(MANY))
        vault[f"Manuscript/{chapter} - Chapter.md"] += f"\n{eyes}\n"
    return vault


@pytest.fixture(scope="module")
def crowd(
    sqlite_databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Session]:
    root = tmp_path_factory.mktemp("crowd")
    for path, text in crowded().items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    with Session.open(root, database=sqlite_databases.create(), embedding_model="") as session:
        session.call("sync", {})
        yield session


def sizes(value: Any, place: str = "") -> Iterator[tuple[str, int]]:
    """Yield how many each list and each map of an answer holds, by where it stands."""
    if isinstance(value, list):
        yield place, len(value)
        for item in value:
            yield from sizes(item, f"{place}[]")
    elif isinstance(value, dict):
        yield place, len(value)
        for name, item in value.items():
            yield from sizes(item, f"{place}.{name}")


WORDS = Words(
    names=("Ann Reed", "Log"),
    notes=("Ann Reed.md", "100 - Chapter"),
    texts=("Ann Reed met Person 7 at Log.",),
    folders=("Manuscript",),
    types=("person",),
    kinds=("knows",),
    rules=("confusable-names",),
)


@pytest.mark.parametrize("name", sorted({one.name for one in BUILT_IN} - CHANGING))
def test_nothing_in_an_answer_grows_with_the_vault(
    crowd: Session, name: str, tmp_path: Path
) -> None:
    (capability,) = (one for one in BUILT_IN if one.name == name)
    too_long: dict[str, int] = {}
    for asked in questions(capability, WORDS):
        arguments = {field: value for field, value in asked.items() if field not in LISTS}
        if arguments.get("format") == "html":
            arguments["output"] = str(tmp_path / "page.html")
        try:
            answer = crowd.call(name, arguments)
        except WriterosError as error:
            assert len(str(error)) <= LONGEST_MESSAGE
            continue
        found = sizes(answer.model_dump(mode="json"))
        too_long |= {place: size for place, size in found if size > LONGEST}
    assert too_long.keys() <= BOUNDED_OTHERWISE.get(name, set())


@pytest.mark.parametrize(
    "name", sorted(one.name for one in BUILT_IN if "limit" in one.request.model_fields)
)
def test_a_shortened_answer_is_the_one_that_a_lower_limit_gives(crowd: Session, name: str) -> None:
    (capability,) = (one for one in BUILT_IN if one.name == name)
    is_shorter = False
    for asked in questions(capability, replace(WORDS, names=("Ann Reed", "Person 7"))):
        if asked.get("format", "json") != "json":
            continue
        arguments = {**asked, "limit": 40}
        try:
            answer = crowd.call(name, arguments)
        except WriterosError:
            continue
        lower = crowd.call(name, {**arguments, "limit": 1})
        assert answer.shortened(1) == lower, arguments
        is_shorter = is_shorter or answer != lower
    assert is_shorter
