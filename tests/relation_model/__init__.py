"""The relation model: what ships, what a vault asserts, and what it teaches."""
