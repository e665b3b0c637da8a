"""Tests of relations: they are stated and told in the same way on both engines."""

from __future__ import annotations

from ..databases import one_engine as databases

__all__ = ["databases"]
