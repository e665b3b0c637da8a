"""What the vault's words state of entities, with its evidence."""
