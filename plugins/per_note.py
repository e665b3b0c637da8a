"""Keeps what is worked out of a note for as long as the note lives, so that hooks can share it."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from writeros_entities import Note

T = TypeVar("T")


def once_per_note(work_out: Callable[[Note], T]) -> Callable[[Note], T]:
    """Make a function of a note do its work once for each.

    Notes cannot be hashed, since their properties cannot; so they are told apart by identity.
    """
    kept: dict[int, tuple[weakref.ref[Note], T]] = {}

    @wraps(work_out)
    def remembered(note: Note) -> T:
        key = id(note)
        known = kept.get(key)
        if known is not None and known[0]() is note:
            return known[1]
        value = work_out(note)
        kept[key] = weakref.ref(note, lambda _: kept.pop(key, None)), value
        return value

    return remembered
