"""The time family: how entities and their relations change along reading order."""
