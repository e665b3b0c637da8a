"""Look at the plan of every statement of every question, in an index that two vaults share.

    python benchmarks/plans.py --world 10000

Two worlds of different seeds are synced into one database, on each engine. Each kind of question
of `answering.py` is asked twice about the first, whole and as of a chapter, and the statements of
the second time, when what is kept has been read, are explained. Printed is what reads rows that
are not asked for:

- SQLite: the scan of a table, or of an index from its begin, which reads the other vault's rows;
  or a search that is led by the vault alone, which reads all of this vault's.
- PostgreSQL: what reads a table from its begin though it is told to avoid that, or drops more than
  `MOST_DROPPED` rows after it has read them.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from answering import questions_about
from asking import LIGHTLY
from server import open_server
from sqlalchemy import Connection, event, text
from world import generate_world

from writeros_entities.session import Session
from writeros_entities.store.tables import metadata

MOST_DROPPED = 1_000

LARGE = metadata.tables.keys() - {"vault", "relation_model"}
"""The tables with more than a row for each vault."""

Statement = tuple[str, Any]

_OF_ALL = re.compile(r"SCAN (?P<table>\w+)(?! CONSTANT)")
_OF_VAULT = re.compile(r"SEARCH (?P<table>\w+) USING .*INDEX \w+ \(vault_id=\?\)")


@contextmanager
def recorded(session: Session) -> Iterator[list[Statement]]:
    """Collect the statements that a session runs, with their parameters."""
    found: list[Statement] = []

    def collect(_: Any, __: Any, statement: str, parameters: Any, *___: Any) -> None:
        if statement.lstrip().startswith(("SELECT", "WITH")):
            found.append((statement, parameters))

    with session.view() as view:
        engine = view.connection.engine
    event.listen(engine, "before_cursor_execute", collect)
    try:
        yield found
    finally:
        event.remove(engine, "before_cursor_execute", collect)


def find_wide_reads(connection: Connection, statement: Statement) -> list[str]:
    """Return what a statement reads that nobody asked for, in words of the engine's plan."""
    explain = _of_sqlite if connection.dialect.name == "sqlite" else _of_postgresql
    return explain(connection, statement)


def _of_sqlite(connection: Connection, statement: Statement) -> list[str]:
    written, parameters = statement
    rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {written}", parameters).all()
    wide = []
    for row in rows:
        found = _OF_ALL.match(row[-1])
        if not found and " LIMIT " not in written:  # a page may come out of an index in order
            found = _OF_VAULT.match(row[-1])
        if found and found["table"] in LARGE:
            wide.append(row[-1])
    return wide


def _of_postgresql(connection: Connection, statement: Statement) -> list[str]:
    written, parameters = statement
    connection.execute(text("SET LOCAL enable_seqscan = off"))
    analyzed = f"EXPLAIN (ANALYZE, FORMAT JSON) {written}"
    told = connection.exec_driver_sql(analyzed, parameters).scalar_one()
    plan = json.loads(told) if isinstance(told, str) else told
    return list(_wide_nodes(plan[0]["Plan"]))


def _wide_nodes(node: Mapping[str, Any]) -> Iterator[str]:
    dropped = node.get("Rows Removed by Filter", 0) * node.get("Actual Loops", 1)
    what = f"{node['Node Type']} of {node.get('Relation Name')}"
    if node["Node Type"] == "Seq Scan":
        yield what
    elif node.get("Relation Name") and dropped > MOST_DROPPED:
        yield f"{what} by {node.get('Index Name')} drops {dropped:.0f} rows"
    for below in node.get("Plans", ()):
        yield from _wide_nodes(below)


def look_at(vault: Path, database: str) -> Iterator[str]:
    """Yield a line for each statement with a wide read, by question."""
    with Session.open(vault, database=database, embedding_model="") as session:
        middle, questions = questions_about(session)
        for what, asked in questions.items():
            for as_of in (None, middle):
                for capability, arguments in asked[:2]:
                    session.call(capability, {**arguments, "as_of": as_of})
                capability, arguments = asked[2]
                with recorded(session) as statements:
                    session.call(capability, {**arguments, "as_of": as_of})
                for statement in dict.fromkeys((one, str(values)) for one, values in statements):
                    values = next(v for one, v in statements if (one, str(v)) == statement)
                    with session.view() as view:
                        wide = find_wide_reads(view.connection, (statement[0], values))
                    if wide:
                        yield f"{what} as of {as_of}: {'; '.join(wide)}\n    {statement[0]}"


@click.command()
@click.option("--world", "entities", default=2_000, show_default=True, help="Entities of each.")
@click.option("--long", is_flag=True, help="Print the statements as well.")
def main(entities: int, long: bool) -> None:
    """Print the statements that read more than was asked for; fail if there are any."""
    number = 0
    with tempfile.TemporaryDirectory() as folder, open_server() as server:
        worlds = [Path(folder) / name for name in ("one", "other")]
        for seed, world in enumerate(worlds):
            generate_world(world, entities, seed)
        for database in (f"sqlite:///{folder}/both.sqlite3", server):
            for world in worlds:
                with Session.open(world, database=database, embedding_model="") as session:
                    session.call("sync", LIGHTLY)
            click.echo(database.partition(":")[0])
            for line in look_at(worlds[0], database):
                number += 1
                click.echo(line if long else line.partition("\n")[0])
    raise SystemExit(1 if number else 0)


if __name__ == "__main__":
    main()
