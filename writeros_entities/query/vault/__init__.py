"""Notes and chunks as the index holds them, and what is wrong with a vault or its index."""
