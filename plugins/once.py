"""Keeps what is worked out of a note, or of a lexicon, for as long as that lives."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")


def once_for_each(work_out: Callable[[Given], Made]) -> Callable[[Given], Made]:
    """Make a function do its work once for each value, so that hooks can share what it returns.

    Values are told apart by identity: notes cannot be hashed, since their properties cannot. What
    is returned must not hold the value, which else would never go.
    """
    kept: dict[int, tuple[weakref.ref[Given], Made]] = {}

    @wraps(work_out)
    def remembered(value: Given) -> Made:
        key = id(value)
        known = kept.get(key)
        if known is not None and known[0]() is value:
            return known[1]
        made = work_out(value)
        kept[key] = weakref.ref(value, lambda _: kept.pop(key, None)), made
        return made

    return remembered
