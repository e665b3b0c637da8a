"""Reading and detecting notes for a sync, by this process and by workers beside it.

    workers = Workers(pipeline, count=1)
    for batch in workers.draft(batches): ...
    workers.learn(lexicon, entity_ids)
    for batch in workers.detect(batches): ...
    workers.close()

This process also writes. Whenever it would have to wait for a worker, it works on a batch itself.
If a worker cannot be started or dies, its batches are done here too.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Generic, TypeVar

from writeros_entities.sync.drafting.parsed import ROOM
from writeros_entities.sync.stages import Stages
from writeros_entities.sync.worker import AHEAD, Worker, message

if TYPE_CHECKING:
    from concurrent.futures import Future

    from writeros_entities.sync.drafting.pipeline import (
        Detected,
        DetectionJob,
        Drafted,
        FileToRead,
        Pipeline,
    )
    from writeros_entities.values import Lexicon

T = TypeVar("T")
Result = TypeVar("Result")

MUCH_TEXT = 1_000_000
"""Below this many bytes, starting processes takes longer than they save."""

MOST = 8
"""Most workers: the writer cannot keep up with more."""


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
    return min(MOST, (cores or 1) - 1)


class Workers:
    """Runs the stages of a pipeline in this process, and in `count` others.

    Results come in the order of the batches. A note is detected where it was drafted, if there is
    room: it need not be parsed again there.
    """

    def __init__(self, pipeline: Pipeline, count: int) -> None:
        self.count = count
        room = ROOM // (count + 1)
        self._here = Stages(pipeline, room)
        self._drafters: dict[str, Worker | None] = {}
        started = (Worker.start(pipeline, room) for _ in range(count))
        self._workers = [worker for worker in started if worker is not None]

    def draft(self, batches: Iterable[Sequence[FileToRead]]) -> Iterator[list[Drafted]]:
        """Draft files; yield for each a draft, a diagnostic, or None."""

        def choose(batch: Sequence[FileToRead]) -> Worker | None:
            worker = self._least_busy()
            self._drafters.update((file.path, worker) for file, _ in batch)
            return worker

        return self._run("draft", self._here.draft, batches, choose)

    def learn(self, lexicon: Lexicon, entity_ids: Mapping[str, int]) -> None:
        """Set the names that `detect` looks for."""
        self._here.learn(lexicon, entity_ids)
        if self._workers:
            lesson = message("learn", lexicon, dict(entity_ids))
            for worker in self._workers:
                worker.submit(lesson)

    def detect(self, batches: Iterable[Sequence[DetectionJob]]) -> Iterator[list[Detected | None]]:
        """Detect mentions; yield None for a note whose file has changed since."""

        def choose(batch: Sequence[DetectionJob]) -> Worker | None:
            free = self._least_busy()
            drafter = self._drafters.get(batch[0].path, free) if batch else None
            if drafter is not None:
                return drafter if drafter.has_room else free
            return free if free is not None and not free.asked else None

        return self._run("detect", self._here.detect, batches, choose)

    def close(self) -> None:
        """End the worker processes."""
        for worker in self._workers:
            worker.stop()
        for worker in self._workers:
            worker.close()

    def _least_busy(self) -> Worker | None:
        """Return the worker that has been asked for least, if any has room for a batch."""
        free = [worker for worker in self._workers if worker.has_room]
        return min(free, key=attrgetter("asked"), default=None)

    def _run(
        self,
        stage: str,
        here: Callable[[Sequence[T]], Result],
        batches: Iterable[Sequence[T]],
        choose: Callable[[Sequence[T]], Worker | None],
    ) -> Iterator[Result]:
        """Yield the results of batches, each done by the worker that `choose` returns, or here.

        At most one batch waits to be done here. It is done when the next result is not there yet.
        """
        most = (AHEAD + 1) * (len(self._workers) + 1)
        tasks: deque[_Task[T, Result]] = deque()
        own: _Task[T, Result] | None = None
        batches = iter(batches)
        upcoming = next(batches, None)
        while tasks or upcoming is not None:
            while upcoming is not None and own is None and len(tasks) < most:
                worker = choose(upcoming)
                answer = None if worker is None else worker.submit(message(stage, upcoming))
                tasks.append(_Task(here, upcoming, answer))
                own = tasks[-1] if worker is None else None
                upcoming = next(batches, None)
            if own is not None and not tasks[0].is_done:
                own.work()
                own = None
            else:
                yield tasks.popleft().take()


class _Task(Generic[T, Result]):
    """A batch that a worker was asked for, or that is done in this process."""

    def __init__(
        self,
        here: Callable[[Sequence[T]], Result],
        batch: Sequence[T],
        answer: Future[tuple[Result] | None] | None = None,
    ) -> None:
        self._here = here
        self._batch = batch
        self._answer = answer
        self._result: tuple[Result] | None = None

    @property
    def is_done(self) -> bool:
        """Whether the result is there."""
        return self._result is not None or (self._answer is not None and self._answer.done())

    def work(self) -> None:
        """Do it in this process; an error of the batch itself is raised."""
        self._result = (self._here(self._batch),)

    def take(self) -> Result:
        """Wait for the result; if the worker failed, do it in this process."""
        if self._result is None and self._answer is not None:
            self._result = self._answer.result()
        if self._result is None:
            self.work()
        assert self._result is not None
        return self._result[0]
