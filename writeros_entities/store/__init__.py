"""Tables, the engine, and the only place where vault and reading position are filtered."""
