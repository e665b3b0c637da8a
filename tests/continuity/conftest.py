"""Tests of continuity: rules read a story, whichever engine it comes from."""

from __future__ import annotations

from ..databases import one_engine as databases

__all__ = ["databases"]
