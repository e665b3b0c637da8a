"""How entities, and what connects them, change along reading order."""
