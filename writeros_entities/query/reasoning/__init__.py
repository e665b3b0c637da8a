"""From a question to whom it names, and over what chunks share to the passages that answer it."""
