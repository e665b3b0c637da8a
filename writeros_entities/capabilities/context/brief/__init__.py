"""What to know for a scene: gathered from the story, cut to a budget, written."""
