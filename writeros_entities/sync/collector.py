"""Spare the garbage collector what lives long while many notes are read.

    collector = Collector()
    ...read a batch...
    collector.settle()
    ...
    collector.restore()

A sync makes millions of objects, few of them in cycles. Without this, the collector would traverse
the names, the parsed notes and the rows that wait to be written again and again.
"""

from __future__ import annotations

import gc

_ALLOCATED = 200_000
"""Objects that are made, net of those freed, between two collections of the youngest ones."""

_SAMPLED = 8
"""Of so many batches, one is collected if the one collected before had no garbage."""


class Collector:
    """Exempts what exists from collection, and what is left of each batch, until `restore`.

    Garbage that an earlier sync has left is collected first: once exempted, it would never be.

    As hardly a plugin leaves garbage that the collector must find, it is looked for in one of
    `_SAMPLED` batches, and when there was some, in every batch until there is none.

    A process that has exempted objects of its own keeps its collector as it is.
    """

    def __init__(self) -> None:
        self._is_spared = gc.get_freeze_count() == 0
        self._settled = 0
        self._has_garbage = False
        if self._is_spared:
            self._thresholds = gc.get_threshold()
            gc.set_threshold(_ALLOCATED, *self._thresholds[1:])
            gc.collect()
            gc.freeze()

    def settle(self) -> None:
        """Collect the garbage of a batch, if that is its turn, and exempt what is left of it."""
        if not self._is_spared:
            return
        self._settled += 1
        if self._has_garbage or self._settled % _SAMPLED == 0:
            self._has_garbage = gc.collect() > 0
        gc.freeze()

    def restore(self) -> None:
        """Let the collector work as before."""
        if self._is_spared:
            gc.set_threshold(*self._thresholds)
            gc.unfreeze()
