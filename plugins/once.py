"""Cache what is computed from a note or a lexicon, as long as that exists."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import partial, wraps
from typing import TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")


def once_for_each(work_out: Callable[[Given], Made]) -> Callable[[Given], Made]:
    """Decorate a function to compute its result once for each value, so that hooks can share it.

    Values are compared by identity: notes cannot be hashed, because of their properties. The result
    must not refer to the value, which could then never be freed.
    """
    kept: dict[int, tuple[weakref.ref[Given], Made]] = {}

    @wraps(work_out)
    def remembered(value: Given) -> Made:
        key = id(value)
        known = kept.get(key)
        if known is not None and known[0]() is value:
            return known[1]
        made = work_out(value)
        forget = partial(kept.pop, key)  # no Python code, in which an interrupt would be lost
        kept[key] = weakref.ref(value, forget), made
        return made

    return remembered
