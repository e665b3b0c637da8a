"""Obsidian's Markdown: blocks, links, fields and marks, and what is prose beside them."""
