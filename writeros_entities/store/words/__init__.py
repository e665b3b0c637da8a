"""Words and names, as full text counts them on every engine."""
