"""Runs capability calls in a process of its own: without privileges, and with its memory measured.

    python separate.py '{"root": …, "database": …, "user": 65534, "steps": [["call", "sync", {}]]}'

Prints the answers as JSON, one for each call, and the memory that the process took at most.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NOBODY = 65534

Step = tuple[Any, ...]
"""`("call", name, arguments)`, `("chmod", path, mode)`, `("write", path, text)` or
`("delete", path)`; paths are relative to the vault's root."""


@dataclass(frozen=True)
class Ran:
    """What the calls answered (`{"error": …}` where they raised), and the peak memory in MB."""

    answers: list[dict[str, Any]]
    megabytes: float


def run_separately(root: Path, database: str, *steps: Step, user: int | None = None) -> Ran:
    """Take steps on a vault in a process of its own, as another user if one is given."""
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


def _main() -> None:
    task = json.loads(sys.argv[1])
    if task["user"] is not None and os.getuid() == 0:
        os.setgroups([])
        os.setgid(task["user"])
        os.setuid(task["user"])
    from writeros_entities.errors import WriterosError
    from writeros_entities.session import Session

    root = Path(task["root"])
    answers = []
    with Session.open(root, database=task["database"]) as session:
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
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    megabytes = peak / (1e6 if sys.platform == "darwin" else 1e3)
    print(json.dumps({"answers": answers, "megabytes": megabytes}))


if __name__ == "__main__":
    _main()
