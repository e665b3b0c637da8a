"""One writer per vault at a time: a lease in the database that expires.

A process that is killed leaves its lease behind. Another one takes it over once it has expired, or
at once if the process ran on this machine and no longer exists. Readers ignore the lease.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select, update

from writeros_entities.errors import BusyError
from writeros_entities.progress import SilentProgress
from writeros_entities.store.engine import engine_of
from writeros_entities.store.rows import vault

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from writeros_entities.progress import Progress
    from writeros_entities.store.database import Database
    from writeros_entities.store.interruption import Interruption

SECONDS = 60.0
RETRY_SECONDS = 0.1


_IS_IT = vault.c.id == bindparam("vault")
_HOLDER = select(vault.c.lease_owner, vault.c.lease_expires).where(_IS_IT)
_CHANGED = update(vault).where(_IS_IT)
_RELEASED = (
    update(vault)
    .where(_IS_IT, vault.c.lease_owner == bindparam("owner"))
    .values(lease_owner=None, lease_expires=None)
)


def _new_owner() -> str:
    return f"{socket.gethostname()}:{os.getpid()}:{os.urandom(4).hex()}"


@dataclass
class Lease:
    """The right to write to one vault.

    `orphans` are owner names of this process whose lease could not be released in the database.
    """

    vault_id: int
    orphans: set[str] = field(default_factory=set)
    owner: str = field(default_factory=_new_owner)

    def renew(self, connection: Connection, now: float, **changes: object) -> None:
        """Take or extend the lease, inside a write transaction.

        `changes` to the vault's row are made with it. Raises BusyError, with the holder's name, if
        another process holds it.
        """
        is_ours = engine_of(connection).lock_vault(connection, self.vault_id)
        row = connection.execute(_HOLDER, {"vault": self.vault_id}).one()
        held = is_held(row.lease_owner, row.lease_expires, now)
        held = held and row.lease_owner not in {self.owner, *self.orphans}
        if held or not is_ours:
            holder = f" ({row.lease_owner.rpartition(':')[0]})" if row.lease_owner else ""
            raise BusyError(
                f"Another process{holder} is writing this vault's index. Wait for it to finish, "
                "or stop it."
            )
        lease = {"lease_owner": self.owner, "lease_expires": now + SECONDS}
        connection.execute(_CHANGED, {"vault": self.vault_id, **lease, **changes})

    def release(self, connection: Connection) -> None:
        """Release the lease, inside a write transaction, unless it was taken over since."""
        connection.execute(_RELEASED, {"vault": self.vault_id, "owner": self.owner})


@contextmanager
def hold_lease(
    database: Database,
    vault_id: int,
    *,
    wait_seconds: float = 0.0,
    progress: Progress | None = None,
    interruption: Interruption | None = None,
    clock: Callable[[], float] = time.time,
) -> Iterator[Lease]:
    """Hold the vault's lease for the block, waiting up to `wait_seconds` for another writer.

    While waiting, `progress` is called every 0.1 s. It may raise to cancel the wait, and
    `interruption` ends it.
    """
    lease = Lease(vault_id, database.orphaned_leases)
    progress = progress or SilentProgress()
    deadline = time.monotonic() + wait_seconds
    while True:
        try:
            with database.write(interruption) as connection:
                lease.renew(connection, clock())
            break
        except BusyError:
            if time.monotonic() >= deadline:
                raise
            progress.update("waiting for another writer", 0, None)
            time.sleep(RETRY_SECONDS)
    try:
        yield lease
    finally:
        database.orphaned_leases.add(lease.owner)
        with database.write() as connection:
            lease.release(connection)
        database.orphaned_leases.discard(lease.owner)


def is_held(owner: str | None, expires: float | None, now: float) -> bool:
    """Return whether a lease has an owner, is not expired, and its process may still exist."""
    return owner is not None and expires is not None and expires > now and not _is_gone(owner)


def _is_gone(owner: str) -> bool:
    import psutil

    host, pid, _ = owner.rsplit(":", 2)
    return host == socket.gethostname() and not psutil.pid_exists(int(pid))
