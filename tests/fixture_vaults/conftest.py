"""Tests of what is found in the fixture vaults: one engine stands for both."""

from __future__ import annotations

from ..databases import one_engine as databases

__all__ = ["databases"]
