"""Tests of graphs: they are made in the same way of what either engine holds."""

from __future__ import annotations

from ..databases import one_engine as databases

__all__ = ["databases"]
