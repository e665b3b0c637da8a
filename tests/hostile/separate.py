"""Run capability calls in a separate process: without privileges, and with its memory measured.

    python separate.py '{"root": …, "database": …, "user": 65534, "steps": [["call", "sync", {}]]}'

Prints one answer per call as JSON, and the peak memory of the process.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NOBODY = 65534

Step = tuple[Any, ...]
"""`("call", name, arguments)`, `("chmod", path, mode)`, `("write", path, text)` or
`("delete", path)`; paths are relative to the vault's root."""


@dataclass(frozen=True)
class Ran:
    """The answers of the calls (`{"error": …}` if a call failed), and the peak memory in MB."""

    answers: list[dict[str, Any]]
    megabytes: float


def run_separately(root: Path, database: str, *steps: Step, user: int | None = None) -> Ran:
    """Run steps on a vault in a separate process, as another user if one is given."""
    task = {"root": str(root), "database": database, "user": user, "steps": steps}
    done = subprocess.run(
        [sys.executable, __file__, json.dumps(task)],
        capture_output=True,
        text=True,
        check=False,
        timeout=250,
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    return Ran(answer["answers"], answer["megabytes"])


def _import_everything() -> None:
    """Import what calls import lazily: the other user may not be allowed to read it."""
    from writeros_entities.session import Session

    with tempfile.TemporaryDirectory() as folder:
        note = Path(folder) / "People" / "Ada Lovelace.md"
        note.parent.mkdir()
        note.write_text("---\ntype: person\n---\nAda Lovelace met Ada.\n")
        with Session.open(folder, database=f"sqlite:///{folder}/index.sqlite3") as session:
            session.call("sync", {})
            session.call("rebuild", {})
            session.call("doctor", {})
            session.call("find_mentions", {"entity": "Ada"})


def _main() -> None:
    from writeros_entities.errors import WriterosError
    from writeros_entities.session import Session

    task = json.loads(sys.argv[1])
    root = Path(task["root"])
    answers = []
    with Session.open(root, database=task["database"]) as session:
        if task["user"] is not None and os.getuid() == 0:
            _import_everything()
            os.setgroups([])
            os.setgid(task["user"])
            os.setuid(task["user"])
        for kind, *arguments in task["steps"]:
            if kind == "call":
                try:
                    answers.append(session.call(*arguments).model_dump(mode="json"))
                except WriterosError as error:
                    answers.append({"error": type(error).__name__, "message": str(error)})
            elif kind == "chmod":
                (root / arguments[0]).chmod(arguments[1])
            elif kind == "write":
                (root / arguments[0]).write_text(arguments[1])
            else:
                (root / arguments[0]).unlink()
    print(json.dumps({"answers": answers, "megabytes": _peak_megabytes()}))


def _peak_megabytes() -> float:
    """Return the peak memory of this process.

    On Linux, `ru_maxrss` starts with the value of the parent process, so the kernel's own
    high-water mark is read instead.
    """
    status = Path("/proc/self/status")
    if status.exists():
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return int(lines["VmHWM"].split()[0]) / 1e3
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)


if __name__ == "__main__":
    _main()
