"""Check that a model's file is the published one; each file is hashed only once.

    check_published(folder / "model.safetensors", SHA256, "all-MiniLM-L6-v2")

What was hashed is remembered in the user's cache, by the file's path, size and time of change.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path

from writeros_entities import ModelError

WITH_PIPX = (
    "(Installed by pipx: `pipx runpip writeros-entities install` in place of `pip install`.)"
)
"""What to add to a message that says what to install."""


def check_published(file: Path, sha256: str, model: str) -> None:
    """Raise ModelError if the file has another hash than the model's published one."""
    state = file.stat()
    key, now = str(file.resolve()), [state.st_size, state.st_mtime_ns]
    memory = _memory_file()
    known = _recall(memory)
    if known.get(key) == [*now, sha256]:
        return
    with file.open("rb") as opened:
        found = hashlib.file_digest(opened, "sha256").hexdigest()
    if found != sha256:
        raise ModelError(
            f"{file} is not the published weights of {model}: its sha256 is {found}, "
            f"expected {sha256}. It is damaged or another model's: download it again."
        )
    _remember(memory, {**known, key: [*now, found]})


def _memory_file() -> Path:
    import platformdirs

    return (
        platformdirs.user_cache_path("writeros-entities", appauthor=False) / "checked-weights.json"
    )


def _recall(memory: Path) -> dict[str, list[object]]:
    try:
        known = json.loads(memory.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def _remember(memory: Path, known: dict[str, list[object]]) -> None:
    """Store the hashes; if that fails, the next process hashes again."""
    with suppress(OSError):
        memory.parent.mkdir(parents=True, exist_ok=True)
        written = memory.with_name(f"{memory.name}.{os.getpid()}")
        written.write_text(json.dumps(known), "utf-8")
        written.replace(memory)
