"""The built-in plugins: they use the public API and the entry points that anyone uses."""
