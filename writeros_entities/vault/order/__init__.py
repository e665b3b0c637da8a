"""Reading order: which note is which chapter."""
