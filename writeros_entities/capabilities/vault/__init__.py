"""The vault family: bring the index up to date, check its health, and read the notes."""
