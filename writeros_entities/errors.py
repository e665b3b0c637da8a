"""The errors that callers can fix.

WriterosError
├── SettingsError      a setting has an unknown value, or two settings contradict each other
├── VaultError         the folder is not a vault, or cannot be read
├── StoreError         the database cannot be opened, read or written, is newer, or is not migrated
│   └── UnreadError    no sync of the vault has finished yet
├── BusyError          another process is writing to the vault's index
├── LimitError         a call, or a query of the index, has taken longer than it may
├── PluginError        two plugins claim a name, or a plugin breaks its contract
├── ModelError         a model's weights, or a library that it needs, are missing or wrong
├── ServeError         a server cannot be started with this port, host or token
├── RequestError       a request has an unknown, a missing or an invalid field
├── AmbiguousNameError several entities have a name where one is needed
└── NotFoundError      the index does not know a name; the error carries the nearest known ones
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

FAULTS = (Exception, SystemExit)
"""What is a plugin's own fault if it raises it: a plugin must not end the program either."""

MOST_DESCRIBED = 10
"""The most entities of one name that an error lists."""


class WriterosError(Exception):
    """The base of all errors that a caller can fix; the message is written for people."""

    def __reduce__(self) -> tuple[object, ...]:
        """Return how to rebuild the error from its message, so that another process can raise it.

        An exception would else be built again from its message alone, whatever its class takes.
        """
        return _rebuild, (type(self), self.args), self.__dict__


class SettingsError(WriterosError):
    """A setting has an invalid value, or two settings contradict each other."""


class VaultError(WriterosError):
    """The folder is not a vault, or cannot be read."""


class StoreError(WriterosError):
    """The database cannot be opened, read or written, or does not fit this version."""


class UnreadError(StoreError):
    """No sync of the vault has finished yet, so there is nothing to answer from."""


class BusyError(WriterosError):
    """Another process is writing this vault's index."""


class LimitError(WriterosError):
    """A call or a query took longer than it may, or a server has too many calls to answer."""


class PluginError(WriterosError):
    """A plugin breaks its contract, or two plugins claim the same name."""


class ModelError(WriterosError):
    """A model cannot be used; `is_missing` if it, or a library, is merely not installed."""

    def __init__(self, message: str, *, is_missing: bool = False) -> None:
        self.is_missing = is_missing
        super().__init__(message)


class ServeError(WriterosError):
    """A server cannot be started with the given options."""


class RequestError(WriterosError):
    """A request does not fit its capability: a field is unknown, missing or invalid."""


class AmbiguousNameError(WriterosError):
    """Several things have the name, where one is needed; the message lists the first of them.

    `kind` says what they are, `by` what identifies one of them; `is_part`, that nothing has the
    name alone, but these have it in theirs.
    """

    def __init__(
        self,
        name: str,
        described: Sequence[str],
        *,
        kind: str = "entities",
        by: str = "full name or its id",
        is_part: bool = False,
    ) -> None:
        choices = "; ".join(described[:MOST_DESCRIBED])
        if len(described) > MOST_DESCRIBED:
            choices += f"; and {len(described) - MOST_DESCRIBED} more"
        how = f"have {name!r} in their name" if is_part else f"are called {name!r}"
        super().__init__(
            f"{len(described)} {kind} {how}: {choices}. Ask for one of them by its {by}."
        )


class NotFoundError(WriterosError):
    """Nothing has the requested name; `nearest` are the closest known names.

    `reason` is a sentence on why nothing of the kind is known at all, and what to do about it.
    """

    def __init__(
        self, what: str, name: str, nearest: Iterable[str] = (), *, reason: str = ""
    ) -> None:
        self.nearest = tuple(nearest)
        hint = f" Did you mean {_either(self.nearest)}?" if self.nearest else ""
        why = f" {reason}" if reason else ""
        super().__init__(f"There is no {what} {name!r}.{why}{hint}")


def _rebuild(kind: type[WriterosError], arguments: tuple[object, ...]) -> WriterosError:
    return kind.__new__(kind, *arguments)


def _either(names: tuple[str, ...]) -> str:
    quoted = [repr(name) for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def describe_error(error: BaseException) -> str:
    """Return an error's type and message in one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"
