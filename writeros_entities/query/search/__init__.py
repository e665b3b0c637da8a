"""Search: what full text, vectors and names say of a chunk, put together."""
