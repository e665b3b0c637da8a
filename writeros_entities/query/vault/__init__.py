"""Notes and chunks as indexed, and problems of a vault or its index."""
