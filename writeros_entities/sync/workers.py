"""Worker processes that read and detect notes for a sync, while this process writes.

    workers = Workers(pipeline, count=2)
    for batch in workers.draft(batches): ...
    workers.learn(lexicon, entity_ids)
    for batch in workers.detect(batches): ...
    workers.close()

A worker is a new interpreter with the same settings and plugins, and gives the same results as this
process. If a worker cannot be started or dies, its batches are done here. Workers are started as a
command rather than forked, which is safe with threads; and without importing the caller's main
module, so that a script without a `__main__` guard does not run twice.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from writeros_entities.sync.drafting.parsed import ROOM, ParsedNotes
from writeros_entities.sync.drafting.pipeline import Detected, DetectionJob, Pipeline

if TYPE_CHECKING:
    from writeros_entities.sync.drafting.pipeline import Drafted, FileToRead
    from writeros_entities.values import Lexicon

T = TypeVar("T")
Result = TypeVar("Result")

AHEAD = 3
"""Batches submitted per worker before the writer takes a result."""

MUCH_TEXT = 1_000_000
"""Below this many bytes, starting processes takes longer than they save."""

MOST = 8
"""Most workers: the writer cannot keep up with more."""

_PROGRAM = (
    "import sys; sys.path[:] = {path!r}; "
    "from writeros_entities.sync.workers import serve; serve({identity!r}, {room!r})"
)


def count_workers(pipeline: Pipeline, volume: int) -> int:
    """Return how many workers to start for this many bytes of notes; 0 to use this process alone.

    Plugins that were passed as objects cannot be loaded in another process.
    """
    given = any(info.distribution == "given" for info in pipeline.plugins.infos.values())
    if volume < MUCH_TEXT or given:
        return 0
    chosen = pipeline.settings.workers
    if chosen is not None:
        return chosen
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(MOST, cores or 1) if cores != 1 else 0


class Stages:
    """The stages of one pipeline, by batch; used by workers and by this process alike.

    A note drafted here is not parsed again for detection, if there was `room` to cache it.
    """

    def __init__(self, pipeline: Pipeline, room: int) -> None:
        self._pipeline = pipeline
        self._parsed = ParsedNotes(room)
        self._learnt: tuple[Lexicon, Mapping[str, int]] | None = None

    def draft(self, batch: Sequence[FileToRead]) -> list[Drafted]:
        """Draft a batch of files."""
        return self._pipeline.draft(batch, self._parsed)

    def learn(self, lexicon: Lexicon, entity_ids: Mapping[str, int]) -> None:
        """Set the names that `detect` looks for."""
        self._learnt = lexicon, entity_ids

    def detect(self, batch: Sequence[DetectionJob]) -> list[Detected | None]:
        """Detect the mentions in a batch of notes."""
        assert self._learnt is not None, "learn comes before detect"
        return [self._pipeline.detect(job, *self._learnt, self._parsed) for job in batch]


class Workers:
    """Runs the stages of a pipeline in `count` processes, or in this one if `count` is 0.

    Results come in the order of the batches. A note is detected by the worker that drafted it, if
    it is still running.
    """

    def __init__(self, pipeline: Pipeline, count: int) -> None:
        self.count = count
        room = ROOM // max(1, count)
        self._here = Stages(pipeline, room)
        self._drafters: dict[str, _Worker] = {}
        started = (_Worker.start(pipeline, room) for _ in range(count))
        self._workers = [worker for worker in started if worker is not None]

    def draft(self, batches: Iterable[Sequence[FileToRead]]) -> Iterator[list[Drafted]]:
        """Draft files; yield for each a draft, a diagnostic, or None."""

        def choose(batch: Sequence[FileToRead]) -> _Worker | None:
            worker = self._least_busy()
            if worker is not None:
                self._drafters.update((file.path, worker) for file, _ in batch)
            return worker

        return self._run("draft", self._here.draft, batches, choose)

    def learn(self, lexicon: Lexicon, entity_ids: Mapping[str, int]) -> None:
        """Set the names that `detect` looks for."""
        self._here.learn(lexicon, entity_ids)
        if self._workers:
            lesson = _pack(("learn", (lexicon, dict(entity_ids))))
            for worker in self._workers:
                worker.submit(lesson)

    def detect(self, batches: Iterable[Sequence[DetectionJob]]) -> Iterator[list[Detected | None]]:
        """Detect mentions; yield None for a note whose file has changed since."""

        def choose(batch: Sequence[DetectionJob]) -> _Worker | None:
            drafter = self._drafters.get(batch[0].path) if batch else None
            return drafter if drafter is not None and drafter.is_alive else self._least_busy()

        return self._run("detect", self._here.detect, batches, choose)

    def close(self) -> None:
        """End the worker processes."""
        for worker in self._workers:
            worker.stop()
        for worker in self._workers:
            worker.close()

    def _least_busy(self) -> _Worker | None:
        alive = [worker for worker in self._workers if worker.is_alive]
        return min(alive, key=_Worker.count_asked, default=None)

    def _run(
        self,
        stage: str,
        here: Callable[[Sequence[T]], Result],
        batches: Iterable[Sequence[T]],
        choose: Callable[[Sequence[T]], _Worker | None],
    ) -> Iterator[Result]:
        waiting: deque[tuple[Sequence[T], Future[tuple[Result] | None] | None]] = deque()
        for batch in batches:
            worker = choose(batch)
            answer = None if worker is None else worker.submit(_pack((stage, (batch,))))
            waiting.append((batch, answer))
            if len(waiting) > AHEAD * len(self._workers):
                yield self._take(here, *waiting.popleft())
        while waiting:
            yield self._take(here, *waiting.popleft())

    @staticmethod
    def _take(
        here: Callable[[Sequence[T]], Result],
        batch: Sequence[T],
        answer: Future[tuple[Result] | None] | None,
    ) -> Result:
        """Return a worker's result, or run the batch here if the worker failed.

        An error of the batch itself is then raised here.
        """
        result = None if answer is None else answer.result()
        return here(batch) if result is None else result[0]


class _Worker:
    """One process and the pipes to it; its own thread sends one message at a time."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.is_alive = True
        self._process = process
        self._asked: list[Future[Any]] = []
        self._thread = ThreadPoolExecutor(1, "worker")

    @classmethod
    def start(cls, pipeline: Pipeline, room: int) -> _Worker | None:
        """Start a process, or return None if the system does not allow it."""
        if not sys.executable:
            return None
        program = _PROGRAM.format(path=sys.path, identity=pipeline.identity, room=room)
        flags = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]  # as multiprocessing does
        try:
            process = subprocess.Popen(
                [sys.executable, *flags, "-c", program],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
            worker = cls(process)
            worker._send(_pack(pipeline.settings.model_dump(mode="json")))
        except OSError:
            return None
        return worker

    def submit(self, message: bytes) -> Future[Any]:
        """Queue a message; the future holds the result in a tuple, or None if it failed."""
        answer = self._thread.submit(self._answer, message)
        self._asked.append(answer)
        return answer

    def count_asked(self) -> int:
        """Return the number of messages without an answer yet."""
        self._asked = [answer for answer in self._asked if not answer.done()]
        return len(self._asked)

    def ask(self, message: bytes) -> Any:
        """Send a message and return the answer."""
        self._send(message)
        assert self._process.stdout is not None
        return pickle.load(self._process.stdout)

    def _answer(self, message: bytes) -> Any:
        try:
            return self.ask(message) if self.is_alive else None
        except Exception:
            self.is_alive = False
            self.stop()
            return None

    def stop(self) -> None:
        """Kill the process; it holds no state that could be lost."""
        self._process.kill()

    def close(self) -> None:
        """Wait for the process to end, and close its pipes."""
        self._thread.shutdown(cancel_futures=True)
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
    while True:
        gc.collect()
        gc.freeze()  # exempt what is here now from further collections
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
