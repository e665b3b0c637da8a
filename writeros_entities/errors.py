"""What can go wrong, told to the one who can mend it.

WriterosError
├── SettingsError      a setting names nothing known, or contradicts another
├── VaultError         the folder is no vault, or cannot be read
├── StoreError         the database cannot be opened, read or written, is newer, or is not migrated
├── BusyError          another writer holds the vault
├── PluginError        two plugins claim a name, or a plugin breaks its contract
├── ModelError         a model's weights, or a library that it needs, are missing or wrong
├── ServeError         a server cannot be started as asked: a port, a host or a token misfits
├── RequestError       a request has an unknown, a missing or a misfitting field
├── AmbiguousNameError a name that several entities have, where one is needed
└── NotFoundError      a name that the index does not know; it carries the nearest ones
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

MOST_DESCRIBED = 10
"""Entities of one name that an error tells apart."""


class WriterosError(Exception):
    """The root of every error that a caller can mend; its message is for a person to read."""


class SettingsError(WriterosError):
    """A setting has no such value, or two settings contradict each other."""


class VaultError(WriterosError):
    """The folder is not a vault that can be read."""


class StoreError(WriterosError):
    """The database cannot be opened, read or written, or does not fit this version."""


class BusyError(WriterosError):
    """Another process is writing this vault's index."""


class PluginError(WriterosError):
    """A plugin breaks its contract."""


class ModelError(WriterosError):
    """A model cannot work; `is_missing` where it is merely not installed."""

    def __init__(self, message: str, *, is_missing: bool = False) -> None:
        self.is_missing = is_missing
        super().__init__(message)


class ServeError(WriterosError):
    """A server cannot be started as it was asked for."""


class RequestError(WriterosError):
    """A request does not fit its capability: a field is unknown, missing or out of bounds."""


class AmbiguousNameError(WriterosError):
    """A name that several have, where one is needed; the first of them are described.

    `kind` is what they are, `by` what tells one of them from the others.
    """

    def __init__(
        self,
        name: str,
        described: Sequence[str],
        *,
        kind: str = "entities",
        by: str = "full name or its id",
    ) -> None:
        choices = "; ".join(described[:MOST_DESCRIBED])
        if len(described) > MOST_DESCRIBED:
            choices += f"; and {len(described) - MOST_DESCRIBED} more"
        super().__init__(
            f"{len(described)} {kind} are called {name!r}: {choices}. Ask for one of them by its "
            f"{by}."
        )


class NotFoundError(WriterosError):
    """Nothing is known by the name that was asked for; `nearest` are the closest known ones.

    `reason` is a sentence that says why there is none at all, and what to do about it.
    """

    def __init__(
        self, what: str, name: str, nearest: Iterable[str] = (), *, reason: str = ""
    ) -> None:
        self.nearest = tuple(nearest)
        hint = f" Did you mean {_either(self.nearest)}?" if self.nearest else ""
        why = f" {reason}" if reason else ""
        super().__init__(f"There is no {what} {name!r}.{why}{hint}")


def _either(names: tuple[str, ...]) -> str:
    quoted = [repr(name) for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def describe_error(error: BaseException) -> str:
    """Return what went wrong, in one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"
