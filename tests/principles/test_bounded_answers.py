"""However much a vault holds, an answer that is not asked for more stays short."""

from __future__ import annotations

import re
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
LISTS = frozenset({"limit", "top_k", "max_nodes", "max_members"})
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


CUT = frozenset({*LISTS, "relations", "names", "notes"})
"""Parameters that cut a list: `LISTS`, and those of the lists of one entity."""

TOLD = {
    "check_continuity": {"findings": "total"},
    "extract_entities": {"entities": "total_count"},
    "find_communities": {"communities": "total", "communities[].members": "size"},
    "find_mentions": {"mentions": "total"},
    "find_paths": {"paths": "total"},
    "find_related_entities": {"related_entities": "total"},
    "find_related_notes": {"notes": "total"},
    "get_entity": {"entity.notes": "note_count", "entity.relations": "relation_count"},
    "get_entity_graph": {"nodes": "total_nodes", "edges": "total_edges"},
    "get_entity_history": {"changes": "total"},
    "get_relationship_timeline": {"relationships": "total", "points": "total"},
    "analyze_entity_evolution": {"chapters": "total"},
    "doctor": {"problems": "total"},
    "list_entities": {"entities": "total"},
    "list_notes": {"notes": "total"},
    "read_note": {"passages": "total"},
    "reason_over_entities": {"results": "total"},
    "search": {"passages": "total"},
    "search_by_entities": {"results": "total"},
}
"""Lists that a parameter cuts, each with what counts it, beside it."""

ABOUT_THE_WHOLE = frozenset({"get_entity", "analyze_entity_evolution", "doctor"})
"""Answers that begin with a sentence in which the totals are facts: `3 mentions in 2 notes`."""


def counts_of(answer: Any, where: str, total: str) -> Iterator[tuple[int, int]]:
    """Yield how many items each list at a place has, and how many there are in all."""
    first, _, rest = where.partition("[].")
    *above, name = first.split(".")
    for step in above:
        answer = (answer or {}).get(step)
    if answer is None or not answer[name]:
        return
    if rest:
        for item in answer[name]:
            yield from counts_of(item, rest, total)
    else:
        yield len(answer[name]), answer[total]


def test_each_list_that_is_cut_is_known() -> None:
    cutting = {one.name for one in BUILT_IN if LISTS & one.request.model_fields.keys()}
    every_kind_of_relation = {"infer_relationship"}  # is judged, so that a total would say nothing
    assert cutting - every_kind_of_relation == TOLD.keys() - {"get_entity"}


@pytest.mark.parametrize("name", sorted(TOLD))
def test_a_list_that_is_cut_says_how_many_of_how_many_it_shows(crowd: Session, name: str) -> None:
    (capability,) = (one for one in BUILT_IN if one.name == name)
    few = dict.fromkeys(CUT & capability.request.model_fields.keys(), 2)
    cut = set()
    for asked in questions(capability, replace(WORDS, names=("Ann Reed", "Person 7"))):
        if asked.get("format", "json") != "json":
            continue
        try:
            answer = crowd.call(name, {**asked, **few})
        except WriterosError:
            continue
        text = answer.as_text()
        for where, total in TOLD[name].items():
            for shown, whole in counts_of(answer.model_dump(), where, total):
                if shown == whole or (name == "get_relationship_timeline" and shown > 2):
                    continue
                cut.add(where)
                assert f"{shown:,} of {whole:,} " in text, asked
                head = "" if name in ABOUT_THE_WHOLE else text.partition("\n")[0]
                assert not re.search(rf"(?<! of )\b{whole:,} \w", head), asked
    assert cut == TOLD[name].keys()


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
