"""What the vault states of two entities, on what evidence, and when it is over."""
