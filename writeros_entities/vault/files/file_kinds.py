"""The kind of a file, from its path alone."""

from __future__ import annotations

import re

from writeros_entities.values import FileKind
from writeros_entities.vault.files.config import VaultConfig

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
