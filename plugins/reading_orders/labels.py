"""Words for what is numbered: parts, chapters and scenes, in several languages."""

from __future__ import annotations

from ..word_lists import words

PARTS = words(
    "part book act volume vol teil buch band akt partie livre tome acte parte libro livro tomo",
    "acto ato atto deel boek season",
)
CHAPTERS = words(
    "chapter chap ch episode scene sc kapitel kap szene chapitre scène capítulo capitulo capitolo",
    "cap escena cena scena hoofdstuk",
)
"""Words for chapters and scenes, and (before them) for larger parts, in English, German, French,
Spanish, Portuguese, Italian and Dutch.
"""
LABELS = "|".join((*PARTS, *CHAPTERS))
