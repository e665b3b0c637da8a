"""What this machine has to compute with, told without loading a library that computes."""

from __future__ import annotations

import platform
import shutil
import sys
from importlib import metadata
from pathlib import Path


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


def has_matrix_unit() -> bool:
    """Say whether the processor has a unit for matrices of bfloat16: AMX, on Linux.

    Processors that only have instructions for vectors of bfloat16 (AVX-512) are no faster with
    them than in 32 bits, and others far slower.
    """
    try:
        return " amx_bf16" in Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        return False
