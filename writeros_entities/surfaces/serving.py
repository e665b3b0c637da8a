"""The state of a running MCP server: its workspace, worker threads, and progress notifications."""

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

    from mcp.server.session import ServerSession

    from writeros_entities.session import Session

PROGRESS_SECONDS = 0.1
"""Least time between progress notifications."""

T = TypeVar("T")


class SharedWorkspace:
    """A workspace that is opened by the first call, since listing tools does not need it."""

    def __init__(self, opener: Callable[[], AbstractContextManager[Session]]) -> None:
        self._opener = opener
        self._opened: Session | None = None
        self._lock = threading.Lock()
        self._stack = ExitStack()

    def close(self) -> None:
        """Close the workspace, if it was opened."""
        self._stack.close()

    def get(self) -> Session:
        """Return the workspace, opening it if necessary; thread-safe."""
        with self._lock:
            if self._opened is None:
                self._opened = self._stack.enter_context(self._opener()).served(_end_if_given_up)
            return self._opened


def _end_if_given_up() -> None:
    """Raise an exception in this worker thread if its client has cancelled the call."""
    with suppress(anyio.NoEventLoopError):  # in a thread started by a capability
        anyio.from_thread.check_cancelled()


@dataclass(frozen=True, slots=True)
class Serving:
    """One run of a server.

    `writers` allows one thread less than `limiter`, so that calls that wait to write leave one for
    reads.
    """

    workspace: SharedWorkspace
    limiter: anyio.CapacityLimiter
    writers: anyio.CapacityLimiter

    async def in_thread(self, work: Callable[[Callable[[], Session]], T]) -> T:
        """Run `work` in a worker thread, passing it the function that opens the workspace."""
        return await anyio.to_thread.run_sync(work, self.workspace.get, limiter=self.limiter)

    async def wait_for_threads(self) -> None:
        """Wait until no worker thread is active, so that the workspace can be closed."""
        with anyio.CancelScope(shield=True):
            for place in range(int(self.limiter.total_tokens)):
                await self.limiter.acquire_on_behalf_of(place)


class SessionProgress:
    """Sends progress from a worker thread to the client, if it asked for progress.

    The protocol requires a number that only grows, so the steps of later stages are added to those
    of earlier ones. A cancelled call ends at its next update.
    """

    def __init__(self, session: ServerSession) -> None:
        self._session = session
        self._stage: str | None = None
        self._before = 0
        self._done = 0
        self._sent = -1
        self._sent_at = 0.0

    def update(self, stage: str, done: int, total: int | None) -> None:
        """Notify the client, unless it was notified less than `PROGRESS_SECONDS` ago."""
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
