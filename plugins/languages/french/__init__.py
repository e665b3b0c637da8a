"""French: its words, and what a parser's trees of it say."""
