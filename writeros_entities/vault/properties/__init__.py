"""Properties: the YAML frontmatter of a note, as Obsidian reads it."""
