"""Ending a call from outside: its statements at once, its other work at the next check."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

AGAIN_SECONDS = (0.02, 5.0)
"""After how long a call that has not ended is told again, at first and at last."""


class InterruptedCallError(BaseException):
    """The call was ended; no `Exception`, so that nothing takes it for a plugin's own failure."""


class Interruption:
    """Lets another thread end a call; thread-safe.

    The lock is held while a statement is ended, so that the connection cannot meanwhile go to
    another call.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._is_set = threading.Event()
        self._running: set[Callable[[], None]] = set()

    @property
    def is_set(self) -> bool:
        """Whether the call was ended."""
        return self._is_set.is_set()

    def set(self) -> None:
        """End the call, from any thread; its statements are ended by one of their own.

        To tell a database's server so can take as long as connecting to it.
        """
        self._is_set.set()
        threading.Thread(target=self._end_statements, name="interruption", daemon=True).start()

    def _end_statements(self) -> None:
        """End statements until none can be running.

        Drivers end only what is running: a statement that was about to start is ended a moment
        later.
        """
        seconds, longest = AGAIN_SECONDS
        with self._changed:
            while self._running:
                for interrupt in self._running:
                    interrupt()
                self._changed.wait(seconds)
                seconds = min(2 * seconds, longest)

    def check(self) -> None:
        """Raise InterruptedCallError if the call was ended."""
        if self._is_set.is_set():
            raise InterruptedCallError

    @contextmanager
    def reaching(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """Let `interrupt` be called during the block, by the thread that ends the call."""
        with self._changed:
            self.check()
            self._running.add(interrupt)
        try:
            yield
        finally:
            with self._changed:
                self._running.discard(interrupt)
                self._changed.notify_all()
