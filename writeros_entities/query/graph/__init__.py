"""The graph of a vault as a view shows it, and drawings of parts of it."""
