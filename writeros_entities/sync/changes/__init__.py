"""Derive the changes of entities along reading order."""
