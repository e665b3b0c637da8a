"""Read the files that say by hand what is in a fixture vault."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml


def read_yaml(file: Path) -> Any:
    """Return a file's content, by the parser in C: several of the files are long."""
    return yaml.load(file.read_text("utf-8"), yaml.CSafeLoader)
