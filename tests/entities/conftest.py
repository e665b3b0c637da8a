"""Tests of what is told of entities, which is above the store: one engine stands for both."""

from __future__ import annotations

from ..databases import one_engine as databases

__all__ = ["databases"]
