"""The relations family: how two entities are related, to whom else, and whether it is so."""
