"""Vector similarity of chunks, their windows and their words to a query."""
