"""Entities and their mentions: found by a name, in a text, and by likeness."""
