"""Who says what in a scene."""
