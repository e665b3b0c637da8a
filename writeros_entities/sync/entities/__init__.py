"""Derive entities and their names from all notes together, and write them."""
