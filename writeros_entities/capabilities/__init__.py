"""The capabilities of the framework, one module a family."""
