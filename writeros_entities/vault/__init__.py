"""Turn the files of a vault into parsed notes; only `files` reads the disk."""
