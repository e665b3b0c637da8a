"""Triples and what a model of them is worth: pure functions of arrays, which know no vault."""
