"""Search: a hybrid ranking of chunks by full text, vectors and names."""
