"""What follows from other columns is stored no more."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import sqlalchemy as sa

from alembic import op
from writeros_entities.store.columns import Json

revision = "0012"
down_revision = "0011"

TOGETHER = 500

NOTE = sa.table(
    "note",
    *(sa.column("vault_id", sa.Integer), sa.column("id", sa.BigInteger)),
    *(sa.column("declaration", Json), sa.column("statements", Json)),
)
CHUNK = sa.table(
    "chunk",
    *(sa.column("vault_id", sa.Integer), sa.column("note_id", sa.BigInteger)),
    *(sa.column("ordinal", sa.Integer), sa.column("start", sa.Integer)),
    sa.column("end", sa.Integer),
)


def upgrade() -> None:
    op.execute("UPDATE evidence SET quote = NULL WHERE chunk_id IS NOT NULL")
    op.execute("UPDATE entity_change SET quote = NULL WHERE chunk_id IS NOT NULL")
    op.execute("UPDATE link SET raw = '' WHERE raw = '[[' || target || ']]' AND kind <> 'name'")
    _shorten_notes(op.get_bind())
    op.drop_column("relation", "strength")


def _shorten_notes(connection: sa.Connection) -> None:
    for vault in connection.scalars(sa.select(sa.table("vault", sa.column("id")).c.id)).all():
        own = NOTE.c.vault_id == vault
        told = sa.or_(NOTE.c.declaration.is_not(None), NOTE.c.statements.is_not(None))
        notes = connection.scalars(sa.select(NOTE.c.id).where(own, told).order_by(NOTE.c.id)).all()
        change = (
            sa.update(NOTE)
            .where(own, NOTE.c.id == sa.bindparam("own"))
            .values(declaration=sa.bindparam("said"), statements=sa.bindparam("stated"))
        )
        for at in range(0, len(notes), TOGETHER):
            asked = notes[at : at + TOGETHER]
            chunks = defaultdict(list)
            of_notes = CHUNK.c.vault_id == vault, CHUNK.c.note_id.in_(asked), CHUNK.c.ordinal < 0
            for row in connection.execute(sa.select(CHUNK).where(*of_notes)):
                chunks[row.note_id].append((row.start, row.end))
            shorter = [
                {
                    "own": row.id,
                    "said": _shorten_declaration(row.declaration),
                    "stated": _shorten_statements(row.statements, chunks[row.id]),
                }
                for row in connection.execute(sa.select(NOTE).where(own, NOTE.c.id.in_(asked)))
            ]
            connection.execute(change, shorter)


def _shorten_declaration(declared: dict[str, Any] | None) -> dict[str, Any] | None:
    """Leave out what a note does not say."""
    if declared is None:
        return None
    always = ("type", "aliases", "is_entity")
    said = {
        name: value
        for name, value in declared.items()
        if name not in always and value not in (None, [], {})
    }
    return {name: declared[name] for name in always} | said


def _shorten_statements(
    statements: list[list[Any]] | None, chunks: list[tuple[int, int]]
) -> list[list[Any]] | None:
    """Leave out quotes that a chunk contains, and what is null at the end."""
    if statements is None:
        return None
    shorter = []
    for statement in statements:
        form, key, source, target, start, end, line, quote, *value = statement
        if any(first <= start and end <= last for first, last in chunks):
            quote = None
        values = [form, key, source, target, start, end, line, quote, *value]
        while values[-1] is None:
            values.pop()
        shorter.append(values)
    return shorter
