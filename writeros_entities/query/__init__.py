"""What capabilities ask of the index."""
