"""What one running MCP server holds: the workspace, the threads that use it, and their progress."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from types import TracebackType

    from mcp.server.session import ServerSession

    from writeros_entities.session import Session

PROGRESS_SECONDS = 0.1
"""Progress notifications are this far apart at least."""

T = TypeVar("T")


class SharedWorkspace:
    """A workspace that the first call opens, since listing what a server offers needs none."""

    def __init__(self, opener: Callable[[], AbstractContextManager[Session]]) -> None:
        self._opener = opener
        self._opened: Session | None = None
        self._lock = threading.Lock()
        self._stack = ExitStack()

    def __enter__(self) -> SharedWorkspace:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stack.close()

    def get(self) -> Session:
        """Return the workspace, opened by the first thread that asks."""
        with self._lock:
            if self._opened is None:
                self._opened = self._stack.enter_context(self._opener()).served(_end_if_given_up)
            return self._opened


def _end_if_given_up() -> None:
    """End the call of this worker thread, if its client has given it up."""
    with suppress(anyio.NoEventLoopError):  # a thread that a capability has started
        anyio.from_thread.check_cancelled()


@dataclass(frozen=True, slots=True)
class Serving:
    """One run of a server.

    `writers` leaves a thread to those who only ask: writers wait for each other, and for others.
    """

    workspace: SharedWorkspace
    limiter: anyio.CapacityLimiter
    writers: anyio.CapacityLimiter

    async def in_thread(self, work: Callable[[Callable[[], Session]], T]) -> T:
        """Run work in one of the few worker threads; it is given how to get the workspace."""
        return await anyio.to_thread.run_sync(work, self.workspace.get, limiter=self.limiter)

    async def wait_for_threads(self) -> None:
        """Return when no worker thread is at work any more, so that the workspace can be closed."""
        with anyio.CancelScope(shield=True):
            for place in range(int(self.limiter.total_tokens)):
                await self.limiter.acquire_on_behalf_of(place)


class SessionProgress:
    """Sends progress from a worker thread to the client that asked for it, if it asked.

    The protocol wants one number that only grows, so the steps of later stages are added to those
    of earlier ones. A call that the client has given up ends at its next update.
    """

    def __init__(self, session: ServerSession) -> None:
        self._session = session
        self._stage: str | None = None
        self._before = 0
        self._done = 0
        self._sent = -1
        self._sent_at = 0.0

    def update(self, stage: str, done: int, total: int | None) -> None:
        """Notify the client, unless it was notified a moment ago."""
        anyio.from_thread.check_cancelled()
        if stage != self._stage:
            self._stage, self._before = stage, self._before + self._done
        self._done = done
        steps = self._before + done
        is_stage_over = done == total
        moment = time.monotonic()
        if steps <= self._sent or (moment - self._sent_at < PROGRESS_SECONDS and not is_stage_over):
            return
        self._sent, self._sent_at = steps, moment
        expected = None if total is None else self._before + total
        anyio.from_thread.run(self._session.report_progress, steps, expected, stage)
