"""Prose as a reader sees it: sentences, speech, breaks and passages."""
