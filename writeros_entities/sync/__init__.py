"""Bring the index up to date with the vault: plan, read, detect, write; once or while watching."""
