"""Entities and their names, derived from all notes together."""
