"""The graph of a vault in memory: what is near, what connects, what belongs together.

Nothing here reads the index. Nodes and edges are numbers in arrays, which `query.graph.snapshots`
fills.
"""
