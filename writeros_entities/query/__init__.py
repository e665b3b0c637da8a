"""The queries that capabilities run against the index."""
