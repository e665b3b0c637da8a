"""The files of a vault: which there are, what kind of file each is, and their text."""
