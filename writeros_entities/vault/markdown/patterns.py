"""Regular expressions that work the same on all supported Python versions."""

from __future__ import annotations


def run_of(item: str, *, least: int = 0) -> str:
    r"""Return a possessive pattern for a run of items, each matched as often as possible.

    It is equivalent to `(?:item)*+`, or with `least=1` to `(?:item)++`. Before Python 3.11.5, those
    did not restore the position after the last, failed attempt (CPython issue 106052). Here the
    last alternative, which never matches, resets the engine to the start of the item. An atomic
    group would do the same, but stores every item.
    """
    return f"(?:{item}|(?!)){'+' if least else '*'}+"


COMMENTED = run_of(r"[^%]++|%(?!%)")
"""The text between the `%%` of a comment."""
