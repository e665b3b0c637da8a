"""How entities are told along reading order."""
