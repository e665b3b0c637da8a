"""The files of the Obsidian plugin, as `writeros-entities obsidian install` copies them."""
