"""From a question to the entities it names, and from these to the passages that answer it."""
