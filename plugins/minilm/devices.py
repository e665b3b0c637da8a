"""Detect the hardware of this machine without importing a numerical library."""

from __future__ import annotations

import platform
import shutil
import sys
from importlib import metadata
from pathlib import Path


def find_accelerator() -> str | None:
    """Return `cuda` or `mps` if the machine and the installed PyTorch seem to support it."""
    try:
        version = metadata.version("torch")
    except metadata.PackageNotFoundError:
        return None
    if sys.platform == "darwin":
        return "mps" if platform.machine() == "arm64" else None
    if "+cpu" in version or shutil.which("nvidia-smi") is None:
        return None
    return "cuda"


def has_matrix_unit() -> bool:
    """Say whether the processor has a matrix unit for bfloat16 (AMX); detected on Linux only.

    Processors that only have vector instructions for bfloat16 (AVX-512) are no faster with them
    than in 32 bits, and others are much slower.
    """
    try:
        return " amx_bf16" in Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        return False
