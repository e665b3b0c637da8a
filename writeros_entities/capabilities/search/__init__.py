"""The search family: passages that answer a question, related notes, and who says what."""
