"""The continuity family: find contradictions in the vault, and who knows what."""
