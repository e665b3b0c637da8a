"""What a prompt about some entities should contain: sources, tiers, passages, pieces."""
