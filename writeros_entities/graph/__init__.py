"""The graph of a vault in memory: neighbourhoods, paths, communities, importance, drawings.

Nothing here reads the index: nodes and edges are numbers in arrays, loaded by
`capabilities.graph.snapshots`.
"""

MOST_PATHS = 50
"""Paths that a search finds at most."""
