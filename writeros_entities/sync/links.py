"""Links set against the files that there are: resolved, ambiguous or unresolved.

Only links that may have changed are looked at: new ones, and those whose target has the name of a
file that came, went or moved.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, or_, select, update

from writeros_entities.store import rows
from writeros_entities.vault.links import resolve_link

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sqlalchemy import Connection

    from writeros_entities.sync.touched import Touched


def resolve_links(connection: Connection, vault_id: int, touched: Touched) -> None:
    """Resolve links again where the answer may be another one, and note whose targets changed."""
    updates: list[dict[str, Any]] = []
    for batch in rows.batches(_links_to_resolve(connection, vault_id, touched), 5_000):
        files = _files_by_key(connection, vault_id, {row.target_key for row in batch})
        for row in batch:
            candidates = files[row.target_key]
            source = {"b_note": row.note_id, "b_ordinal": row.ordinal}
            if not row.target:
                status, target = "resolved", row.note_id
            else:
                found = resolve_link(row.target, row.source_path, sorted(candidates))
                status = found.status
                target = candidates[found.target] if found.target is not None else None
            if (status, target) == (row.status, row.target_note_id):
                continue
            touched.restated.add(row.note_id)
            updates.append(source | {"status": status, "target_note_id": target})
            _touch(touched, row.target_note_id, row.target_key)
            _touch(touched, target, row.target_key)
    if updates:
        link = rows.link
        connection.execute(
            update(link)
            .where(
                link.c.vault_id == vault_id,
                link.c.note_id == bindparam("b_note"),
                link.c.ordinal == bindparam("b_ordinal"),
            )
            .values(status=bindparam("status"), target_note_id=bindparam("target_note_id")),
            updates,
        )


def _touch(touched: Touched, target: int | None, key: str) -> None:
    if target is None:
        touched.unresolved.add(key)
    else:
        touched.targets.add(target)


def _links_to_resolve(connection: Connection, vault_id: int, touched: Touched) -> Iterator[Any]:
    link, note = rows.link, rows.note
    statement = (
        select(
            link.c.note_id,
            link.c.ordinal,
            link.c.target,
            link.c.target_key,
            link.c.status,
            link.c.target_note_id,
            note.c.path.label("source_path"),
        )
        .join(note, (note.c.id == link.c.note_id) & (note.c.vault_id == vault_id))
        .where(link.c.vault_id == vault_id)
    )
    if touched.everything:
        yield from connection.execute(statement).all()
        return
    seen = set()
    changed = rows.batches(sorted(touched.notes))
    named = rows.batches(sorted(touched.files))
    conditions = [link.c.note_id.in_(batch) for batch in changed]
    conditions += [link.c.target_key.in_(batch) for batch in named]
    for condition in conditions:
        for row in connection.execute(statement.where(or_(condition))).all():
            if (row.note_id, row.ordinal) not in seen:
                seen.add((row.note_id, row.ordinal))
                yield row


def _files_by_key(
    connection: Connection, vault_id: int, keys: Iterable[str]
) -> dict[str, dict[str, int]]:
    note = rows.note
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for batch in rows.batches(sorted(keys)):
        for row in connection.execute(
            select(note.c.id, note.c.path, note.c.link_key).where(
                note.c.vault_id == vault_id,
                note.c.link_key.in_(batch),
                note.c.kind != "conflict",
            )
        ):
            found[row.link_key][row.path] = row.id
    return found
