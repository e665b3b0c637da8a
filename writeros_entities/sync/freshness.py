"""How far the index lags behind the files, found without changing anything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from writeros_entities.sync.drafting.files import read_file
from writeros_entities.sync.known_files import read_known_files
from writeros_entities.sync.plan import READ_KINDS, make_plan
from writeros_entities.vault.files.config import read_config
from writeros_entities.vault.files.walk import inspect_path, walk_vault

if TYPE_CHECKING:
    from writeros_entities.vault.files.walk import VaultFile
    from writeros_entities.workspace import Workspace

T = TypeVar("T")


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
        known = read_known_files(view.connection, view.vault_id, pause=pause)
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
