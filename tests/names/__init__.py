"""Names and types: who and what a text is about."""
