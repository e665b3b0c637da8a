"""Triples, and models of them: pure functions on arrays, independent of any vault."""
