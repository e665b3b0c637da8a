"""Run capability calls in a separate process: without privileges, and with its memory measured.

    echo '{"root": …, "database": …, "steps": [["call", "sync", {}]]}' | python separate.py 65534

Prints, for each line that it reads, one answer per call as JSON, and its peak memory. The user, if
one is given, is who it becomes before it reads any.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
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


Run = Callable[..., Ran]


@contextmanager
def separate_process(user: int | None = None) -> Iterator[Run]:
    """Start a process, as another user if one is given; yield what runs steps on a vault in it."""
    command = [sys.executable, __file__, *([] if user is None else [str(user)])]
    with tempfile.TemporaryDirectory() as home, ExitStack() as stack:
        Path(home).chmod(0o777)
        folders = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")
        variables = {folder: f"{home}/{folder}" for folder in folders}
        process = stack.enter_context(
            subprocess.Popen(
                command,
                env=os.environ | variables,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
        asked, told = process.stdin, process.stdout
        assert asked is not None
        assert told is not None

        def run(root: Path, database: str, *steps: Step) -> Ran:
            task = {"root": str(root), "database": database, "steps": steps}
            print(json.dumps(task), file=asked, flush=True)
            return Ran(**json.loads(told.readline()))

        yield run


def run_separately(root: Path, database: str, *steps: Step) -> Ran:
    """Run steps on a vault in a process of their own."""
    with separate_process() as run:
        return run(root, database, *steps)


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


def _main(user: int | None) -> None:
    if user is not None and os.getuid() == 0:
        _import_everything()
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
    for line in sys.stdin:
        task = json.loads(line)
        answers = _answers(Path(task["root"]), task["database"], task["steps"])
        print(json.dumps({"answers": answers, "megabytes": _peak_megabytes()}), flush=True)


def _answers(root: Path, database: str, steps: list[Step]) -> list[dict[str, Any]]:
    from writeros_entities.errors import WriterosError
    from writeros_entities.session import Session

    answers = []
    with Session.open(root, database=database) as session:
        for kind, *arguments in steps:
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
    return answers


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
    _main(int(sys.argv[1]) if sys.argv[1:] else None)
