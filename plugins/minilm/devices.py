"""Which accelerator this machine has, told without loading PyTorch."""

from __future__ import annotations

import platform
import shutil
import sys
from importlib import metadata


def find_accelerator() -> str | None:
    """Return `cuda` or `mps` where the machine and the installed PyTorch seem to have it."""
    try:
        version = metadata.version("torch")
    except metadata.PackageNotFoundError:
        return None
    if sys.platform == "darwin":
        return "mps" if platform.machine() == "arm64" else None
    if "+cpu" in version or shutil.which("nvidia-smi") is None:
        return None
    return "cuda"
