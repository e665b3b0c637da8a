"""Relations between entities and the evidence for them, from what notes state."""
