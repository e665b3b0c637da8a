"""Words and terms of full-text search, the same on every engine."""
