"""Resolve links against the files of the vault: resolved, ambiguous or unresolved.

Only links that may have changed are considered: new ones, and those whose target has the name of a
file that was added, removed or moved.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from writeros_entities.store import rows
from writeros_entities.values import NAME_ALONE
from writeros_entities.vault.links import resolve_link

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sqlalchemy import Connection

    from writeros_entities.sync.touched import Touched

    _Answer = tuple[str, int | None]

NO_FILE: _Answer = ("unresolved", None)
"""The result for a link to no file, and for a name without a link, which never has one."""


def resolve_links(connection: Connection, vault_id: int, touched: Touched) -> None:
    """Resolve the links whose result may have changed, and record the targets that did."""
    updates: list[tuple[Any, ...]] = []
    answers: dict[tuple[str, str], _Answer] = {}
    for batch in rows.batches(_links_to_resolve(connection, vault_id, touched), 5_000):
        files = _files_by_key(connection, vault_id, {key for _, _, _, key, *_ in batch})
        for note_id, ordinal, target, key, status, led_to, source, kind in batch:
            asked = target, source.rpartition("/")[0]
            answer = answers.get(asked) if target else ("resolved", note_id)
            if kind == NAME_ALONE:
                answer = NO_FILE
            if answer is None:
                answer = answers[asked] = _resolve(target, source, files.get(key))
            if answer != (status, led_to):
                touched.restated.add(note_id)
                updates.append((*answer, note_id, ordinal, vault_id))
                touched.add_target(led_to, key)
                touched.add_target(answer[1], key)
    rows.update_rows(
        connection,
        rows.link,
        ("status", "target_note_id"),
        ("note_id", "ordinal", "vault_id"),
        updates,
    )


def _resolve(target: str, source: str, candidates: Mapping[str, int] | None) -> _Answer:
    """Return a link's status and target note; the result is the same for all notes of a folder."""
    if not candidates:
        return NO_FILE
    found = resolve_link(target, source, sorted(candidates))
    return found.status, None if found.target is None else candidates[found.target]


def _links_to_resolve(
    connection: Connection, vault_id: int, touched: Touched
) -> Iterator[tuple[Any, ...]]:
    """Yield (note id, ordinal, target, target key, status, target note id, source path, kind)."""
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
            link.c.kind,
        )
        .join(note, (note.c.id == link.c.note_id) & (note.c.vault_id == vault_id))
        .where(link.c.vault_id == vault_id)
    )
    if touched.everything:
        yield from rows.fetch_rows(connection, statement)
        return
    seen = set()
    changed = rows.batches(sorted(touched.notes))
    named = rows.batches(sorted(touched.files))
    conditions = [link.c.note_id.in_(batch) for batch in changed]
    conditions += [link.c.target_key.in_(batch) for batch in named]
    for condition in conditions:
        for row in rows.fetch_rows(connection, statement.where(condition)):
            if row[:2] not in seen:
                seen.add(row[:2])
                yield row


def _files_by_key(
    connection: Connection, vault_id: int, keys: Iterable[str]
) -> dict[str, dict[str, int]]:
    note = rows.note
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for batch in rows.batches(sorted(keys)):
        statement = select(note.c.id, note.c.path, note.c.link_key).where(
            note.c.vault_id == vault_id,
            note.c.link_key.in_(batch),
            note.c.kind != "conflict",
        )
        for note_id, path, key in rows.fetch_rows(connection, statement):
            found[key][path] = note_id
    return found
