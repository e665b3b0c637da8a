"""Detect the hardware of this machine without importing a numerical library."""

from __future__ import annotations

import platform
import re
import shutil
import sys
from importlib import metadata
from pathlib import Path

_FIELD = re.compile(r"^([\w ]+)\t*: (.*)$", re.MULTILINE)


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


def is_fast_in_16_bits() -> bool:
    """Say whether the processor multiplies much faster in bfloat16 than in 32 bits.

    Detected on Linux only; see `favours_16_bits`.
    """
    try:
        return favours_16_bits(Path("/proc/cpuinfo").read_text("utf-8"))
    except OSError:
        return False


def favours_16_bits(cpuinfo: str) -> bool:
    """Say the same of a processor that Linux describes like this.

    It needs a matrix unit (AMX), or to be a Zen 4 of AMD (family 25 with AVX512_BF16), which
    computes 32-bit vectors of 512 bits in two halves. Other processors with AVX512_BF16 are no
    faster with it, and those without much slower.
    """
    values = dict(_FIELD.findall(cpuinfo))
    flags = values.get("flags", "").split()
    is_zen_4 = values.get("vendor_id") == "AuthenticAMD" and values.get("cpu family") == "25"
    return "amx_bf16" in flags or (is_zen_4 and "avx512_bf16" in flags)
