"""The built-in plugins; they use only the public API and entry points, like any other plugin."""
