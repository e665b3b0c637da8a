"""A worker process, and the pipes to it.

    worker = Worker.start(pipeline, room)
    request = worker.submit(message("draft", batch))
    request.answer()

It is a new interpreter with the same settings and plugins, and gives the same results as this
process. It is started as a command rather than forked, which is safe with threads; and without
importing the caller's main module, so that a script without a `__main__` guard does not run twice.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from threading import Semaphore
from typing import TYPE_CHECKING, Any

from writeros_entities.sync.collector import Collector
from writeros_entities.sync.drafting.files import ParsedNotes
from writeros_entities.sync.drafting.pipeline import Pipeline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from writeros_entities.store.compiled import VaultLexicon
    from writeros_entities.sync.drafting.detector import Detected, DetectionJob
    from writeros_entities.sync.drafting.files import StoredNote
    from writeros_entities.sync.drafting.pipeline import Drafted, FileToRead, FoundTopics

SENT = 2
"""Most messages that a process has: the one that it answers, and the one that it takes up next.
Those that wait behind them can be withdrawn.
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


class Request:
    """A message for a worker, and the answer to it."""

    def __init__(self, sent: Future[None], answered: Future[Any]) -> None:
        self._sent = sent
        self._answered = answered

    @property
    def is_answered(self) -> bool:
        """Whether the answer is there, or will never be."""
        return self._answered.done()

    def withdraw(self) -> bool:
        """Say whether the worker has not been sent the message, and then never will be."""
        return self._sent.cancel()

    def answer(self) -> Any:
        """Wait for the answer: the result in a tuple, or None if there is none."""
        return self._answered.result()


class Worker:
    """One process and the pipes to it, with a thread that sends messages and one that gets answers.

    So the process has its next message when it has answered one, however busy this process is.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.is_alive = True
        self._process = process
        self._asked: list[Request] = []
        self._free = Semaphore(SENT)
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
            settings = pipeline.settings.model_dump(mode="json")
            worker._send(_pack((settings, pipeline.decisions)))
        except OSError:
            return None
        return worker

    def submit(self, message: bytes) -> Request:
        """Queue a message."""
        sent = self._sender.submit(self._send_in_turn, message)
        request = Request(sent, self._receiver.submit(self._answer, sent))
        self._asked.append(request)
        return request

    @property
    def asked(self) -> int:
        """The number of messages without an answer yet."""
        self._asked = [request for request in self._asked if not request.is_answered]
        return len(self._asked)

    def receive(self) -> Any:
        """Wait for an answer and return it."""
        assert self._process.stdout is not None
        return pickle.load(self._process.stdout)

    def _answer(self, sent: Future[None]) -> Any:
        try:
            sent.result()
            return self.receive() if self.is_alive else None
        except CancelledError:  # it was withdrawn
            return None
        except Exception:
            self.is_alive = False
            self.stop()
            return None
        finally:
            if not sent.cancelled():
                self._free.release()

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

    def _send_in_turn(self, message: bytes) -> None:
        """Send a message when the process has answered enough of the others."""
        self._free.acquire()
        self._send(message)

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
    """Start a process in a group of its own, which an interrupt at the terminal does not reach."""
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, bufsize=PIPE, stdin=pipe, stdout=pipe, pipesize=size, process_group=0
    )


def serve(identity: str, room: int) -> None:
    """Run as a worker: answer messages from standard input until it is closed.

    Exits at once if its plugins are not those of the parent.
    """
    from writeros_entities.plugins import load_plugins
    from writeros_entities.settings import Settings

    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a plugin's prints must not mix with the answers
    given, decisions = pickle.load(sys.stdin.buffer)
    settings = Settings(**given)
    pipeline = Pipeline(load_plugins(settings), settings, decisions)
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


class Stages:
    """The stages of one pipeline, by batch; used by workers and by this process alike.

    A note drafted here is not parsed again later, if there was `room` to cache it.
    """

    def __init__(self, pipeline: Pipeline, room: int) -> None:
        self._pipeline = pipeline
        self._parsed = ParsedNotes(room)
        self._names: VaultLexicon | None = None

    def draft(self, batch: Sequence[FileToRead]) -> list[Drafted]:
        """Draft a batch of files."""
        return self._pipeline.draft(batch, self._parsed)

    def find_topics(self, batch: Sequence[StoredNote]) -> list[FoundTopics | None]:
        """Find the topics of a batch of notes."""
        return [self._pipeline.find_topics(note, self._parsed) for note in batch]

    def learn(self, names: VaultLexicon) -> None:
        """Set the names that `detect` looks for."""
        self._names = names

    def detect(self, batch: Sequence[DetectionJob]) -> list[Detected | None]:
        """Detect the mentions in a batch of notes."""
        assert self._names is not None, "learn comes before detect"
        return self._pipeline.detect(batch, self._names, self._parsed)
