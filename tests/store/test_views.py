"""Views for SQL of one's own: they count what the product counts."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

from sqlalchemy import text

from writeros_entities import Session

PAGE = Path(__file__).parents[2] / "docs" / "schema.md"
QUERIES = re.findall(r"```sql\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


SUMMARY = (
    *("id", "name", "type", "status", "mention_count", "note_count"),
    *("first_position", "last_position"),
)


def query(session: Session, statement: str) -> list[tuple[Any, ...]]:
    with session.database.read() as connection:
        return [tuple(row) for row in connection.execute(text(statement))]


def all_of(session: Session, name: str, arguments: dict[str, Any], part: str) -> list[Any]:
    """Return a list of an answer, from all of its pages."""
    found: list[Any] = []
    while True:
        answer = session.call(name, {**arguments, "offset": len(found)}).model_dump()
        found += answer[part]
        if len(found) == answer["total"]:
            return found


def test_a_span_that_may_name_two_is_one_mention(novel: Session) -> None:
    isolde = "SELECT count(*) FROM {} JOIN entity ON entity.id = entity_id WHERE {}"
    is_isolde = "entity.name = 'Isolde Marrow'"
    assert query(novel, isolde.format("mention", is_isolde)) == [(81,)]
    assert query(novel, isolde.format("mention_current", is_isolde)) == [(67,)]


def test_entity_summary_has_what_list_entities_says(novel: Session) -> None:
    told = [
        tuple(one[name] for name in SUMMARY)
        for one in all_of(novel, "list_entities", {}, "entities")
    ]
    columns = ", ".join(("key", "name", "type", "status", "mentions", "notes", *SUMMARY[6:]))
    found = query(novel, f"SELECT {columns} FROM entity_summary")
    assert sorted(found, key=repr) == sorted(told, key=repr)
    assert len(told) == 29


def test_note_entities_has_what_list_note_entities_says(novel: Session) -> None:
    told = [
        (path, one["id"], one["mentions"])
        for path in novel.list_notes()
        for one in all_of(novel, "list_note_entities", {"note": path}, "entities")
    ]
    assert sorted(query(novel, "SELECT path, key, mentions FROM note_entities")) == sorted(told)


def test_mention_current_has_what_find_mentions_says(novel: Session) -> None:
    found = query(novel, 'SELECT key, path, start, "end" FROM mention_current')
    told = {
        key: {
            (one["path"], one["start"], one["end"])
            for one in all_of(novel, "find_mentions", {"entity": key}, "mentions")
        }
        for key, _ in Counter(key for key, *_ in found).most_common(5)
    }
    for key, mentions in told.items():
        assert {tuple(place) for one, *place in found if one == key} == mentions


def test_the_queries_of_the_documents_have_answers(novel: Session) -> None:
    assert len(QUERIES) == 4
    for statement in QUERIES:
        assert len(query(novel, statement)) > 2
