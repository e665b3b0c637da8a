"""The graph family: connections between entities, paths and communities."""
