"""What belongs into a prompt about some entities: sources, tiers, passages, pieces."""
