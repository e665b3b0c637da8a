"""The story that a vault tells: its scenes, who and what is in them, and its contradictions."""
