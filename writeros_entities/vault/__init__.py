"""Files on disk become parsed notes: pure, but for the walk itself."""
