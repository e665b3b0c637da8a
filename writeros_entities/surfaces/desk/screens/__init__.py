"""The screens of the desk: one module each, with the template of the same name."""
