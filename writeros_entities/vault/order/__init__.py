"""Reading order: the positions of notes in the manuscript."""
