"""What the vault states about two entities, on what evidence, and when it is over."""
