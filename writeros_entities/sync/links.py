"""Resolve links against the files of the vault: resolved, ambiguous or unresolved.

Only links that may have changed are considered: new ones, and those whose target has the name of a
file that was added, removed or moved.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select

from writeros_entities.store import rows
from writeros_entities.store.rows import VaultRows
from writeros_entities.values import NAME_ALONE
from writeros_entities.vault.links import resolve_link

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from writeros_entities.sync.touched import Touched

    _Answer = tuple[str, int | None]

NO_FILE: _Answer = ("unresolved", None)
"""The result for a link to no file, and for a name without a link, which never has one."""


class _Unresolved(NamedTuple):
    """A link whose result may have changed, with its result so far."""

    note_id: int
    ordinal: int
    target: str
    target_key: str
    status: str
    target_note_id: int | None
    source_path: str
    kind: str


class _File(NamedTuple):
    """A file to which links may lead."""

    id: int
    path: str
    link_key: str


class _Resolved(NamedTuple):
    """The result of a link."""

    note_id: int
    ordinal: int
    status: str
    target_note_id: int | None


_LINKS = (
    select(*(rows.link.c[name] for name in ("note_id", "ordinal", "target", "target_key")))
    .add_columns(rows.link.c.status, rows.link.c.target_note_id)
    .add_columns(rows.note.c.path.label("source_path"), rows.link.c.kind)
    .join(rows.note, (rows.note.c.id == rows.link.c.note_id) & rows.in_vault(rows.note))
    .where(rows.in_vault(rows.link))
)
_LINKS_IN_NOTES = _LINKS.where(rows.among(rows.link.c.note_id))
_LINKS_TO_FILES = _LINKS.where(rows.among(rows.link.c.target_key))
_LINKING = (
    select(rows.link.c.note_id)
    .where(rows.in_vault(rows.link))
    .distinct()
    .order_by(rows.link.c.note_id)
)
_FILES = rows.select_as(_File, rows.note).where(
    rows.among(rows.note.c.link_key), rows.note.c.kind != "conflict"
)


def resolve_links(index: VaultRows, touched: Touched) -> None:
    """Resolve the links whose result may have changed, and record the targets that did.

    All links of a vault would fill the memory: a batch is read, resolved and written at a time.
    """
    for batch in rows.batches(_links_to_resolve(index, touched), 5_000):
        updates: list[_Resolved] = []
        answers: dict[tuple[str, str], _Answer] = {}
        files = _files_by_key(index, {one.target_key for one in batch})
        for one in batch:
            asked = one.target, one.source_path.rpartition("/")[0]
            answer = answers.get(asked) if one.target else ("resolved", one.note_id)
            if one.kind == NAME_ALONE:
                answer = NO_FILE
            if answer is None:
                found = files.get(one.target_key)
                answer = answers[asked] = _resolve(one.target, one.source_path, found)
            if answer != (one.status, one.target_note_id):
                resolved = _Resolved(one.note_id, one.ordinal, *answer)
                updates.append(resolved)
                if touched.everything:
                    continue
                touched.restated.add(one.note_id)
                touched.add_target(one.target_note_id, one.target_key)
                touched.add_target(resolved.target_note_id, one.target_key)
        index.update(rows.link, updates, by=("note_id", "ordinal"))


def _resolve(target: str, source: str, candidates: Mapping[str, int] | None) -> _Answer:
    """Return a link's status and target note; the result is the same for all notes of a folder."""
    if not candidates:
        return NO_FILE
    found = resolve_link(target, source, sorted(candidates))
    return found.status, None if found.target is None else candidates[found.target]


def _links_to_resolve(index: VaultRows, touched: Touched) -> Iterator[_Unresolved]:
    if touched.everything:
        notes = index.scalars(_LINKING)
        yield from index.fetch_among(_Unresolved, _LINKS_IN_NOTES, notes)
        return
    seen = set()
    asked = (_LINKS_IN_NOTES, touched.linking), (_LINKS_TO_FILES, touched.files)
    for statement, values in asked:
        for row in index.fetch_among(_Unresolved, statement, sorted(values)):
            if (row.note_id, row.ordinal) not in seen:
                seen.add((row.note_id, row.ordinal))
                yield row


def _files_by_key(index: VaultRows, keys: Iterable[str]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for file in index.fetch_among(_File, _FILES, sorted(keys)):
        found[file.link_key][file.path] = file.id
    return found
