"""How entities, and the connections between them, change along the reading order."""
