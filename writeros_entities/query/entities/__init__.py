"""Entities and their mentions: found by name, in a text, and by vector similarity."""
