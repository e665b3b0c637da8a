"""Kin that follows from what is told: `get_family_tree`, and `infer_relationship` by it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from writeros_entities.session import Session

from ..databases import Databases, one_engine

databases = one_engine

TABLE = Path(__file__).with_name("families.txt")


def read_table() -> tuple[dict[str, str], list[tuple[str, str, str]]]:
    """Return the notes of thirty families, and what each of 200 is to another one."""
    notes, rows = {}, []
    for line in TABLE.read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        pair, is_row, kin = line.partition(" = ")
        if is_row:
            person, _, other = pair.partition(" > ")
            rows.append((person, other, kin))
            continue
        name, _, said = line.partition(" | ")
        told: dict[str, list[str]] = {}
        for one in said.split("; ") if said else ():
            key, _, value = one.partition(": ")
            told.setdefault(key, []).append(value if key == "gender" else f'"[[{value}]]"')
        values = [f"{key}: {_as_list(found)}\n" for key, found in told.items()]
        notes[f"{name}.md"] = f"---\ntype: person\n{''.join(values)}---\nOf the valley.\n"
    return notes, rows


def _as_list(values: list[str]) -> str:
    return values[0] if len(values) == 1 else "[" + ", ".join(values) + "]"


@pytest.fixture(scope="module")
def families(
    databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Session]:
    root = tmp_path_factory.mktemp("families")
    for path, text in read_table()[0].items():
        (root / path).write_text(text, "utf-8")
    with Session.open(root, database=databases.create(), embedding_model="") as session:
        session.call("sync", {})
        yield session


def test_two_hundred_relations_of_thirty_families_are_derived(families: Session) -> None:
    _, rows = read_table()
    assert len(rows) == 200
    wrong = []
    trees: dict[str, dict[str, str]] = {}
    for person, other, kin in rows:
        if person not in trees:
            answer = families.call("get_family_tree", {"entity": person, "generations": 7})
            told = answer.model_dump()["relatives"]
            assert all(one["statements"] for one in told)
            trees[person] = {one["entity"]["name"]: one["kin"] for one in told}
        if trees[person].get(other) != kin:
            wrong.append((person, other, kin, trees[person].get(other)))
    assert wrong == []
