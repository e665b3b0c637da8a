"""Parse Obsidian's Markdown: blocks, links, fields, formatting, and which text is prose."""
