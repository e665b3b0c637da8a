"""The brief of a scene: gather it from the story, cut it to a budget, write it as text."""
