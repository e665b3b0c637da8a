"""Relations that nobody has stated: what a relation model has learned, and what it says."""
