"""Properties: the YAML at the head of a note, as Obsidian reads it."""
