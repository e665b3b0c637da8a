"""The state of a running MCP server: its workspace, the calls under way, and their progress.

Each call runs in a thread of its own. A few calls may run at once; one that takes a moment leaves
its place to the next, and goes on among the long ones. A call ends when its time is over, or when
its client gives it up.
"""

from __future__ import annotations

import contextvars
import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

import anyio
import anyio.from_thread
import anyio.lowlevel
import anyio.to_thread
from typing_extensions import TypeVar

from writeros_entities.errors import LimitError
from writeros_entities.store.interruption import InterruptedCallError, Interruption

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from anyio.lowlevel import EventLoopToken
    from mcp.server.session import ServerSession

    from writeros_entities.session import Session
    from writeros_entities.surfaces.upkeep import Look

logger = logging.getLogger(__name__)

PROGRESS_SECONDS = 0.1
"""Least time between progress notifications."""

SHORT_SECONDS = 0.25
"""How long a call keeps its place from others."""

GRACE_SECONDS = 1.0
"""How long the client of a call that was ended waits for the call to notice."""

WAITING_SECONDS = 30.0
"""How long a call waits for a place."""

CLOSING_SECONDS = 3.0
"""How long a server that stops waits for its calls to notice."""

T = TypeVar("T", default=Any)


class SharedWorkspace:
    """A workspace that is opened by the first call, since listing tools does not need it.

    `on_opened` is called then.
    """

    def __init__(
        self,
        opener: Callable[[], AbstractContextManager[Session]],
        on_opened: Callable[[Session], None] = lambda session: None,
    ) -> None:
        self._opener = opener
        self._on_opened = on_opened
        self._opened: Session | None = None
        self._lock = threading.Lock()
        self._stack = ExitStack()

    def close(self) -> None:
        """Close the workspace, if it was opened."""
        self._stack.close()

    async def get(self) -> Session:
        """Return the workspace, opening it if necessary."""
        if self._opened is not None:
            return self._opened
        return await anyio.to_thread.run_sync(self.open)

    def open(self) -> Session:
        """Return the workspace, opening it if necessary; thread-safe, but may take a while."""
        with self._lock:
            if self._opened is None:
                self._opened = self._stack.enter_context(self._opener())
                self._on_opened(self._opened)
            return self._opened


class Call(Generic[T]):
    """Some work for a client, in a thread of its own."""

    def __init__(self, name: str, work: Callable[[Interruption], T], *, writes: bool) -> None:
        self.name = name
        self.writes = writes
        self.interruption = Interruption()
        self._work = work
        self._result: T | None = None
        self._error: BaseException | None = None
        self.is_done = anyio.Event()
        self._token = anyio.lowlevel.current_token()

    def start(self, at_end: Callable[[Call[T]], None]) -> None:
        """Begin to work; `at_end` is called in the event loop."""
        context = contextvars.copy_context()
        arguments = (self._run, at_end)
        # A daemon, since work that does not notice its end must not keep the process alive.
        threading.Thread(target=context.run, args=arguments, name=self.name, daemon=True).start()

    def end(self) -> None:
        """End the work, unless it has ended."""
        if not self.is_done.is_set():
            self.interruption.set()

    async def result(self) -> T:
        """Wait for the work's end, and return its result or raise its error."""
        await self.is_done.wait()
        if self._error is not None:
            raise self._error
        return self._result  # type: ignore[return-value]  # without an error there is one

    def _run(self, at_end: Callable[[Call[T]], None]) -> None:
        try:
            self._result = self._work(self.interruption)
        except BaseException as error:
            self._error = error

        def tell() -> None:
            self.is_done.set()
            at_end(self)

        with suppress(anyio.RunFinishedError):
            anyio.from_thread.run_sync(tell, token=self._token)


class Places:
    """Who may run: `short` calls at once, and as many `long` ones that have run for a moment.

    A call that finds no place waits, unless there wait `waiting` already. One place of the short
    ones is not for calls that write, as these wait for each other.
    """

    def __init__(self, short: int, long: int, waiting: int) -> None:
        self._most_short, self._most_long, self._most_waiting = short, long, waiting
        self._most_writing = max(short - 1, 1)
        self._short: set[Call] = set()
        self._long: set[Call] = set()
        self._overdue: deque[Call] = deque()
        self._waiting: dict[Call, anyio.Event] = {}

    @property
    def is_busy(self) -> bool:
        """Whether a call runs that may be a short one."""
        return bool(self._short)

    @property
    def taken(self) -> list[Call]:
        """The calls that run."""
        return [*self._short, *self._long]

    async def take(self, call: Call) -> None:
        """Wait for a place; raise LimitError if too many wait, or for too long."""
        turn = self._waiting[call] = anyio.Event()
        self._assign()
        try:
            if not turn.is_set() and len(self._waiting) > self._most_waiting:
                raise self._refusal()
            with anyio.fail_after(WAITING_SECONDS):
                await turn.wait()
        except BaseException as error:
            self.give_back(call)
            if isinstance(error, TimeoutError):
                raise self._refusal() from None
            raise

    def leave_to_others(self, call: Call) -> None:
        """Move a call to the long ones, at once or when one of them has ended."""
        self._overdue.append(call)
        self._assign()

    def give_back(self, call: Call) -> None:
        """Free the place of a call that has ended, or no longer waits."""
        self._waiting.pop(call, None)
        self._short.discard(call)
        self._long.discard(call)
        self._assign()

    def _assign(self) -> None:
        while self._overdue and len(self._long) < self._most_long:
            call = self._overdue.popleft()
            if call in self._short:
                self._short.discard(call)
                self._long.add(call)
        writing = sum(call.writes for call in self.taken)
        for call, turn in list(self._waiting.items()):
            if len(self._short) >= self._most_short:
                return
            if call.writes and writing >= self._most_writing:
                continue
            writing += call.writes
            del self._waiting[call]
            self._short.add(call)
            turn.set()

    def _refusal(self) -> LimitError:
        return LimitError(
            f"The server is busy (calls under way: {len(self.taken)}). Try again in a moment, and "
            "make fewer calls at a time."
        )


@dataclass(frozen=True, slots=True)
class Serving:
    """One run of a server."""

    workspace: SharedWorkspace
    places: Places
    look: Look | None = None

    async def run(
        self,
        name: str,
        work: Callable[[Session], T],
        *,
        advice: str = "",
        writes: bool = False,
        progress: ServerSession | None = None,
        may_last: bool = False,
    ) -> T:
        """Run `work` in a thread, with the workspace, and return its result.

        Raises LimitError, with the `advice`, if that takes longer than the settings allow; if it
        `may_last`, or with a client that hears of the `progress`, it may take any time. If this is
        cancelled, the work is ended.
        """
        session = await self.workspace.get()
        token = anyio.lowlevel.current_token()

        def run(interruption: Interruption) -> T:
            served = session.served(interruption)
            if progress is not None:
                served = served.reporting(SessionProgress(progress, interruption, token))
            return work(served)

        call = Call(name, run, writes=writes)
        await self.places.take(call)
        call.start(self.places.give_back)
        is_patient = may_last or progress is not None
        limit = 0.0 if is_patient else session.settings.call_seconds
        try:
            with anyio.move_on_after(limit or None):
                with anyio.move_on_after(SHORT_SECONDS):
                    return await call.result()
                self.places.leave_to_others(call)
                return await call.result()
            call.end()
            with suppress(InterruptedCallError), anyio.move_on_after(GRACE_SECONDS):
                return await call.result()
            self.places.leave_to_others(call)
        except InterruptedCallError:
            raise LimitError("The server is stopping.") from None
        finally:
            call.end()
        logger.warning("%s was stopped after %g seconds.", name, limit)
        await anyio.lowlevel.checkpoint()  # the client hears of it before its answer
        raise LimitError(f"{name} took longer than {limit:g} seconds and was stopped. {advice}")

    async def close(self) -> None:
        """End all calls, and wait shortly for those that notice."""
        for call in self.places.taken:
            call.end()
        with anyio.move_on_after(CLOSING_SECONDS, shield=True):
            for call in self.places.taken:
                await call.is_done.wait()


class SessionProgress:
    """Sends progress from a worker thread to the client, if it asked for progress.

    The protocol requires a number that only grows, so the steps of later stages are added to those
    of earlier ones. A call that was ended stops at its next update.
    """

    def __init__(
        self, session: ServerSession, interruption: Interruption, token: EventLoopToken
    ) -> None:
        self._session = session
        self._interruption = interruption
        self._token = token
        self._stage: str | None = None
        self._before = 0
        self._done = 0
        self._sent = -1
        self._sent_at = 0.0

    def update(self, stage: str, done: int, total: int | None) -> None:
        """Notify the client, unless it was notified less than `PROGRESS_SECONDS` ago."""
        self._interruption.check()
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
        anyio.from_thread.run(
            self._session.report_progress, steps, expected, stage, token=self._token
        )
