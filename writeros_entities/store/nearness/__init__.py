"""How near vectors are: of texts, of their windows and of their words."""
