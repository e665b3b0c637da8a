"""How far the index lags behind the files, found without changing anything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from writeros_entities.store import rows
from writeros_entities.store.columns import is_at
from writeros_entities.store.rows import VaultRows
from writeros_entities.sync.drafting.files import read_file
from writeros_entities.sync.plan import READ_KINDS, KnownFile, make_plan
from writeros_entities.vault.files.config import read_config
from writeros_entities.vault.files.walk import inspect_path, walk_vault

if TYPE_CHECKING:
    from writeros_entities.vault.files.walk import VaultFile
    from writeros_entities.workspace import Workspace

T = TypeVar("T")


_BATCH = 500
"""Files that are read together."""

if TYPE_CHECKING:
    pass


_FILES = rows.select_as(KnownFile, rows.note)


@dataclass(frozen=True, slots=True)
class Lag:
    """How many notes differ from an index of this revision; None while it is written."""

    revision: int | None
    notes: int


def measure_lag(workspace: Workspace, pause: Callable[[], None]) -> Lag:
    """Compare the files of a vault with its index, as a sync would.

    `pause` is called all the time, and may wait, so that others have the processor. Raises
    VaultError if the vault cannot be read, StoreError if it was never synced.
    """
    config = read_config(workspace.root)
    with workspace.view() as view:
        revision = view.revision
        known = read_known_files(view.index, pause=pause)
    most = workspace.settings.max_note_bytes
    follow = workspace.settings.follow_symlinks
    walk = walk_vault(workspace.root, config, follow_symlinks=follow, pause=pause)

    def read(file: VaultFile) -> bytes | None:
        pause()
        return None if file.size > most else read_file(file.disk_path, most + 1)

    def is_gone(path: str) -> bool:
        if any(path.startswith(folder + "/") for folder in walk.unreadable_folders):
            return False
        return inspect_path(workspace.root, config, path) is None

    plan = make_plan(
        _pausing(walk.files, pause), known, fingerprint=None, read=read, is_gone=is_gone
    )
    differing = [
        *(file.kind for file in plan.added),
        *(file.kind for _, file in plan.changed),
        *(move.file.kind for move in plan.moved),
        *(row.kind for row in plan.removed),
    ]
    return Lag(revision, sum(kind in READ_KINDS for kind in differing))


def _pausing(items: Iterable[T], pause: Callable[[], None]) -> Iterator[T]:
    for item in items:
        pause()
        yield item


def read_known_files(
    index: VaultRows,
    paths: Sequence[str] | None = None,
    pause: Callable[[], None] = lambda: None,
) -> list[KnownFile]:
    """Return the files in the index: all, or those at or below the given paths.

    `pause` is called after every few hundred of them.
    """
    if paths is None:
        all_known: list[KnownFile] = []
        for part in index.execute(_FILES).partitions(_BATCH):
            all_known += [KnownFile(*row) for row in part]
            pause()
        return all_known
    found = {}
    for path in paths:
        for row in index.execute(_FILES.where(is_at(rows.note.c.path, path))):
            found[row.path] = KnownFile(*row)
    return list(found.values())
