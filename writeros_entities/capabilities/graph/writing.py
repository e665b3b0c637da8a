"""Write a graph to a file, if that is allowed.

The file must have the extension of its format. An existing file is replaced only if this program
wrote it. Inside the vault, only the folder of the setting `output_folder` may be written to; a
server writes nowhere else, and takes paths as relative to the vault.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from writeros_entities.errors import RequestError
from writeros_entities.vault.canvas import GENERATOR

if TYPE_CHECKING:
    from writeros_entities.workspace import Workspace

ENDINGS = {
    "json": (".json",),
    "mermaid": (".mmd", ".mermaid"),
    "canvas": (".canvas",),
    "graphml": (".graphml",),
    "html": (".html", ".htm"),
}
_HEAD = 1_000
"""Number of characters at the start of a file that are searched for its generator."""


def check_output(workspace: Workspace, output: str | None, format: str) -> None:
    """Raise RequestError if the file may not be written."""
    if output is None:
        if format == "html":
            raise RequestError("An html page is large: name a file for it with `output`.")
        return
    path = _resolved(workspace, output)
    root = workspace.root.resolve()
    folder = root / workspace.settings.output_folder
    is_allowed = path.is_relative_to(folder) and folder != root
    if workspace.is_served and not is_allowed:
        raise RequestError(
            f"{output!r}: a server writes only into the vault's folder "
            f"{workspace.settings.output_folder!r} (setting output_folder), for example "
            f"'{workspace.settings.output_folder}/{path.name}'."
        )
    endings = ENDINGS[format]
    if path.suffix.lower() not in endings:
        raise RequestError(f"{output!r}: a file in the format {format} ends in {endings[0]}.")
    if path.is_relative_to(root) and not is_allowed:
        raise RequestError(
            f"{output!r} lies in the vault, of which only the folder "
            f"{workspace.settings.output_folder!r} is written into (setting output_folder)."
        )
    try:
        has_folder, is_there = path.parent.is_dir(), path.exists()
    except OSError as error:  # a name that no folder can hold
        raise _not_written(output, error) from None
    if not path.is_relative_to(root) and not has_folder:
        raise RequestError(f"{output!r}: there is no folder {path.parent}.")
    if is_there and not _is_ours(path):
        raise RequestError(f"{output!r} exists and was not written by this program: left as it is.")


def write_output(workspace: Workspace, output: str, content: str) -> str:
    """Write the file atomically; return its path."""
    path = _resolved(workspace, output)
    try:
        if path.is_relative_to(workspace.root.resolve()):
            path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as file:
            file.write(content.encode("utf-8", "replace"))
        Path(name).replace(path)
    except OSError as error:
        raise _not_written(output, error) from None
    return str(path)


def _not_written(output: str, error: OSError) -> RequestError:
    return RequestError(f"{output!r} cannot be written: {error.strerror}.")


def _resolved(workspace: Workspace, output: str) -> Path:
    if workspace.is_served:
        return (workspace.root / output).resolve()
    return Path(output).expanduser().resolve()


def _is_ours(path: Path) -> bool:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return GENERATOR in file.read(_HEAD)
    except OSError:
        return False
