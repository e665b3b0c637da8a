"""Tests of names and types: they are read in the same way on both engines."""

from __future__ import annotations

from ..databases import one_engine as databases

__all__ = ["databases"]
