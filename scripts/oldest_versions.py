"""Print the oldest version of each library that the product allows, as constraints for pip.

The extras `onnx` and `embeddings` are left out: the oldest of their libraries exclude each other.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parent.parent / "pyproject.toml"


def oldest(requirement: str) -> str:
    """Return a requirement pinned to the version that it begins at."""
    found = re.match(r"(?P<name>[\w.-]+)(\[.*\])?>=(?P<version>[\w.]+)", requirement)
    if found is None:
        raise SystemExit(f"{requirement!r} has no oldest version.")
    return f"{found['name']}=={found['version']}"


if __name__ == "__main__":
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    required = [*project["dependencies"], *project["optional-dependencies"]["postgres"]]
    print("\n".join(map(oldest, required)))
