"""Install the examples, as somebody would who has only them."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"

BUILD = "from setuptools import build_meta; build_meta.build_wheel('built')"


def install(example: str, folder: Path) -> Path:
    """Build the wheel of an example from a copy, and unpack it as installers do.

    Return the folder in which it is installed, below the given one.
    """
    source = shutil.copytree(EXAMPLES / example, folder / "source")
    done = subprocess.run(
        [sys.executable, "-c", BUILD], cwd=source, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = (source / "built").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"
