"""Files on disk: their names, their text, and how one is replaced."""

from __future__ import annotations

import os
import re
import sys
import tempfile
import unicodedata
from pathlib import Path

from writeros_entities.names import storable
from writeros_entities.values import Diagnostic, FileKind
from writeros_entities.vault.files.config import VaultConfig

_CASE_BLIND = sys.platform in ("darwin", "win32")

_CONTROL = re.compile("[\\0-\\x08\\x0b-\\x0c\\x0e-\\x1f\\x7f]")


_TEMPORARY = re.compile(
    r"~\Z|\A~syncthing~|\A~\$|\A4913\Z|\A#.*#\Z|\.sw[a-px]\Z|\.sb-[0-9A-Za-z]+(?:-[0-9A-Za-z]+)?\Z"
    r"|\.tmp\Z|\.crswap\Z",
    re.IGNORECASE,
)
_CONFLICT_COPY = re.compile(
    r"\(Conflicted copy .*\d{12}\)\Z"  # Obsidian Sync
    r"|\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]{7})?\Z"  # Syncthing
    r"|\([^()]*(?:conflicted copy|in Konflikt stehende Kopie|copie en conflit"
    r"|copia en conflicto|copia in conflitto|cópia em conflito|conflicterende kopie|競合コピー)"
    r"[^()]*\d{4}-\d{2}-\d{2}[^()]*(?:\(\d+\))?\)\Z",  # Dropbox, in the languages it speaks
    re.IGNORECASE,
)
_TEMPLATE_FOLDER = re.compile(
    r"(?:\A|/)(?:[^\w/]|[\d_]|z+_)*(?:templates?|vorlagen|plantillas)/",
    re.IGNORECASE,
)
"""A templates folder, with any prefix for sorting: `z_Templates`, `90 - Templates`."""

_ICLOUD_STUB = re.compile(r"\A\.(.+\.[^.]+)\.icloud\Z")


def find_name(folder: bytes, part: str) -> bytes | None:
    """Return the spelling on disk of a shown name: another Unicode form, an escaped name or a stub.

    Returns None if the folder has no such file.
    """
    try:
        name = os.fsencode(part)
    except UnicodeEncodeError:
        return None
    if not _CASE_BLIND:
        try:
            os.lstat(os.path.join(folder, name))
        except (FileNotFoundError, NotADirectoryError):
            pass
        else:
            return name
    try:
        listing = os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return None
    wanted = unicodedata.normalize("NFC", part)
    stub: bytes | None = None
    for candidate in sorted(listing):
        shown = shown_name(candidate)
        if shown == wanted:
            return candidate
        if evicted_name(shown) == wanted:
            stub = candidate
    return stub


def shown_name(name: bytes) -> str:
    """Return a file name as text: NFC, with control characters, and bytes that are not UTF-8,
    escaped (`\\x1b`, `\\xff`).
    """
    text = name.decode("utf-8", "backslashreplace")
    if not text.isprintable():
        text = _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def is_utf_8(disk_path: bytes) -> bool:
    """Return whether a path is valid UTF-8."""
    try:
        disk_path.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


BYTE_ORDER_MARK = "\ufeff"


def decode(data: bytes) -> tuple[str, tuple[Diagnostic, ...]]:
    """Return a file's text and what is wrong with its encoding.

    The text keeps a byte-order mark as its first character, and carriage returns. Bytes that are
    not UTF-8, and control characters, become U+FFFD; no other encoding is guessed.
    """
    diagnostics: list[Diagnostic] = []
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            diagnostics.append(
                Diagnostic("utf-16", "The file is UTF-16; save it as UTF-8 to have it read.", 1)
            )
        else:
            diagnostics.append(
                Diagnostic(
                    "not-utf-8",
                    f"Line {line} holds bytes that are not UTF-8; they are read as U+FFFD.",
                    line,
                )
            )
        text = data.decode("utf-8", "replace")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        diagnostics.append(
            Diagnostic("nul", f"Line {line} holds a NUL character; it is read as U+FFFD.", line)
        )
    return storable(text), tuple(diagnostics)


def replace_file(path: Path, content: bytes) -> None:
    """Write a file by replacing it, with the permissions that it had; raises OSError.

    A new one has those of its folder. A file behind a symbolic link is replaced where it is.
    """
    path = path.resolve()
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        like = path if path.exists() else path.parent
        Path(name).chmod(like.stat().st_mode & 0o666)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def is_hidden(name: str) -> bool:
    """Return whether Obsidian hides a file or folder of this name, with everything below it."""
    return name.startswith(".")


def is_temporary(name: str) -> bool:
    """Return whether a file only exists while an editor or sync program writes another."""
    return _TEMPORARY.search(name) is not None


def evicted_name(name: str) -> str | None:
    """Return the file name of an iCloud placeholder (`.Name.md.icloud`), or None."""
    stub = _ICLOUD_STUB.match(name)
    return None if stub is None else stub[1]


def file_kind(path: str, config: VaultConfig) -> FileKind:
    """Return the kind of the file at `path`.

    `name 2.md` is a note: only its content could tell whether it is a conflict copy.
    """
    stem, dot, extension = path.rpartition("/")[2].rpartition(".")
    extension = extension.lower() if dot else ""
    if extension not in ("md", "canvas"):
        return "attachment"
    if _CONFLICT_COPY.search(stem):
        return "conflict"
    if config.is_template(path) or _TEMPLATE_FOLDER.search(path):
        return "template"
    if config.is_excluded(path):
        return "excluded"
    return "note" if extension == "md" else "canvas"
