"""Discovery: proper names that repeat in a vault and have no note of their own yet."""
