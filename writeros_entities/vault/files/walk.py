"""Find the files of a vault; the only module of this package that reads folders.

No file is opened here. Files that are unreadable, not regular, or only in the cloud are reported
as such.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from writeros_entities.errors import VaultError
from writeros_entities.values import Diagnostic, FileKind
from writeros_entities.vault.files.config import CONFIG_FOLDER, VaultConfig
from writeros_entities.vault.files.disk import (
    evicted_name,
    file_kind,
    find_name,
    is_hidden,
    is_temporary,
    is_utf_8,
    shown_name,
)

NOT_DOWNLOADED = Diagnostic("not-downloaded", "It is in the cloud, not on this computer.")
_NOT_PERMITTED = Diagnostic("unreadable", "It may not be read: check its permissions.")
_NOT_UTF_8 = Diagnostic("name-not-utf-8", "Its name is not UTF-8; rename it.")
_DATALESS = 0x40000000
"""The flag (`SF_DATALESS`) of a file whose data iCloud has taken off a Mac's disk."""

_RECALLED = 0x00400000
"""The attribute (`FILE_ATTRIBUTE_RECALL_ON_DATA_ACCESS`) of one that OneDrive took off a PC's."""

MAX_PATH_BYTES = 2_500
"""Longest path relative to the root; a longer one does not fit into a database index."""

_TOO_LONG = f"Its path has more than {MAX_PATH_BYTES:,} bytes; it is not read."


@dataclass(frozen=True, slots=True)
class VaultFile:
    """A file of the vault.

    `path` is relative to the root, with `/`, in NFC, and always valid UTF-8; `disk_path` is the
    path to open. An `unavailable` file exists but cannot be read now; its rows in the index remain
    valid.
    """

    path: str
    disk_path: bytes
    size: int
    mtime_ns: int
    kind: FileKind
    diagnostic: Diagnostic | None = None
    unavailable: bool = False


@dataclass(frozen=True, slots=True)
class Walk:
    """The files found, by path, and what could not be read.

    Nothing is known about files below `unreadable_folders`; they must not be taken for deleted.
    """

    files: tuple[VaultFile, ...] = ()
    unreadable_folders: tuple[str, ...] = ()
    diagnostics: tuple[tuple[str, Diagnostic], ...] = ()


def walk_vault(
    root: Path,
    config: VaultConfig,
    *,
    follow_symlinks: bool = False,
    pause: Callable[[], None] = lambda: None,
) -> Walk:
    """Find all files of the vault at `root`; raise VaultError if the root cannot be read.

    `pause` is called for each file.
    """
    walker = _start(root, config)
    walker.pause = pause
    walker.walk(walker.root, "")
    if "" in walker.unreadable:
        raise VaultError(f"The vault {root} cannot be read to its end; is its disk still there?")
    if follow_symlinks:
        walker.follow()
    return walker.result()


def find_below(root: Path, config: VaultConfig, folder: str) -> Walk:
    """Find all files below a folder of the vault; none if there is no such folder."""
    walker = _start(root, config)
    try:
        located = walker.locate(folder)
    except OSError:
        return Walk(unreadable_folders=(folder,))
    if located is not None:
        disk_path, path = located
        if not os.path.islink(disk_path) and os.path.isdir(disk_path):
            walker.walk(disk_path, path)
    return walker.result()


def inspect_path(root: Path, config: VaultConfig, path: str) -> VaultFile | None:
    """Look at one path as `walk_vault` would; return None if there is no file of the vault.

    A file in a folder that cannot be read is returned as unavailable.
    """
    walker = _start(root, config)
    try:
        located = walker.locate(path)
        if located is None:
            return None
        disk_path, found = located
        status = os.lstat(disk_path)
    except FileNotFoundError:
        return None
    except OSError:
        walker.add_unreadable(os.path.join(walker.root, os.fsencode(path)), path)
        return walker.files.get(path)
    folder, _, name = found.rpartition("/")
    evicted = evicted_name(name)
    if evicted is not None:
        walker.add_stub(disk_path, f"{folder}/{evicted}" if folder else evicted, status)
    elif stat.S_ISREG(status.st_mode) and not is_temporary(name):
        walker.add_file(disk_path, found, status)
    return next(iter(walker.files.values()), None)


def _start(root: Path, config: VaultConfig) -> _Walker:
    """Return a walker for the root; raise VaultError if the root cannot be read."""
    walker = _Walker(os.path.realpath(os.fsencode(root)), config)
    try:
        with os.scandir(walker.root):
            return walker
    except OSError as error:
        raise VaultError(f"The vault {root} cannot be read: {error.strerror}.") from None


@dataclass(slots=True)
class _Walker:
    root: bytes
    config: VaultConfig
    pause: Callable[[], None] = lambda: None
    files: dict[str, VaultFile] = field(default_factory=dict)
    unreadable: list[str] = field(default_factory=list)
    diagnostics: list[tuple[str, Diagnostic]] = field(default_factory=list)
    symlinks: list[tuple[bytes, str]] = field(default_factory=list)

    def walk(self, disk_path: bytes, path: str) -> None:
        """Collect the files below a folder."""
        folders = [(disk_path, path)]
        config_folder = os.fsencode(CONFIG_FOLDER)
        while folders:
            disk_path, path = folders.pop()
            try:
                with os.scandir(disk_path) as listing:
                    entries = list(listing)
            except OSError as error:
                # A folder that vanished since its parent was listed may be on an unmounted disk.
                self.unreadable.append(path)
                self.report(path, "unreadable-folder", f"It cannot be read: {error.strerror}.")
                continue
            if path and any(entry.name == config_folder for entry in entries):
                self.report(path, "nested-vault", "It is a vault of its own; it is left alone.")
                continue
            prefix = path + "/" if path else ""
            for entry in entries:
                self.pause()
                name = shown_name(entry.name)
                try:
                    if self._is_folder(entry, name, prefix):
                        folders.append((entry.path, prefix + name))
                except FileNotFoundError:
                    continue  # deleted since its folder was listed
                except OSError:
                    if not is_hidden(name):
                        self.add_unreadable(entry.path, prefix + name)

    def _is_folder(self, entry: os.DirEntry[bytes], name: str, prefix: str) -> bool:
        """Say whether an entry is a folder to walk; if it is a file or a link, add it."""
        hidden = is_hidden(name)
        if entry.is_symlink():
            if not hidden:
                self.symlinks.append((entry.path, prefix + name))
            return False
        if entry.is_dir(follow_symlinks=False):
            return not hidden
        evicted = evicted_name(name) if hidden else None
        if evicted is not None and not is_temporary(name):
            self.add_stub(entry.path, prefix + evicted, entry.stat(follow_symlinks=False))
        elif not hidden and not is_temporary(name):
            self.add_file(entry.path, prefix + name, entry.stat(follow_symlinks=False))
        return False

    def add_unreadable(self, disk_path: bytes, path: str) -> None:
        """Add a file that may exist but cannot be inspected."""
        self._add(disk_path, path, file_kind(path, self.config), None, _NOT_PERMITTED)

    def add_stub(self, disk_path: bytes, path: str, status: os.stat_result) -> None:
        """Add a file of which only iCloud's placeholder is on this disk."""
        if path not in self.files:
            kind = file_kind(path, self.config)
            self._add(disk_path, path, kind, status, NOT_DOWNLOADED)

    def add_file(self, disk_path: bytes, path: str, status: os.stat_result) -> None:
        """Add an existing file, unless it is not a regular one."""
        kind = file_kind(path, self.config)
        if not stat.S_ISREG(status.st_mode):
            if kind != "attachment":
                self.report(path, "not-a-file", "It is a pipe, socket or device; it is not read.")
            return
        trouble = None
        if _is_evicted(status):
            trouble = NOT_DOWNLOADED
        elif kind != "attachment" and not os.access(disk_path, os.R_OK):
            trouble = _NOT_PERMITTED
        elif "\\x" in path and not is_utf_8(disk_path):
            trouble = _NOT_UTF_8
        self._add(disk_path, path, kind, status, trouble)

    def _add(
        self,
        disk_path: bytes,
        path: str,
        kind: FileKind,
        status: os.stat_result | None,
        trouble: Diagnostic | None,
    ) -> None:
        size, mtime_ns = (status.st_size, status.st_mtime_ns) if status else (0, 0)
        unavailable = trouble is NOT_DOWNLOADED or trouble is _NOT_PERMITTED
        self.keep(VaultFile(path, disk_path, size, mtime_ns, kind, trouble, unavailable))

    def keep(self, file: VaultFile) -> None:
        """Add a file; of two whose names differ only in Unicode form, keep the NFC one."""
        if len(file.path.encode()) > MAX_PATH_BYTES:
            self.report(file.path, "path-too-long", _TOO_LONG)
            return
        other = self.files.get(file.path)
        if other is None or other.diagnostic is NOT_DOWNLOADED:
            self.files[file.path] = file
            return
        if not file.disk_path.endswith(os.fsencode(file.path)):
            file = other
        diagnostic = Diagnostic("same-name", "Two files have this name, in two Unicode forms.")
        self.files[file.path] = replace(file, diagnostic=file.diagnostic or diagnostic)

    def report(self, path: str, code: str, message: str) -> None:
        """Record a diagnostic for a path that is not a file of the vault."""
        self.diagnostics.append((path, Diagnostic(code, message)))

    def follow(self) -> None:
        """Add the targets of symbolic links that are inside the root, each only once."""
        seen = {os.path.realpath(file.disk_path) for file in self.files.values()}
        visited: set[bytes] = {self.root}
        pending, self.symlinks = sorted(self.symlinks, key=lambda link: link[1]), []
        while pending:
            disk_path, path = pending.pop(0)
            real = os.path.realpath(disk_path)
            if not os.path.join(real, b"").startswith(os.path.join(self.root, b"")):
                self.report(path, "symlink", "It leads out of the vault; it is not followed.")
            elif os.path.isdir(real):
                if real not in visited:
                    visited.add(real)
                    pending.extend(self._follow_folder(real, path, seen))
            elif os.path.isfile(real):
                if real not in seen:
                    seen.add(real)
                    self.add_file(disk_path, path, os.stat(real))
            else:
                self.report(path, "symlink", "It leads nowhere.")

    def _follow_folder(
        self, real: bytes, path: str, seen: set[bytes]
    ) -> Iterable[tuple[bytes, str]]:
        below = _Walker(self.root, self.config)
        below.walk(real, path)
        for file in below.files.values():
            target = os.path.realpath(file.disk_path)
            if target not in seen:
                seen.add(target)
                self.keep(file)
        self.unreadable += below.unreadable
        self.diagnostics += below.diagnostics
        return sorted(below.symlinks, key=lambda link: link[1])

    def locate(self, path: str) -> tuple[bytes, str] | None:
        """Return the disk path and the shown path; None if the vault does not own the path.

        Hidden folders, nested vaults and symbolic links to folders do not.
        """
        if "\0" in path:
            return None
        disk_path, found = self.root, ""
        parts = [part for part in path.split("/") if part]
        for depth, part in enumerate(parts):
            config_folder = os.path.join(disk_path, os.fsencode(CONFIG_FOLDER))
            nested = depth and (os.path.lexists(config_folder) or os.path.islink(disk_path))
            name = None if nested or is_hidden(part) else find_name(disk_path, part)
            if name is None:
                return None
            disk_path = os.path.join(disk_path, name)
            found = f"{found}/{shown_name(name)}" if found else shown_name(name)
        return disk_path, found

    def result(self) -> Walk:
        """Return the files found, ordered by path; report names that differ only in case."""
        for _, path in self.symlinks:
            self.report(path, "symlink", "It is a symbolic link; the settings leave it alone.")
        spellings: dict[str, str] = {}
        for path in sorted(self.files):
            other = spellings.setdefault(path.casefold(), path)
            if other != path:
                message = f"Its name differs from {other!r} only in case: most disks allow one."
                self.report(path, "same-name", message)
        return Walk(
            tuple([self.files[path] for path in sorted(self.files)]),
            tuple(sorted(self.unreadable)),
            tuple(sorted(self.diagnostics, key=lambda report: (report[0], report[1].code))),
        )


def _is_evicted(status: os.stat_result) -> bool:
    """Return whether a file's data is in the cloud only: to read it would download it."""
    flags = getattr(status, "st_flags", 0)  # on macOS
    attributes = getattr(status, "st_file_attributes", 0)  # on Windows
    return bool(flags & _DATALESS or attributes & _RECALLED)
