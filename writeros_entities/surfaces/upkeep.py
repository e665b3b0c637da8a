"""The index of a served vault: kept up to date, or else how far it lags is known.

Either has a thread of its own, which ends with the server.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from writeros_entities.capabilities.answers import counted
from writeros_entities.errors import WriterosError
from writeros_entities.progress import SilentProgress
from writeros_entities.store.interruption import InterruptedCallError

if TYPE_CHECKING:
    from writeros_entities.progress import Progress
    from writeros_entities.session import Session
    from writeros_entities.sync.freshness import Lag

logger = logging.getLogger(__name__)

LOOK_SECONDS = 5.0
"""Least time between two looks at all files."""

SHARE = 50
"""A look that takes a second is followed by another so many seconds later."""

PAUSE_SECONDS = 0.01
"""How often a look that pauses asks whether it may go on."""

RETRY_SECONDS = 5.0
"""Delay before another attempt to watch a vault that cannot be read, or is written by another."""

ALIVE_SECONDS = 1.0
"""How often to ask whether a watch could begin."""

STOP_SECONDS = 3.0
"""How long to wait for the end of a watch, or of a look."""


class Look:
    """Looks every now and then how many notes have changed since the last sync.

    It waits whenever `is_busy`, so that it delays no answer.
    """

    def __init__(self, is_busy: Callable[[], bool]) -> None:
        self._is_busy = is_busy
        self._stopped = threading.Event()
        self._found: tuple[Session, Lag] | None = None
        self._thread: threading.Thread | None = None

    def begin(self, session: Session) -> None:
        """Begin to look."""
        self._thread = threading.Thread(target=self._run, args=[session], name="look", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop looking, so that the session can be closed."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join(STOP_SECONDS)

    def notice(self) -> str | None:
        """Return a line on notes that have changed, as far as is known, or None."""
        if self._found is None:
            return None
        session, lag = self._found
        if not lag.notes or session.revision() != lag.revision:
            return None
        return f"(changed since the last sync: {counted(lag.notes, 'note')})"

    def _run(self, session: Session) -> None:
        wait = 0.0
        while not self._stopped.wait(wait):
            began = time.thread_time()
            try:
                self._found = session, session.measure_lag(self._pause)
            except (WriterosError, OSError):
                self._found = None
            except InterruptedCallError:
                return
            wait = max(LOOK_SECONDS, SHARE * (time.thread_time() - began))

    def _pause(self) -> None:
        while self._is_busy() and not self._stopped.wait(PAUSE_SECONDS):
            pass
        if self._stopped.is_set():
            raise InterruptedCallError


class Watch:
    """Keeps the index up to date; where it cannot, it says so in the log and tries again.

    `progress` hears how far its first sync, and the reading of sentences after it, have come.
    """

    def __init__(
        self,
        open_session: Callable[[], Session],
        on_revision: Callable[[], None],
        progress: Progress | None = None,
    ) -> None:
        self._open = open_session
        self._on_revision = on_revision
        self._progress = progress or SilentProgress()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="upkeep", daemon=True)

    def begin(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the note in hand."""
        self._stopped.set()
        self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        from writeros_entities.learning.watching import VaultWatch

        while not self._stopped.is_set():
            try:
                watch = VaultWatch(
                    self._open().reporting(self._progress),
                    on_trouble=self._report,
                    on_revision=self._on_revision,
                ).start()
                while not self._stopped.wait(ALIVE_SECONDS):
                    watch.wait(0)
                watch.stop()
                watch.wait(STOP_SECONDS)
            except WriterosError as error:
                self._report(error)
                self._stopped.wait(RETRY_SECONDS)

    def _report(self, error: Exception) -> None:
        logger.warning("%s", error)
