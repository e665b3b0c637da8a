"""Plan a sync: compare the files of the vault with the rows of the index.

Size and modification time say what may have changed, the content hash what has. A new file with the
content of a removed one was moved, even if links within the note to itself were renamed with it, as
Obsidian does.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from writeros_entities.values.notes import note_name
from writeros_entities.vault.notes import hash_content

if TYPE_CHECKING:
    from writeros_entities.vault.files.walk import VaultFile


READ_KINDS = ("note", "canvas")
"""Kinds of file whose content is indexed; others are only targets of links."""


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A file as stored in the index."""

    id: int
    path: str
    kind: str
    size: int
    mtime_ns: int
    content_hash: str | None
    fingerprint: str | None


@dataclass(frozen=True, slots=True)
class Moved:
    """A file at a new path with the same content, except for links to itself."""

    known: KnownFile
    file: VaultFile


@dataclass(frozen=True)
class Plan:
    """The files added, changed, moved and removed; `restamped` ones only need a new timestamp.

    `contents` has the files that were read while planning, by path.
    """

    added: tuple[VaultFile, ...] = ()
    changed: tuple[tuple[KnownFile, VaultFile], ...] = ()
    moved: tuple[Moved, ...] = ()
    removed: tuple[KnownFile, ...] = ()
    restamped: tuple[tuple[KnownFile, VaultFile], ...] = ()
    contents: Mapping[str, bytes] = field(default_factory=dict, repr=False)

    @property
    def is_empty(self) -> bool:
        """Whether no content differs; timestamps may."""
        return not (self.added or self.changed or self.moved or self.removed)


def make_plan(
    files: Iterable[VaultFile],
    known: Iterable[KnownFile],
    *,
    fingerprint: Callable[[str], str] | None,
    read: Callable[[VaultFile], bytes | None],
    is_gone: Callable[[str], bool],
) -> Plan:
    """Compare files with rows.

    Rows of another `fingerprint` than their path has must be read again; with None, it does not
    matter.
    `read` returns a file's content, or None if it cannot be read now. `is_gone` checks a path again
    before its row is deleted, and must return False below a folder that could not be read.
    """
    rows = {row.path: row for row in known}
    contents: dict[str, bytes] = {}
    added: list[VaultFile] = []
    changed: list[tuple[KnownFile, VaultFile]] = []
    restamped: list[tuple[KnownFile, VaultFile]] = []
    for file in files:
        row = rows.pop(file.path, None)
        if row is None:
            added.append(file)
        elif row.kind != file.kind or _must_read_again(row, file, fingerprint):
            changed.append((row, file))
        elif not _same_stat(row, file) and not file.unavailable:
            data = read(file) if file.kind in READ_KINDS else None
            is_same = data is not None and hash_content(data) == row.content_hash
            if is_same or file.kind not in READ_KINDS:
                restamped.append((row, file))
                continue
            changed.append((row, file))
            if data is not None:
                contents[file.path] = data
    gone = [row for row in rows.values() if is_gone(row.path)]
    moved, added, gone = _find_moves(added, gone, read, contents)
    return Plan(tuple(added), tuple(changed), tuple(moved), tuple(gone), tuple(restamped), contents)


def _must_read_again(
    row: KnownFile, file: VaultFile, fingerprint: Callable[[str], str] | None
) -> bool:
    if fingerprint is None or file.kind not in READ_KINDS or file.unavailable:
        return False
    return row.fingerprint != fingerprint(file.path)


def _same_stat(row: KnownFile, file: VaultFile) -> bool:
    return row.size == file.size and row.mtime_ns == file.mtime_ns


def _find_moves(
    added: list[VaultFile],
    gone: list[KnownFile],
    read: Callable[[VaultFile], bytes | None],
    contents: dict[str, bytes],
) -> tuple[list[Moved], list[VaultFile], list[KnownFile]]:
    by_hash: dict[tuple[str, str], list[KnownFile]] = defaultdict(list)
    for row in sorted(gone, key=lambda row: row.path, reverse=True):
        if row.content_hash is not None:
            by_hash[row.content_hash, row.kind].append(row)
    sizes = {row.size for rows in by_hash.values() for row in rows}
    moved: list[Moved] = []
    new: list[VaultFile] = []
    for file in sorted(added, key=lambda file: file.path):
        candidates: list[KnownFile] = []
        if file.size in sizes and file.kind in READ_KINDS and not file.unavailable:
            data = read(file)
            if data is not None:
                contents[file.path] = data
                candidates = by_hash.get((hash_content(data), file.kind), [])
        if candidates:
            moved.append(Moved(_take_nearest(candidates, file), file))
        else:
            new.append(file)
    kept = {move.known.id for move in moved}
    left = [row for row in gone if row.id not in kept]
    renamed = _find_renamed(new, left, read)
    paths, kept = {move.file.path for move in renamed}, {move.known.id for move in renamed}
    return (
        [*moved, *renamed],
        [file for file in new if file.path not in paths],
        [row for row in left if row.id not in kept],
    )


def _find_renamed(
    added: Iterable[VaultFile],
    gone: Iterable[KnownFile],
    read: Callable[[VaultFile], bytes | None],
) -> list[Moved]:
    """Find the notes that equal a removed one, once links to themselves have its old name again."""
    left = [row for row in gone if row.kind == "note" and row.content_hash is not None]
    renamed: list[Moved] = []
    for file in added:
        data = read(file) if left and file.kind == "note" and not file.unavailable else None
        name = note_name(file.path).encode()
        if data is None or name not in data:
            continue
        in_links = re.compile(rb"(?<=[\[/])" + re.escape(name) + rb"(?=(?:\.md)?[]|#\\])")
        kept = in_links.split(data)
        for row in left:
            old = note_name(row.path).encode()
            size = len(data) + (len(kept) - 1) * (len(old) - len(name))
            if size == row.size and hash_content(old.join(kept)) == row.content_hash:
                renamed.append(Moved(row, file))
                left.remove(row)
                break
    return renamed


def _take_nearest(candidates: list[KnownFile], file: VaultFile) -> KnownFile:
    name = file.path.rpartition("/")[2]
    same_name = [row for row in candidates if row.path.rpartition("/")[2] == name]
    chosen = same_name[-1] if same_name else candidates[-1]
    candidates.remove(chosen)
    return chosen
