"""A worker process, and the pipes to it.

    worker = Worker.start(pipeline, room)
    answer = worker.submit(message("draft", batch))
    answer.result()

It is a new interpreter with the same settings and plugins, and gives the same results as this
process. It is started as a command rather than forked, which is safe with threads; and without
importing the caller's main module, so that a script without a `__main__` guard does not run twice.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from writeros_entities.sync.collector import Collector
from writeros_entities.sync.drafting.pipeline import Pipeline
from writeros_entities.sync.stages import Stages

if TYPE_CHECKING:
    from collections.abc import Sequence

AHEAD = 10
"""Most batches that a worker is asked for before it has answered: enough for it to have work while
this process writes, few enough for this process not to wait for it at the end.
"""

PIPE = 1 << 20
"""Bytes that a pipe holds, where the system allows it: enough for an answer, so that a worker need
not wait until this process reads it.
"""

_PROGRAM = (
    "import sys; sys.path[:] = {path!r}; "
    "from writeros_entities.sync.worker import serve; serve({identity!r}, {room!r})"
)


def message(stage: str, *arguments: object) -> bytes:
    """Return the message that asks a worker for a stage."""
    return _pack((stage, arguments))


class Worker:
    """One process and the pipes to it, with a thread that sends messages and one that gets answers.

    So the process has its next message when it has answered one, however busy this process is.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.is_alive = True
        self._process = process
        self._asked: list[Future[Any]] = []
        self._sender = ThreadPoolExecutor(1, "worker-sender")
        self._receiver = ThreadPoolExecutor(1, "worker-receiver")

    @classmethod
    def start(cls, pipeline: Pipeline, room: int) -> Worker | None:
        """Start a process, or return None if the system does not allow it."""
        if not sys.executable:
            return None
        program = _PROGRAM.format(path=sys.path, identity=pipeline.identity, room=room)
        flags = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]  # as multiprocessing does
        try:
            worker = cls(_open([sys.executable, *flags, "-c", program]))
            worker._send(_pack(pipeline.settings.model_dump(mode="json")))
        except OSError:
            return None
        return worker

    def submit(self, message: bytes) -> Future[Any]:
        """Queue a message; the future holds the result in a tuple, or None if it failed."""
        sent = self._sender.submit(self._send, message)
        answer = self._receiver.submit(self._answer, sent)
        self._asked.append(answer)
        return answer

    @property
    def asked(self) -> int:
        """The number of messages without an answer yet."""
        self._asked = [answer for answer in self._asked if not answer.done()]
        return len(self._asked)

    @property
    def has_room(self) -> bool:
        """Whether it can be asked for one more batch."""
        return self.is_alive and self.asked < AHEAD

    def receive(self) -> Any:
        """Wait for an answer and return it."""
        assert self._process.stdout is not None
        return pickle.load(self._process.stdout)

    def _answer(self, sent: Future[None]) -> Any:
        try:
            sent.result()
            return self.receive() if self.is_alive else None
        except Exception:
            self.is_alive = False
            self.stop()
            return None

    def stop(self) -> None:
        """Kill the process; it holds no state that could be lost."""
        self._process.kill()

    def close(self) -> None:
        """Wait for the process to end, and close its pipes."""
        self._sender.shutdown(cancel_futures=True)
        self._receiver.shutdown(cancel_futures=True)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    continue

    def _send(self, message: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(message)
        self._process.stdin.flush()


def _open(command: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start a process with pipes as large as allowed; raises OSError if that is not possible."""
    try:
        return _open_with(command, PIPE)
    except PermissionError:  # all pipes of a user together may hold so much and no more
        return _open_with(command, -1)


def _open_with(command: Sequence[str], size: int) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    return subprocess.Popen(command, bufsize=PIPE, stdin=pipe, stdout=pipe, pipesize=size)


def serve(identity: str, room: int) -> None:
    """Run as a worker: answer messages from standard input until it is closed.

    Exits at once if its plugins are not those of the parent.
    """
    from writeros_entities.plugins import load_plugins
    from writeros_entities.settings import Settings

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent gets it too, and closes the pipes
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a plugin's prints must not mix with the answers
    settings = Settings(**pickle.load(sys.stdin.buffer))
    pipeline = Pipeline(load_plugins(settings), settings)
    if pipeline.identity != identity:
        return
    stages = Stages(pipeline, room)
    collector = Collector()
    while True:
        collector.settle()
        try:
            stage, arguments = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            answer = _pack((getattr(stages, stage)(*arguments),))
        except Exception:
            answer = _pack(None)
        try:
            answers.write(answer)
            answers.flush()
        except BrokenPipeError:  # the parent was killed
            return


def _pack(value: object) -> bytes:
    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
