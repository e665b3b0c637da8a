"""The entities family: entities in a text, entities of the vault, and their mentions."""
