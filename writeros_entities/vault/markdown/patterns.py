"""Regular expressions that mean the same on every Python that the product runs on."""

from __future__ import annotations


def run_of(item: str, *, least: int = 0) -> str:
    r"""Return a pattern for as many of an item as there are, of which none is given back.

    It stands for `(?:item)*+`, or with `least=1` for `(?:item)++`. Before Python 3.11.5, those
    kept what their last try had read before it failed, and what has to follow was then looked for
    too late (CPython issue 106052). Here the last alternative, which never matches, takes the
    engine back to where the item began. An atomic group would as well, but remembers each item.
    """
    return f"(?:{item}|(?!)){'+' if least else '*'}+"


COMMENTED = run_of(r"[^%]++|%(?!%)")
"""What stands between the `%%` of a comment."""
