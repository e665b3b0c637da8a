"""Reading and detecting notes for a sync, by this process and by workers beside it.

    workers = Workers(pipeline, count=1)
    for batch in workers.draft(batches): ...
    topics = workers.find_topics(batches)
    workers.learn(names)
    for batch in workers.detect(batches): ...
    workers.close()

This process also writes. Whenever it would have to wait for a worker, it takes back a batch that
the worker has not begun, and does it itself. If a worker cannot be started or dies, its batches are
done here too.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Generic, TypeVar

from writeros_entities.sync.drafting.files import ROOM
from writeros_entities.sync.worker import Stages, Worker, message

if TYPE_CHECKING:
    from writeros_entities.store.compiled import VaultLexicon
    from writeros_entities.sync.drafting.detector import Detected, DetectionJob
    from writeros_entities.sync.drafting.files import StoredNote
    from writeros_entities.sync.drafting.pipeline import (
        Drafted,
        FileToRead,
        FoundTopics,
        Pipeline,
    )
    from writeros_entities.sync.worker import Request

T = TypeVar("T")
Result = TypeVar("Result")

AHEAD = 10
"""Most batches for each process that have been begun or queued, and not been written: enough for
workers to have work while this process writes.
"""

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

    A note goes through all stages where it was drafted, if there is room: it need not be parsed
    again there.
    """

    def __init__(self, pipeline: Pipeline, count: int) -> None:
        self.count = count
        room = ROOM // (count + 1)
        self._here = Stages(pipeline, room)
        self._drafters: dict[str, Worker | None] = {}
        started = (Worker.start(pipeline, room) for _ in range(count))
        self._workers = [worker for worker in started if worker is not None]

    def draft(self, batches: Iterable[Sequence[FileToRead]]) -> Iterator[list[Drafted]]:
        """Draft files, in order; yield for each a draft, a diagnostic, or None."""
        tasks = self._run("draft", self._here.draft, batches, lambda _: self._least_busy())
        for task in tasks:
            drafts = task.take()
            self._drafters.update((file.path, task.worker) for file, _ in task.batch)
            yield drafts

    def find_topics(
        self, batches: Iterable[Sequence[StoredNote]]
    ) -> Iterator[list[FoundTopics | None]]:
        """Have workers begin to find topics; return an iterator over what is found, in any order.

        What no worker has begun when it is asked for is done here. Workers begin with what they
        drafted, this process with what was drafted here.
        """
        asked: list[tuple[Worker | None, Sequence[StoredNote]]] = [
            (self._drafters.get(batch[0].path), batch) for batch in batches if batch
        ]
        asked.sort(key=lambda one: one[0] is None)
        tasks = [
            self._ask("find_topics", self._here.find_topics, batch, drafter or self._least_busy())
            for drafter, batch in asked
        ]
        return _from_last(tasks)

    def learn(self, names: VaultLexicon) -> None:
        """Set the names that `detect` looks for."""
        self._here.learn(names)
        if self._workers:
            lesson = message("learn", names)
            for worker in self._workers:
                worker.submit(lesson)

    def detect(self, batches: Iterable[Sequence[DetectionJob]]) -> Iterator[list[Detected | None]]:
        """Detect mentions; yield None for a note whose file has changed since."""

        def choose(batch: Sequence[DetectionJob]) -> Worker | None:
            free = self._least_busy()
            drafter = self._drafters.get(batch[0].note.path, free) if batch else None
            if drafter is not None:
                return drafter if drafter.is_alive else free
            return free if free is not None and not free.asked else None

        tasks = self._run("detect", self._here.detect, batches, choose)
        return (task.take() for task in tasks)

    def close(self) -> None:
        """End the worker processes."""
        for worker in self._workers:
            worker.stop()
        for worker in self._workers:
            worker.close()

    def _least_busy(self) -> Worker | None:
        """Return the worker that has been asked for least, if any is alive."""
        alive = [worker for worker in self._workers if worker.is_alive]
        return min(alive, key=attrgetter("asked"), default=None)

    def _run(
        self,
        stage: str,
        here: Callable[[Sequence[T]], Result],
        batches: Iterable[Sequence[T]],
        choose: Callable[[Sequence[T]], Worker | None],
    ) -> Iterator[_Task[T, Result]]:
        """Yield a task for each batch, when it is done or nothing can be done but wait for it.

        `choose` returns the worker that is asked for a batch; None means that it is done here.
        """
        most = AHEAD * (len(self._workers) + 1)
        tasks: deque[_Task[T, Result]] = deque()
        batches = iter(batches)
        upcoming = next(batches, None)
        while tasks or upcoming is not None:
            while upcoming is not None and len(tasks) < most:
                tasks.append(self._ask(stage, here, upcoming, choose(upcoming)))
                upcoming = next(batches, None)
            if tasks[0].is_done or not self._work(tasks):
                yield tasks.popleft()

    def _ask(
        self,
        stage: str,
        here: Callable[[Sequence[T]], Result],
        batch: Sequence[T],
        worker: Worker | None,
    ) -> _Task[T, Result]:
        """Ask a worker for a batch; None means that it is done here."""
        request = None if worker is None else worker.submit(message(stage, batch))
        return _Task(here, batch, worker, request)

    def _work(self, tasks: Iterable[_Task[T, Result]]) -> bool:
        """Do the first task that is to be done here, or else that no worker has begun, if any."""
        undone = [task for task in tasks if not task.is_done]
        own = (task for task in undone if task.worker is None)
        task = next(own, None) or next((task for task in undone if task.take_back()), None)
        if task is None:
            return False
        task.work()
        return True


class _Task(Generic[T, Result]):
    """A batch that a worker was asked for, or that is done in this process."""

    def __init__(
        self,
        here: Callable[[Sequence[T]], Result],
        batch: Sequence[T],
        worker: Worker | None,
        request: Request | None,
    ) -> None:
        self.batch = batch
        self.worker = worker
        self._here = here
        self._request = request
        self._result: tuple[Result] | None = None

    @property
    def is_done(self) -> bool:
        """Whether the result is there, or the worker has failed."""
        return self._result is not None or (self._request is not None and self._request.is_answered)

    def take_back(self) -> bool:
        """Say whether the worker has not begun it, and then never will."""
        return self._request is not None and self._request.withdraw()

    def work(self) -> None:
        """Do it in this process; an error of the batch itself is raised."""
        self.worker = self._request = None
        self._result = (self._here(self.batch),)

    def take(self) -> Result:
        """Wait for the result; if the worker failed, do it in this process."""
        if self._result is None and self._request is not None:
            self._result = self._request.answer()
        if self._result is None:
            self.work()
        assert self._result is not None
        return self._result[0]


def _from_last(tasks: list[_Task[T, Result]]) -> Iterator[Result]:
    """Yield the results of tasks, from the last to the first: workers do those in front first."""
    while tasks:
        task = tasks.pop()
        if task.take_back():
            task.work()
        yield task.take()
