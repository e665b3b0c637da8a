"""The files of a vault: finding them, their kinds, and decoding their text."""
