"""Pronouns, and the nouns for people to whom they may refer."""

from __future__ import annotations

from collections.abc import Mapping

from ..word_lists import word_set

GENDERS: Mapping[str, str] = {
    **dict.fromkeys(("she", "her"), "she"),
    **dict.fromkeys(("he", "his", "him"), "he"),
    **dict.fromkeys(("they", "their", "them"), "they"),
}
"""The nominative ("she", "he" or "they") of each pronoun."""

NOUNS_OF_GENDER: Mapping[str, frozenset[str]] = {
    "she": word_set(
        "abbess aunt baroness bride countess daughter duchess empress girl godmother",
        "granddaughter grandmother heiress heroine lady lass maid mistress mom mother mum niece",
        "nun priestess princess queen sister stepmother widow wife witch woman",
    ),
    "he": word_set(
        "abbot baron boy brother count dad duke emperor father fellow gentleman godfather",
        "grandfather grandson groom heir hero husband king knight lad lord man master monk nephew",
        "priest prince sir son stepfather uncle widower wizard",
    ),
    "they": word_set("boys brothers folk girls men people sisters women"),
}
"""Nouns for people, by the pronoun that may refer to them."""
