"""Ending a program that runs until it is told to: soon, even if its threads get no time to end."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)

STOP_SECONDS = 4.0
"""How long a program that was told to stop may take."""


def stop_soon() -> None:
    """End the process in `STOP_SECONDS` at the latest.

    The index bears it: what was being written is undone, and done again by the next sync.
    """
    timer = threading.Timer(STOP_SECONDS, os._exit, [0])
    timer.daemon = True
    timer.start()


@contextmanager
def stopped_by_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` at Ctrl-C or SIGTERM during the block, in the main thread, and end soon."""

    def handle(number: int, frame: FrameType | None) -> None:
        stop_soon()
        stop()

    former = {one: signal.signal(one, handle) for one in SIGNALS}
    try:
        yield
    finally:
        for one, handler in former.items():
            signal.signal(one, handler)
