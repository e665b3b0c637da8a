"""Inferred relations: what a relation model has learned from a vault, and its predictions."""
