import signal
import sys

import pytest
from writeros_plugins.once import once_for_each


class Note:
    """A note, as far as the cache looks at one."""


@pytest.mark.skipif(sys.platform == "win32", reason="has no timer that sends a signal")
def test_an_interrupt_while_notes_are_freed_is_not_lost():
    read = once_for_each(lambda note: 0)
    notes = [Note() for _ in range(200_000)]
    for at in range(len(notes)):
        read(notes[at])
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, 0.001)
            notes.clear()
            while signal.getitimer(signal.ITIMER_REAL)[0]:
                pass
    finally:
        signal.signal(signal.SIGALRM, before)
