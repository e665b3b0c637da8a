"""Work beside a watched vault: when nothing has changed for a while, at a lower priority."""

from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from writeros_entities.workspace import Workspace


@dataclass
class BackgroundThread(ABC):
    """A thread that works whenever it was woken and left alone for `quiet_seconds`.

    `on_trouble` hears of what fails, once for each different trouble.
    """

    name: ClassVar[str]
    lower_priority: ClassVar[int]
    """By how much the thread steps back, where threads have a priority."""

    ends_soon: ClassVar[bool] = True
    """Whether its work hears soon that it is to stop, so that `stop` waits for it."""

    workspace: Workspace
    on_trouble: Callable[[Exception], None]
    quiet_seconds: float
    _work: threading.Event = field(default_factory=threading.Event, init=False)
    _stop: threading.Event = field(default_factory=threading.Event, init=False)
    _thread: threading.Thread | None = field(default=None, init=False)
    _told: str | None = field(default=None, init=False)

    @abstractmethod
    def is_wanted(self) -> bool:
        """Say whether there can be work at all."""

    @abstractmethod
    def work(self) -> Exception | None:
        """Do what there is to do; return what is wrong, which is told, as is what it raises."""

    @property
    def is_stopped(self) -> bool:
        """Say whether the thread is to end."""
        return self._stop.is_set()

    def start(self) -> None:
        """Start the thread, if it is wanted."""
        if self.is_wanted():
            self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
            self._thread.start()

    def wake(self) -> None:
        """Say that the index has changed, or is at rest again."""
        self._work.set()

    def stop(self) -> None:
        """End the thread: after the step that it is at, or at the end of its work unheeded."""
        self._stop.set()
        self._work.set()
        if self._thread is not None and self.ends_soon:
            self._thread.join()

    def _run(self) -> None:
        with suppress(AttributeError, OSError):  # a thread's own priority is a matter of Linux
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), self.lower_priority)
        while True:
            self._work.wait()
            self._work.clear()
            while not self.is_stopped and self._work.wait(self.quiet_seconds):
                self._work.clear()
            if self.is_stopped:
                return
            try:
                self._tell(self.work())
            except Exception as error:
                self._tell(error)

    def _tell(self, trouble: Exception | None) -> None:
        text = str(trouble) if trouble is not None else None
        if trouble is not None and text != self._told:
            self.on_trouble(trouble)
        self._told = text
